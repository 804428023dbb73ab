// Algorithms that ask, copy, fill and make; and those that the standard does not have.

#include "tables.hpp"

#include <heist/heist.hpp>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

namespace heist_fuzz {

namespace {

bool less_than_200(int x) { return strain(), x < 200; }
int twice(int x) { return strain(), 2 * x; }

// What both leave of raw memory; texts, so that a sanitizer sees what is made twice or not at all.
using texts = std::vector<std::string>;
texts words(const input& in) {
  texts all;
  for (const int x : in.v) all.push_back("a text that lies on the heap " + std::to_string(x));
  return all;
}
template <class Make>
void same_objects(std::size_t n, const texts& expected, const Make& make) {
  std::allocator<std::string> memory;
  std::string* const room = memory.allocate(n + 1);
  const std::string* const end = make(room);
  const bool same = end == room + n && std::equal(room, room + n, expected.begin(), expected.end());
  heist::destroy_n(room, static_cast<long>(n));
  memory.deallocate(room, n + 1);
  must(same);
}
// Every cell of a loop, once.
template <class Loop>
void each_once(std::size_t cells, const Loop& loop) {
  std::vector<std::atomic<int>> seen(cells);
  loop(seen);
  must(ranges::all_of(seen, [](const auto& k) { return k == 1; }));
}

const algorithm table[] = {
    {"all_of", [](const input& in) { must(heist::all_of(in.v, less_than_200, in.grain) == ranges::all_of(in.v, less_than_200)); }},
    {"any_of", [](const input& in) { must(heist::any_of(in.v, odd, in.grain) == ranges::any_of(in.v, odd)); }},
    {"none_of", [](const input& in) { must(heist::none_of(in.v, odd, in.grain) == ranges::none_of(in.v, odd)); }},
    {"for_each", [](const input& in) { same_change(in, [&](auto& a) { heist::for_each(a, [](int& x) { x = twice(x); }, in.grain); }, [](auto& b) { ranges::for_each(b, [](int& x) { x = twice(x); }); }); }},
    {"for_each_n", [](const input& in) { same_change(in, [&](auto& a) { heist::for_each_n(a.begin(), static_cast<long>(in.middle), [](int& x) { x = twice(x); }, in.grain); }, [&](auto& b) { ranges::for_each_n(b.begin(), static_cast<long>(in.middle), [](int& x) { x = twice(x); }); }); }},
    {"find_if_not", [](const input& in) { must(heist::find_if_not(in.v, odd, in.grain) == ranges::find_if_not(in.v, odd)); }},
    {"find_last", [](const input& in) { const auto at = std::find(in.v.rbegin(), in.v.rend(), in.value).base(); must(heist::find_last(in.v, in.value, in.grain).begin() == (at == in.v.begin() ? in.v.end() : at - 1)); }},
    {"find_last_if", [](const input& in) { const auto at = std::find_if(in.v.rbegin(), in.v.rend(), odd).base(); must(heist::find_last_if(in.v, odd, in.grain).begin() == (at == in.v.begin() ? in.v.end() : at - 1)); }},
    {"find_last_if_not", [](const input& in) { const auto at = std::find_if_not(in.v.rbegin(), in.v.rend(), odd).base(); must(heist::find_last_if_not(in.v, odd, in.grain).begin() == (at == in.v.begin() ? in.v.end() : at - 1)); }},
    {"count_if", [](const input& in) { must(heist::count_if(in.v, odd, in.grain) == ranges::count_if(in.v, odd)); }},
    {"contains", [](const input& in) { must(heist::contains(in.v, in.value, in.grain) == (ranges::find(in.v, in.value) != in.v.end())); }},
    {"contains_subrange", [](const input& in) { const auto part = in.w | std::views::take(2); must(heist::contains_subrange(in.v, part, in.grain) == (part.empty() || !ranges::search(in.v, part).empty())); }},
    {"starts_with", [](const input& in) { const auto part = in.w | std::views::take(1); must(heist::starts_with(in.v, part, in.grain) == (part.size() <= in.v.size() && std::equal(part.begin(), part.end(), in.v.begin()))); }},
    {"ends_with", [](const input& in) { const auto part = in.w | std::views::take(1); must(heist::ends_with(in.v, part, in.grain) == (part.size() <= in.v.size() && std::equal(part.begin(), part.end(), in.v.end() - static_cast<long>(part.size())))); }},
    {"copy", [](const input& in) { same_output(in, [&](auto o) { return heist::copy(in.v, o, in.grain).out; }, [&](auto o) { return ranges::copy(in.v, o).out; }); }},
    {"copy_n", [](const input& in) { const auto n = static_cast<long>(in.middle); same_output(in, [&](auto o) { return heist::copy_n(in.v.begin(), n, o, in.grain); }, [&](auto o) { return std::copy_n(in.v.begin(), n, o); }); }},
    {"move", [](const input& in) { texts a = words(in), b(a.size()); heist::move(a, b.begin(), in.grain); must(b == words(in)); }},
    {"swap_ranges", [](const input& in) { numbers a = in.v, b = in.w, c = in.v, d = in.w; heist::swap_ranges(a, b, in.grain); ranges::swap_ranges(c, d); must(a == c && b == d); }},
    {"replace_if", [](const input& in) { same_change(in, [&](auto& a) { heist::replace_if(a, odd, 7, in.grain); }, [](auto& b) { ranges::replace_if(b, odd, 7); }); }},
    {"replace_copy", [](const input& in) { same_output(in, [&](auto o) { return heist::replace_copy(in.v, o, in.value, 7, in.grain).out; }, [&](auto o) { return ranges::replace_copy(in.v, o, in.value, 7).out; }); }},
    {"fill", [](const input& in) { same_change(in, [&](auto& a) { heist::fill(a, in.value, in.grain); }, [&](auto& b) { ranges::fill(b, in.value); }); }},
    {"fill_n", [](const input& in) { const auto n = static_cast<long>(in.middle); same_change(in, [&](auto& a) { heist::fill_n(a.begin(), n, in.value, in.grain); }, [&](auto& b) { ranges::fill_n(b.begin(), n, in.value); }); }},
    {"generate", [](const input& in) { same_change(in, [&](auto& a) { heist::generate(a, [](std::size_t i) { return twice(static_cast<int>(i)); }, in.grain); }, [](auto& b) { ranges::generate(b, [i = 0]() mutable { return twice(i++); }); }); }},
    {"generate_n", [](const input& in) { const auto n = static_cast<long>(in.middle); same_change(in, [&](auto& a) { heist::generate_n(a.begin(), n, [] { return twice(3); }, in.grain); }, [&](auto& b) { ranges::generate_n(b.begin(), n, [] { return twice(3); }); }); }},
    {"remove", [](const input& in) { same_change(in, [&](auto& a) { a.erase(heist::remove(a, in.value, in.grain).begin(), a.end()); }, [&](auto& b) { std::erase(b, in.value); }); }},
    {"remove_copy_if", [](const input& in) { same_output(in, [&](auto o) { return heist::remove_copy_if(in.v, o, odd, in.grain).out; }, [&](auto o) { return ranges::remove_copy_if(in.v, o, odd).out; }); }},
    {"sample", [](const input& in) { numbers a(in.middle); const auto end = heist::sample(in.sorted_v, a.begin(), static_cast<long>(in.middle), 5u, in.grain); must(end == a.end() && ranges::is_sorted(a) && ranges::includes(in.sorted_v, a)); }},
    {"partition_copy", [](const input& in) { numbers a = room(in), b = room(in), c = room(in), d = room(in); heist::partition_copy(in.v, a.begin(), b.begin(), odd, in.grain); ranges::partition_copy(in.v, c.begin(), d.begin(), odd); must(a == c && b == d); }},
    {"partial_sort_copy", [](const input& in) { numbers a(in.middle), b(in.middle); heist::partial_sort_copy(in.v, a, in.grain); ranges::partial_sort_copy(in.v, b); must(a == b); }},
    {"is_sorted", [](const input& in) { must(heist::is_sorted(in.v, in.grain) == ranges::is_sorted(in.v) && heist::is_sorted(in.sorted_v, in.grain)); }},
    {"is_heap", [](const input& in) { numbers heap = in.v; ranges::make_heap(heap); must(heist::is_heap(heap, in.grain) && heist::is_heap(in.v, in.grain) == ranges::is_heap(in.v)); }},
    {"min, max and minmax", [](const input& in) { if (in.v.empty()) return; const auto both = heist::minmax(in.v, in.grain); must(heist::min(in.v, in.grain) == in.sorted_v.front() && heist::max(in.v, in.grain) == in.sorted_v.back() && both.min == in.sorted_v.front() && both.max == in.sorted_v.back()); }},
    {"min_element and max_element", [](const input& in) { must(heist::min_element(in.tagged, {}, &item::key, in.grain) == ranges::min_element(in.tagged, {}, &item::key) && heist::max_element(in.tagged, {}, &item::key, in.grain) == ranges::max_element(in.tagged, {}, &item::key)); }},
    {"transform_inclusive_scan", [](const input& in) { same_output(in, [&](auto o) { return heist::transform_inclusive_scan(in.v, o, std::plus<>(), twice, in.grain); }, [&](auto o) { return std::transform_inclusive_scan(in.v.begin(), in.v.end(), o, std::plus<>(), twice); }); }},
    {"transform_exclusive_scan", [](const input& in) { same_output(in, [&](auto o) { return heist::transform_exclusive_scan(in.v, o, in.value, std::plus<>(), twice, in.grain); }, [&](auto o) { return std::transform_exclusive_scan(in.v.begin(), in.v.end(), o, in.value, std::plus<>(), twice); }); }},
    {"uninitialized_copy", [](const input& in) { const texts w = words(in); same_objects(w.size(), w, [&](auto* to) { return heist::uninitialized_copy(w.begin(), w.end(), to, in.grain); }); }},
    {"uninitialized_copy_n", [](const input& in) { const texts w = words(in); same_objects(w.size(), w, [&](auto* to) { return heist::uninitialized_copy_n(w.begin(), std::ssize(w), to, in.grain); }); }},
    {"uninitialized_move", [](const input& in) { texts w = words(in); same_objects(w.size(), words(in), [&](auto* to) { return heist::uninitialized_move(w.begin(), w.end(), to, in.grain); }); }},
    {"uninitialized_move_n", [](const input& in) { texts w = words(in); same_objects(w.size(), words(in), [&](auto* to) { return heist::uninitialized_move_n(w.begin(), std::ssize(w), to, in.grain).second; }); }},
    {"uninitialized_fill", [](const input& in) { const std::string x(40, 'x'); same_objects(in.middle, texts(in.middle, x), [&](auto* to) { heist::uninitialized_fill(to, to + in.middle, x, in.grain); return to + in.middle; }); }},
    {"uninitialized_fill_n", [](const input& in) { const std::string x(40, 'x'); same_objects(in.middle, texts(in.middle, x), [&](auto* to) { return heist::uninitialized_fill_n(to, static_cast<long>(in.middle), x, in.grain); }); }},
    {"uninitialized_default_construct", [](const input& in) { same_objects(in.middle, texts(in.middle), [&](auto* to) { heist::uninitialized_default_construct(to, to + in.middle, in.grain); return to + in.middle; }); }},
    {"uninitialized_default_construct_n", [](const input& in) { same_objects(in.middle, texts(in.middle), [&](auto* to) { return heist::uninitialized_default_construct_n(to, static_cast<long>(in.middle), in.grain); }); }},
    {"uninitialized_value_construct", [](const input& in) { same_objects(in.middle, texts(in.middle), [&](auto* to) { heist::uninitialized_value_construct(to, to + in.middle, in.grain); return to + in.middle; }); }},
    {"uninitialized_value_construct_n", [](const input& in) { same_objects(in.middle, texts(in.middle), [&](auto* to) { return heist::uninitialized_value_construct_n(to, static_cast<long>(in.middle), in.grain); }); }},
    {"destroy", [](const input& in) { const texts w = words(in); std::allocator<std::string> memory; std::string* const to = memory.allocate(w.size() + 1); std::uninitialized_copy(w.begin(), w.end(), to); heist::destroy(to, to + w.size(), in.grain); memory.deallocate(to, w.size() + 1); }},
    {"tabulate", [](const input& in) { const numbers a = heist::tabulate(in.middle, [](std::size_t i) { return twice(static_cast<int>(i)); }, in.grain); must(a.size() == in.middle && (a.empty() || a.back() == 2 * static_cast<int>(in.middle) - 2)); }},
    {"collect", [](const input& in) { texts expected; for (const int x : in.v) expected.push_back(std::to_string(x)); must(heist::collect(in.v, [](int x) { return strain(), std::to_string(x); }, in.grain) == expected); }},
    {"to_vector", [](const input& in) { must(heist::to_vector(words(in), in.grain) == words(in)); }},
    {"flatten", [](const input& in) { std::vector<numbers> rows; numbers expected; for (const int x : in.v) rows.emplace_back(static_cast<std::size_t>(x % 4), x), expected.insert(expected.end(), static_cast<std::size_t>(x % 4), x); must(heist::flatten(rows, in.grain) == expected); }},
    {"count_by", [](const input& in) { std::map<int, std::size_t> expected; for (const int x : in.v) ++expected[x % 5]; must(ranges::equal(heist::count_by(in.v, [](int x) { return strain(), x % 5; }, heist::group_order::keys, in.grain), expected, [](const auto& a, const auto& b) { return a.first == b.first && static_cast<std::size_t>(a.second) == b.second; })); }},
    {"gather and scatter", [](const input& in) { const auto order = heist::random_permutation(in.v.size(), in.middle, in.grain); const numbers a = heist::gather(in.v, order, in.grain); numbers b(in.v.size()); heist::scatter(a, order, b.begin(), in.grain); must(b == in.v); }},
    {"transpose", [](const input& in) { const std::size_t rows = in.middle + 1, columns = in.v.size() / rows; const numbers a(in.v.begin(), in.v.begin() + static_cast<long>(rows * columns)); const numbers b = heist::transpose(a, rows, columns, in.grain); must(heist::transpose(b, columns, rows, in.grain) == a && (columns < 2 || b[rows] == a[1])); }},
    {"for_each_chunk", [](const input& in) { const std::size_t size = in.middle + 1; each_once(in.v.size(), [&](auto& seen) { heist::for_each_chunk(in.v, size, [&](auto&& chunk, std::size_t number) { strain(); for (std::size_t i = 0; i < static_cast<std::size_t>(ranges::size(chunk)); ++i) ++seen[number * size + i]; }, in.grain); }); }},
    {"for_each_window", [](const input& in) { const std::size_t size = in.middle + 1; each_once(in.v.size() < size ? 0 : in.v.size() - size + 1, [&](auto& seen) { heist::for_each_window(in.v, size, [&](auto&& window) { strain(); ++seen[static_cast<std::size_t>(&*ranges::begin(window) - in.v.data())]; }, in.grain); }); }},
    {"for_each_pair", [](const input& in) { const std::size_t n = std::min<std::size_t>(in.v.size(), 40); std::atomic<std::size_t> pairs{0}; heist::for_each_pair(in.v.begin(), in.v.begin() + static_cast<long>(n), [&](const int& a, const int& b) { strain(); if (&a < &b) ++pairs; }, in.grain); must(pairs == (n < 2 ? 0 : n * (n - 1) / 2)); }},
    {"for_each_index_2d", [](const input& in) { const std::size_t rows = in.v.size() % 50, columns = in.middle; each_once(rows * columns, [&](auto& seen) { heist::for_each_index_2d(rows, columns, [&](std::size_t i, std::size_t j) { strain(), ++seen[i * columns + j]; }, in.grain); }); }},
    {"for_each_index_3d", [](const input& in) { const std::size_t planes = in.v.size() % 20, rows = in.middle % 20, columns = in.w.size() % 100; each_once(planes * rows * columns, [&](auto& seen) { heist::for_each_index_3d(planes, rows, columns, [&](std::size_t i, std::size_t j, std::size_t k) { strain(), ++seen[(i * rows + j) * columns + k]; }, in.grain); }); }},
};

}  // namespace

std::span<const algorithm> the_rest() { return table; }

}  // namespace heist_fuzz
