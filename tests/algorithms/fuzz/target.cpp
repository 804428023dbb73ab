// Algorithms that arrange, select and search; rest.cpp has the others.

#include "tables.hpp"
#include "target.hpp"

#include <heist/heist.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <list>
#include <map>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

namespace {

using namespace heist_fuzz;
namespace stage = heist::stage;

const algorithm algorithms[] = {
    {"sort", [](const input& in) { same_change(in, [&](auto& a) { heist::sort(a, in.grain); }, ranges::sort); }},
    {"sort by a comparison", [](const input& in) { same_change(in, [&](auto& a) { heist::sort(a, std::greater<>(), in.grain); }, [](auto& b) { ranges::sort(b, std::greater<>()); }); }},
    {"stable_sort", [](const input& in) { items a = in.tagged, b = a; heist::stable_sort(a, {}, &item::key, in.grain); ranges::stable_sort(b, {}, &item::key); must(a == b); }},
    {"sort_by_cached_key", [](const input& in) { items a = in.tagged, b = a; heist::sort_by_cached_key(a, [](const item& x) { return -x.key; }, in.grain); ranges::stable_sort(b, std::greater<>(), &item::key); must(a == b); }},
    {"partial_sort", [](const input& in) { numbers a = in.v, b = in.v; const auto k = static_cast<long>(in.middle); heist::partial_sort(a, a.begin() + k, in.grain); ranges::partial_sort(b, b.begin() + k); must(std::equal(a.begin(), a.begin() + k, b.begin())); ranges::sort(a), ranges::sort(b); must(a == b); }},
    {"nth_element", [](const input& in) { if (in.v.empty()) return; numbers a = in.v; const std::size_t k = in.middle % a.size(); heist::nth_element(a, a.begin() + static_cast<long>(k), in.grain); must(a[k] == in.sorted_v[k]); ranges::sort(a); must(a == in.sorted_v); }},
    {"kth", [](const input& in) { if (!in.v.empty()) must(heist::kth(in.v, in.middle % in.v.size(), in.grain) == in.sorted_v[in.middle % in.v.size()]); }},
    {"top_k", [](const input& in) { const numbers a = heist::top_k(in.v, in.middle, in.grain); must(std::equal(a.begin(), a.end(), in.sorted_v.rbegin()) && a.size() == std::min(in.middle, in.v.size())); }},
    {"inplace_merge", [](const input& in) { items a = in.tagged; const auto k = a.begin() + static_cast<long>(in.middle); ranges::stable_sort(a.begin(), k, {}, &item::key); ranges::stable_sort(k, a.end(), {}, &item::key); items b = a; heist::inplace_merge(a, k, {}, &item::key, in.grain); ranges::inplace_merge(b, b.begin() + static_cast<long>(in.middle), {}, &item::key); must(a == b); }},
    {"merge", [](const input& in) { same_output(in, [&](auto o) { return heist::merge(in.sorted_v, in.sorted_w, o, in.grain).out; }, [&](auto o) { return ranges::merge(in.sorted_v, in.sorted_w, o).out; }); }},
    {"set_union", [](const input& in) { same_output(in, [&](auto o) { return heist::set_union(in.sorted_v, in.sorted_w, o, in.grain).out; }, [&](auto o) { return ranges::set_union(in.sorted_v, in.sorted_w, o).out; }); }},
    {"set_intersection", [](const input& in) { same_output(in, [&](auto o) { return heist::set_intersection(in.sorted_v, in.sorted_w, o, in.grain).out; }, [&](auto o) { return ranges::set_intersection(in.sorted_v, in.sorted_w, o).out; }); }},
    {"set_difference", [](const input& in) { same_output(in, [&](auto o) { return heist::set_difference(in.sorted_v, in.sorted_w, o, in.grain).out; }, [&](auto o) { return ranges::set_difference(in.sorted_v, in.sorted_w, o).out; }); }},
    {"set_symmetric_difference", [](const input& in) { same_output(in, [&](auto o) { return heist::set_symmetric_difference(in.sorted_v, in.sorted_w, o, in.grain).out; }, [&](auto o) { return ranges::set_symmetric_difference(in.sorted_v, in.sorted_w, o).out; }); }},
    {"includes", [](const input& in) { must(heist::includes(in.sorted_v, in.sorted_w, in.grain) == ranges::includes(in.sorted_v, in.sorted_w)); }},
    {"copy_if", [](const input& in) { same_output(in, [&](auto o) { return heist::copy_if(in.v, o, odd, in.grain).out; }, [&](auto o) { return ranges::copy_if(in.v, o, odd).out; }); }},
    {"remove_copy", [](const input& in) { same_output(in, [&](auto o) { return heist::remove_copy(in.v, o, in.value, in.grain).out; }, [&](auto o) { return ranges::remove_copy(in.v, o, in.value).out; }); }},
    {"unique_copy", [](const input& in) { same_output(in, [&](auto o) { return heist::unique_copy(in.v, o, in.grain).out; }, [&](auto o) { return ranges::unique_copy(in.v, o).out; }); }},
    {"reverse_copy", [](const input& in) { same_output(in, [&](auto o) { return heist::reverse_copy(in.v, o, in.grain).out; }, [&](auto o) { return ranges::reverse_copy(in.v, o).out; }); }},
    {"rotate_copy", [](const input& in) { const auto k = in.v.begin() + static_cast<long>(in.middle); same_output(in, [&](auto o) { return heist::rotate_copy(in.v, k, o, in.grain).out; }, [&](auto o) { return ranges::rotate_copy(in.v, k, o).out; }); }},
    {"replace_copy_if", [](const input& in) { same_output(in, [&](auto o) { return heist::replace_copy_if(in.v, o, odd, in.value, in.grain).out; }, [&](auto o) { return ranges::replace_copy_if(in.v, o, odd, in.value).out; }); }},
    {"adjacent_difference", [](const input& in) { same_output(in, [&](auto o) { return heist::adjacent_difference(in.v, o, in.grain); }, [&](auto o) { return std::adjacent_difference(in.v.begin(), in.v.end(), o); }); }},
    {"inclusive_scan", [](const input& in) { same_output(in, [&](auto o) { return heist::inclusive_scan(in.v, o, in.grain); }, [&](auto o) { return std::inclusive_scan(in.v.begin(), in.v.end(), o); }); }},
    {"exclusive_scan", [](const input& in) { same_output(in, [&](auto o) { return heist::exclusive_scan(in.v, o, in.value, in.grain); }, [&](auto o) { return std::exclusive_scan(in.v.begin(), in.v.end(), o, in.value); }); }},
    {"transform", [](const input& in) { same_output(in, [&](auto o) { return heist::transform(in.v, o, std::negate<>(), in.grain).out; }, [&](auto o) { return ranges::transform(in.v, o, std::negate<>()).out; }); }},
    {"remove_if", [](const input& in) { same_change(in, [&](auto& a) { a.erase(heist::remove_if(a, odd, in.grain).begin(), a.end()); }, [](auto& b) { std::erase_if(b, odd); }); }},
    {"unique", [](const input& in) { same_change(in, [&](auto& a) { a.erase(heist::unique(a, in.grain).begin(), a.end()); }, [](auto& b) { b.erase(ranges::unique(b).begin(), b.end()); }); }},
    {"stable_partition", [](const input& in) { items a = in.tagged, b = a; heist::stable_partition(a, odd_key, {}, in.grain); ranges::stable_partition(b, odd_key); must(a == b); }},
    {"partition", [](const input& in) { numbers a = in.v; const auto others = heist::partition(a, odd, in.grain); must(ranges::all_of(a.begin(), others.begin(), odd) && ranges::none_of(others, odd)); ranges::sort(a); must(a == in.sorted_v); }},
    {"rotate", [](const input& in) { same_change(in, [&](auto& a) { heist::rotate(a, a.begin() + static_cast<long>(in.middle), in.grain); }, [&](auto& b) { ranges::rotate(b, b.begin() + static_cast<long>(in.middle)); }); }},
    {"shift_left", [](const input& in) { numbers a = in.v, b = in.v; const auto k = static_cast<long>(in.middle); heist::shift_left(a, k, in.grain); const auto end = std::shift_left(b.begin(), b.end(), k); must(std::equal(b.begin(), end, a.begin())); }},
    {"shift_right", [](const input& in) { numbers a = in.v, b = in.v; const auto k = static_cast<long>(in.middle); heist::shift_right(a, k, in.grain); const auto begin = std::shift_right(b.begin(), b.end(), k); must(std::equal(begin, b.end(), a.begin() + (begin - b.begin()))); }},
    {"reverse", [](const input& in) { same_change(in, [&](auto& a) { heist::reverse(a, in.grain); }, [](auto& b) { ranges::reverse(b); }); }},
    {"replace", [](const input& in) { same_change(in, [&](auto& a) { heist::replace(a, in.value, 7, in.grain); }, [&](auto& b) { ranges::replace(b, in.value, 7); }); }},
    {"shuffle", [](const input& in) { numbers a = in.v; heist::shuffle(a, in.middle, in.grain); ranges::sort(a); must(a == in.sorted_v); }},
    {"find", [](const input& in) { must(heist::find(in.v, in.value, in.grain) == ranges::find(in.v, in.value)); }},
    {"find_if of a list", [](const input& in) { const std::list<int> l(in.v.begin(), in.v.end()); must(heist::find_if(l, odd) == ranges::find_if(l, odd)); }},
    {"find_end", [](const input& in) { const auto part = in.w | std::views::take(2); must(heist::find_end(in.v, part, in.grain).begin() == ranges::find_end(in.v, part).begin()); }},
    {"search", [](const input& in) { const auto part = in.w | std::views::take(2); must(heist::search(in.v, part, in.grain).begin() == ranges::search(in.v, part).begin()); }},
    {"search_n", [](const input& in) { must(heist::search_n(in.v, 2, in.value, in.grain).begin() == ranges::search_n(in.v, 2, in.value).begin()); }},
    {"find_first_of", [](const input& in) { must(heist::find_first_of(in.v, in.w, in.grain) == ranges::find_first_of(in.v, in.w)); }},
    {"adjacent_find", [](const input& in) { must(heist::adjacent_find(in.v, in.grain) == ranges::adjacent_find(in.v)); }},
    {"mismatch", [](const input& in) { must(heist::mismatch(in.v, in.w, in.grain).in1 == ranges::mismatch(in.v, in.w).in1); }},
    {"equal", [](const input& in) { must(heist::equal(in.v, in.w, in.grain) == ranges::equal(in.v, in.w)); }},
    {"lexicographical_compare", [](const input& in) { must(heist::lexicographical_compare(in.v, in.w, in.grain) == ranges::lexicographical_compare(in.v, in.w)); }},
    {"is_sorted_until", [](const input& in) { must(heist::is_sorted_until(in.v, in.grain) == ranges::is_sorted_until(in.v)); }},
    {"is_heap_until", [](const input& in) { must(heist::is_heap_until(in.v, in.grain) == ranges::is_heap_until(in.v)); }},
    {"is_partitioned", [](const input& in) { must(heist::is_partitioned(in.v, odd, in.grain) == ranges::is_partitioned(in.v, odd)); }},
    {"minmax_element", [](const input& in) { const auto a = heist::minmax_element(in.tagged, {}, &item::key, in.grain); const auto b = ranges::minmax_element(in.tagged, {}, &item::key); must(a.min == b.min && a.max == b.max); }},
    {"minmax_element of a list", [](const input& in) { const std::list<item> l(in.tagged.begin(), in.tagged.end()); const auto a = heist::minmax_element(l, {}, &item::key); const auto b = ranges::minmax_element(l, {}, &item::key); must(a.min == b.min && a.max == b.max); }},
    {"count", [](const input& in) { must(heist::count(in.v, in.value, in.grain) == ranges::count(in.v, in.value)); }},
    {"reduce of texts", [](const input& in) { std::vector<std::string> words; for (const int x : in.v) words.push_back(std::to_string(x)); must(heist::reduce(words, std::string(), std::plus<>(), in.grain) == std::accumulate(words.begin(), words.end(), std::string())); }},
    {"transform_reduce of a list", [](const input& in) { const std::list<int> l(in.v.begin(), in.v.end()); must(heist::transform_reduce(l, 0, std::plus<>(), odd) == ranges::count_if(l, odd)); }},
    {"group_by", [](const input& in) { std::map<int, items> expected; for (const item& x : in.tagged) expected[x.key].push_back(x); const auto groups = heist::group_by(in.tagged, &item::key, heist::group_order::keys, in.grain); must(ranges::equal(groups, expected, [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; })); }},
    {"reduce_by_key", [](const input& in) { std::map<int, int> expected; for (const item& x : in.tagged) expected[x.key] += x.tag; const auto sums = heist::reduce_by_key(in.tagged, &item::key, &item::tag, std::plus<>(), heist::group_order::keys, in.grain); must(ranges::equal(sums, expected, [](const auto& a, const auto& b) { return a.first == b.first && a.second == b.second; })); }},
    {"pack_index", [](const input& in) { std::vector<std::size_t> expected; for (std::size_t i = 0; i < in.v.size(); ++i) if (odd(in.v[i])) expected.push_back(i); must(ranges::equal(heist::pack_index(in.v, odd, in.grain), expected)); }},
    {"concat_map", [](const input& in) { numbers expected; for (const int x : in.v) expected.insert(expected.end(), static_cast<std::size_t>(x % 4), x); must(heist::concat_map(in.v, [](int x) { return numbers(static_cast<std::size_t>(x % 4), x); }, in.grain) == expected); }},
    {"par | transform | filter | to", [](const input& in) { numbers expected; for (const int x : in.v) if (odd(3 * x + 1)) expected.push_back(3 * x + 1); must((heist::par(in.v) | stage::transform([](int x) { return 3 * x + 1; }) | stage::filter(odd) | heist::to<std::vector>()) == expected); }},
    {"par | filter | enumerate | chunks | reduce", [](const input& in) { std::size_t expected = 0, k = 0; for (const int x : in.v) if (odd(x)) expected += k++ * static_cast<std::size_t>(x); must((heist::par(in.v) | stage::filter(odd) | stage::enumerate() | stage::transform([](std::size_t at, int x) { return at * static_cast<std::size_t>(x); }) | stage::reduce(std::size_t{0})) == expected); }},
    {"par | zip | find_first", [](const input& in) { std::optional<int> expected; for (std::size_t i = 0; i < std::min(in.v.size(), in.w.size()) && !expected; ++i) if (in.v[i] == in.w[i]) expected = in.v[i]; const auto found = heist::par(in.v) | stage::zip(in.w) | stage::find_first([](int a, int b) { return a == b; }); must(found.has_value() == expected.has_value() && (!found || found->first == *expected)); }},
    {"par | flat_map | drop | take", [](const input& in) { numbers all; for (const int x : in.v) all.insert(all.end(), static_cast<std::size_t>(x % 3), x); const auto from = std::min<std::size_t>(2, all.size()), to = std::min<std::size_t>(7, all.size()); must((heist::par(in.v) | stage::flat_map([](int x) { return numbers(static_cast<std::size_t>(x % 3), x); }) | stage::drop(2) | stage::take(5) | heist::to<std::vector>()) == numbers(all.begin() + static_cast<long>(from), all.begin() + static_cast<long>(to))); }},
    {"par of a list | max_by", [](const input& in) { const std::list<item> l(in.tagged.begin(), in.tagged.end()); const auto best = heist::par(l) | stage::max_by(&item::key); must(best.has_value() == !l.empty() && (!best || *best == *ranges::max_element(l, {}, &item::key))); }},
};

}  // namespace

