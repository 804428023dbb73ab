#include <heist/cluster/measured.hpp>

namespace heist::cluster {

template <>
inline constexpr bool plain_bytes<heist::detail::cost> = true;
template <>
inline constexpr bool plain_bytes<heist::detail::path_length> = true;

}  // namespace heist::cluster

namespace heist::cluster::detail {

using heist::detail::task_figures;

namespace {
// One description for both directions.
template <class Figures, class Each>
void totals(Figures& f, Each each) {
  each(f.work), each(f.short_work), each(f.span), each(f.longest), each(f.forks), each(f.deepest);
}
template <class Region, class Each>
void parts(Region& r, Each each) {
  each(r.name), each(r.times), each(r.forks), each(r.work), each(r.longest), each(r.span);
}
}  // namespace

bytes pack_figures(const task_figures& of) {
  bytes all;
  writer w(all);
  auto write = [&](const auto& value) { put(w, value); };
  totals(of, write);
  for (const task_figures::region& r : of.regions) parts(r, write);
  return all;
}

std::optional<task_figures> unpack_figures(std::span<const std::byte> from) try {
  reader r(from);
  auto read = [&]<class T>(T& value) { value = get<T>(r); };
  task_figures f;
  totals(f, read);
  while (r.left() > 0) parts(f.regions.emplace_back(), read);
  return f;
} catch (const undecodable&) {
  return std::nullopt;
}

}  // namespace heist::cluster::detail
