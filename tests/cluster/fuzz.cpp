// For libFuzzer, which needs clang: what comes from the network, at everything that decodes it.

#include <heist/cluster/failures.hpp>
#include <heist/cluster/message.hpp>
#include <heist/cluster/pack.hpp>

#include <cstdlib>

namespace hcd = heist::cluster::detail;

namespace {

struct record {
  std::string name;
  std::vector<double> values;
  template <class Archive>
  void serialize(Archive& a) {
    a(name, values);
  }
};

// A value that can be read is written as the same bytes.
template <class T>
void read_as(std::span<const std::byte> from) {
  try {
    hcd::reader r(from);
    const T value = hcd::get<T>(r);
    hcd::bytes again;
    hcd::writer w(again);
    hcd::put(w, value);
    if (again.size() != from.size() - r.left() || std::memcmp(again.data(), from.data(), again.size()) != 0) std::abort();
  } catch (const std::exception&) {  // refused
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto all = std::as_bytes(std::span(data, size));
  if (const auto m = hcd::decode(all); m && hcd::encode(*m) != hcd::bytes(all.begin(), all.end())) std::abort();
  static_cast<void>(hcd::unpack_failure(all));
  read_as<std::vector<std::string>>(all);
  read_as<std::tuple<int, bool, std::optional<std::string>, std::array<short, 3>>>(all);
  read_as<std::vector<std::vector<bool>>>(all);
  read_as<std::vector<record>>(all);
  return 0;
}