void fuzz_one(const std::uint8_t* data, std::size_t size) {
  static heist::pool one({.workers = 1}), three({.workers = 3});
  choices choose(data, size);
  const std::span<const algorithm> rest = the_rest();
  const std::size_t which = choose.below(std::size(algorithms) + rest.size());
  const algorithm& chosen = which < std::size(algorithms) ? algorithms[which] : rest[which - std::size(algorithms)];
  heist::pool& pool = choose.below(2) == 0 ? one : three;
  const std::size_t luck = choose.below(4);  // in half of the calls nothing befalls
  input in{{}, {}, {}, {}, {}, 0, static_cast<int>(choose.below(4)), heist::grain{1 + choose.below(40)}};
  const std::size_t place = choose.below(256), when = choose.below(256);
  in.v = choose.some(false);
  in.w = choose.some(true);
  in.middle = in.v.empty() ? 0 : place % (in.v.size() + 1);
  in.sorted_v = in.v, in.sorted_w = in.w;
  std::ranges::sort(in.sorted_v), std::ranges::sort(in.sorted_w);
  for (std::size_t i = 0; i < in.v.size(); ++i) in.tagged.push_back({in.v[i], static_cast<int>(i)});
  running = chosen.name;
  fate f;
  f.left = static_cast<long>(when), f.throws = luck == 1;
  befalls = luck == 0 || luck == 3 ? nullptr : &f;
  try {
    pool.run([&] {
      heist::scope all(f.stop.get_token());
      all.spawn([&] { chosen.check(in); });
      all.sync();
    });
  } catch (const mishap&) {
    must(f.throws && f.left < 0);
  } catch (const heist::cancelled&) {
    must(f.stop.stop_requested());
  }
  befalls = nullptr;
}
