#include <heist/cluster/message.hpp>

namespace heist::cluster::detail {

namespace {
constexpr std::array<char, 2> beginning{'h', 'c'};
constexpr std::uint8_t format = 2;

template <class T>
std::vector<T> get_some(reader& r, std::size_t most) {
  auto all = get<std::vector<T>>(r);
  if (all.size() > most) throw undecodable();
  return all;
}
}  // namespace

bytes encode(const message& m) {
  bytes out;
  out.reserve(96 + m.text.size() + 8 * m.numbers.size() + 16 * m.keys.size() + m.content.size() + m.figures.size());
  writer w(out);
  put(w, beginning);
  put(w, format);
  put(w, m.what);
  put(w, m.flags);
  put(w, m.from);
  put(w, m.of.epoch);
  put(w, m.of.instance);
  put(w, m.number);
  put(w, m.request);
  put(w, m.function);
  put(w, m.workers);
  put(w, m.text);
  put(w, m.numbers);
  put(w, m.keys);
  put(w, m.content);
  put(w, m.figures);
  return out;
}

std::optional<message> decode(std::span<const std::byte> from) {
  try {
    reader r(from);
    if (get<std::array<char, 2>>(r) != beginning || get<std::uint8_t>(r) != format) return std::nullopt;
    message m;
    m.what = get<say>(r);
    if (m.what > last_say) return std::nullopt;
    m.flags = get<std::uint8_t>(r);
    m.from = get<std::uint64_t>(r);
    if (m.from == 0) return std::nullopt;
    m.of.epoch = get<std::uint64_t>(r);
    m.of.instance = get<std::uint64_t>(r);
    m.number = get<std::uint64_t>(r);
    m.request = get<std::uint64_t>(r);
    m.function = get<std::uint64_t>(r);
    m.workers = get<std::uint32_t>(r);
    m.text = get<std::string>(r);
    if (m.text.size() > most_text) return std::nullopt;
    m.numbers = get_some<std::uint64_t>(r, most_numbers);
    m.keys = get_some<key>(r, most_numbers);
    m.content = get<bytes>(r);
    m.figures = get<bytes>(r);
    r.must_be_at_end();
    return m;
  } catch (const undecodable&) {
    return std::nullopt;
  }
}

}  // namespace heist::cluster::detail
