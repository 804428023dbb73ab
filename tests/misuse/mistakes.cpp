// Mistakes that a new user makes with loops and algorithms: each is answered by one sentence.
#include <heist/heist.hpp>

#include <functional>
#include <iterator>
#include <list>
#include <memory>
#include <mutex>
#include <ranges>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

struct person {
  std::string name;
  int age = 0;
};
struct fixed {  // stays where it is
  explicit fixed(int i = 0) : value(i) {}
  fixed(const fixed&) = delete;
  int value;
};
struct no_default {
  explicit no_default(int i) : value(i) {}
  friend no_default operator+(no_default a, no_default b) { return no_default(a.value + b.value); }
  int value;
};
struct endless {  // clang 14 cannot read libstdc++'s views, std::views::iota among them
  int* begin() const { return nullptr; }
  std::unreachable_sentinel_t end() const { return {}; }
};

int main() {
  std::vector<int> v(10), w(10);
  const std::vector<int> kept(10);
  std::vector<bool> packed(10);
  std::vector<person> people(3);
  std::vector<std::string> words(3);
  std::vector<std::unique_ptr<int>> owners(3);
  std::vector<fixed> stuck(3);
  std::vector<no_default> plain;
  std::list<int> list;
  std::ostringstream stream;
  auto of_text = [](const std::string&) { return true; };
  auto of_two = [](int, int) { return true; };
  auto odd = [](int i) { return i % 2 != 0; };
  auto owner = [p = std::make_unique<int>(1)] { return *p; };
  auto twice = [](int i) { return 2 * i; };

  // A body, predicate, comparison or projection of something else.
  heist::for_each(v, of_text);                                // refused: heist: the function cannot be called with these elements
  heist::for_each(v, [] {});                                  // refused: heist: the function cannot be called with these elements
  heist::for_each(v.begin(), v.end(), of_two);                // refused: heist: the function cannot be called with these elements
  heist::for_each(kept, [](int& i) { ++i; });                 // refused: heist: the function cannot be called with these elements
  heist::for_each_n(v.begin(), 3, of_text);                   // refused: heist: the function cannot be called with these elements
  heist::for_each(v, 17);                                     // refused: heist: the function cannot be called with these elements
  heist::for_each(people, twice, &person::name);              // refused: heist: the function cannot be called with these elements, or their projections
  heist::for_each(v, twice, &person::age);                    // refused: heist: the projection cannot be called with these elements
  heist::for_each_index(0, 10, of_text);                      // refused: heist::for_each_index: the function cannot be called with an index
  heist::for_each_index(0, 10, [] {});                        // refused: heist::for_each_index: the function cannot be called with an index
  heist::for_each_index(0, 2.5, twice);                       // refused: heist::for_each_index: both ends must be integers
  heist::for_each_index(v.begin(), v.end(), odd);             // refused: heist::for_each_index: both ends must be integers
  heist::transform(v, w.begin(), of_text);                    // refused: heist: the function cannot be called with these elements
  heist::transform(v, w, w.begin(), odd);                     // refused: heist: the function cannot be called with these elements
  heist::generate(v, of_text);                                // refused: heist::generate: the function must take the index of an element, or no argument
  std::ignore = heist::find_if(v, of_text);                           // refused: heist: the predicate cannot be called with these elements
  std::ignore = heist::any_of(v, of_two);                             // refused: heist: the predicate cannot be called with these elements
  std::ignore = heist::all_of(v, of_text);                            // refused: heist: the predicate cannot be called with these elements
  std::ignore = heist::none_of(v, [](int) {});                        // refused: heist: the predicate cannot be called with these elements
  std::ignore = heist::count_if(people, odd);                         // refused: heist: the predicate cannot be called with these elements
  std::ignore = heist::find(people, 17);                              // refused: heist: these elements cannot be compared with the value by ==
  std::ignore = heist::count(people, "Ada");                          // refused: heist: these elements cannot be compared with the value by ==
  std::ignore = heist::equal(people, people);                         // refused: heist: these elements cannot be compared by ==, or by the predicate
  std::ignore = heist::mismatch(v, words);                            // refused: heist: these elements cannot be compared by ==, or by the predicate
  std::ignore = heist::min_element(people);                           // refused: heist: the comparison cannot be called with these elements
  std::ignore = heist::minmax_element(people, {}, &std::string::size);// refused: heist: the projection cannot be called with these elements
  std::ignore = heist::is_sorted(people);                             // refused: heist: the comparison cannot be called with these elements
  heist::sort(people);                                        // refused: heist: the comparison cannot be called with these elements
  heist::sort(v, odd);                                        // refused: heist: the comparison cannot be called with these elements
  heist::stable_sort(people, std::less<>(), &std::string::size);  // refused: heist: the projection cannot be called with these elements
  heist::nth_element(people, people.begin());                 // refused: heist: the comparison cannot be called with these elements
  heist::merge(people, people, people.begin());               // refused: heist::merge: the comparison cannot be called with these elements
  heist::copy_if(v, w.begin(), of_text);                      // refused: heist: the predicate cannot be called with these elements
  std::ignore = heist::remove_if(v, of_two);                          // refused: heist: the predicate cannot be called with these elements
  std::ignore = heist::unique(people);                                // refused: heist: these elements cannot be compared by ==, or by the predicate
  heist::partition(v, of_text);                               // refused: heist: the predicate cannot be called with these elements
  heist::stable_partition(v, of_text);                        // refused: heist: the predicate cannot be called with these elements
  std::ignore = heist::histogram(words, 3);                           // refused: heist::histogram: a bin number must be an integer
  std::ignore = heist::histogram(v, 3, of_text);                      // refused: heist: the function cannot be called with these elements

  // Folds and scans.
  std::ignore = heist::reduce(people);                                // refused: heist: a fold without an operation adds, and these values have no operator+
  std::ignore = heist::reduce(people.begin(), people.end());          // refused: heist: a fold without an operation adds, and these values have no operator+
  std::ignore = heist::reduce(people, person());                      // refused: heist: a fold without an operation adds, and these values have no operator+
  std::ignore = heist::reduce(plain);                                 // refused: heist::reduce without an initial value starts from T()
  std::ignore = heist::reduce(v, fixed(1), [](fixed&, int) { return fixed(1); });  // refused: heist: the result of a fold must be movable
  std::ignore = heist::reduce(v, 0, of_text);                         // refused: heist: a parallel fold combines partial results
  std::ignore = heist::reduce(v, std::string(), [](std::string s, int) { return s; });  // refused: heist: a fold starts from an element
  std::ignore = heist::transform_reduce(v, 0, std::plus<>(), of_text);  // refused: heist: the function cannot be called with these elements
  std::ignore = heist::transform_reduce(people, 0, std::plus<>(), &person::name);  // refused: heist: a fold starts from an element
  std::ignore = heist::reduce(v, [](int a, int b) { return a + b; });           // refused: heist: this operation has no identity() to start the fold from
  std::ignore = heist::reduce(v.begin(), v.end(), std::multiplies<>());         // refused: heist: this operation has no identity() to start the fold from
  std::ignore = heist::transform_reduce(v, std::plus<>(), std::identity());     // refused: heist: this operation has no identity() to start the fold from
  heist::exclusive_scan(v, v.begin(), std::plus<>());                           // refused: heist: this operation has no identity() to start the fold from
  heist::inclusive_scan(people, people.begin());              // refused: heist: a fold without an operation adds, and these values have no operator+
  heist::inclusive_scan(owners, owners.begin(), [](auto&&...) { return std::make_unique<int>(); });  // refused: heist: the values of a scan must be copyable
  heist::exclusive_scan(v, people.begin(), 0);                // refused: heist: the values to be written do not convert to the type of the elements
  heist::transform_inclusive_scan(v, w.begin(), std::plus<>(), of_text);  // refused: heist: the function cannot be called with these elements

  // What is written, and where.
  heist::sort(kept);                                          // refused: heist: the elements are const and cannot be changed
  heist::fill(kept, 1);                                       // refused: heist: the elements are const and cannot be changed
  heist::reverse(kept);                                       // refused: heist: the elements are const and cannot be changed
  heist::copy(v, kept.begin());                               // refused: heist: the elements are const and cannot be changed
  heist::transform(v, kept.begin(), twice);                   // refused: heist: the elements are const and cannot be changed
  heist::sort(stuck, {}, &fixed::value);                      // refused: heist: the elements cannot be moved
  heist::fill(packed, true);                                  // refused: heist: neighbours in a std::vector<bool> share a byte
  heist::sort(packed);                                        // refused: heist: neighbours in a std::vector<bool> share a byte
  heist::for_each(packed, [](auto&&) {});                     // refused: heist: neighbours in a std::vector<bool> share a byte
  heist::transform(v, packed.begin(), odd);                   // refused: heist: neighbours in a std::vector<bool> share a byte
  heist::transform(v, v, std::back_inserter(w), std::plus<>());   // refused: heist: the output must be a random-access iterator
  heist::adjacent_difference(v, std::back_inserter(w));       // refused: heist: the output must be a random-access iterator
  heist::unique_copy(v, std::back_inserter(w));               // refused: heist: the output must be a random-access iterator
  heist::replace_copy(v, std::back_inserter(w), 1, 2);        // refused: heist: the output must be a random-access iterator
  heist::inclusive_scan(v, std::back_inserter(w));            // refused: heist: the output must be a random-access iterator
  heist::reverse_copy(v, std::ostream_iterator<int>(stream)); // refused: heist: the output must be a random-access iterator
  heist::fill(v, "text");                                     // refused: heist: the values to be written do not convert to the type of the elements
  heist::transform(v, words.begin(), [&](int) { return &people; });  // refused: heist: the values to be written do not convert to the type of the elements
  heist::generate(people, [](std::size_t) { return 1; });     // refused: heist: the values to be written do not convert to the type of the elements
  heist::copy(owners, owners.begin());                        // refused: heist: the elements cannot be copied to the output

  // Ranges without a middle or an end.
  heist::reverse(list);                                       // refused: heist: the algorithms need random access
  heist::sort(list);                                          // refused: heist: the algorithms need random access
  std::ignore = heist::rotate(list, list.begin());                    // refused: heist: the algorithms need random access
  heist::nth_element(list, list.begin());                     // refused: heist: the algorithms need random access
  heist::for_each(endless(), [](int) {});                     // refused: heist: the size of the range is not known in advance

  // Functions that change themselves.
  heist::for_each(v, [sum = 0](int i) mutable { sum += i; });                  // refused: heist: the function changes its captures
  heist::for_each_index(0, 10, [sum = 0](int i) mutable { sum += i; });        // refused: heist: the function changes its captures
  heist::transform(v, w.begin(), [k = 0](int i) mutable { return i + k++; });  // refused: heist: the function changes its captures
  heist::generate(v, [k = 0]() mutable { return k++; });                       // refused: heist: the function changes its captures
  std::ignore = heist::count_if(v, [k = 0](int i) mutable { return i > k++; });        // refused: heist: the function changes its captures
  heist::sort(v, [k = 0](int a, int b) mutable { return ++k, a < b; });        // refused: heist: the function changes its captures
  std::ignore = heist::reduce(v, 0, [k = 0](int a, int b) mutable { return ++k, a + b; });  // refused: heist: the function changes its captures

  // A container where its begin() is meant.
  heist::copy(v, w);                                          // refused: heist: the output must be a random-access iterator
  heist::transform(v, w, twice);                              // refused: heist: the output must be a random-access iterator
  heist::transform(v, v, w, std::plus<>());                   // refused: heist: the output must be a random-access iterator
  heist::copy_if(v, w, odd);                                  // refused: heist: the output must be a random-access iterator
  heist::merge(v, v, w);                                      // refused: heist: the output must be a random-access iterator
  heist::inclusive_scan(v, w);                                // refused: heist: the output must be a random-access iterator
  heist::exclusive_scan(v, w, 0);                             // refused: heist: the output must be a random-access iterator

  // Options twice.
  heist::for_each(v, odd, heist::grain{1}, heist::grain{2});  // refused: heist: a grain is passed twice
  heist::sort(v, heist::grain{1}, heist::grain{2});           // refused: heist: a grain is passed twice
  std::ignore = heist::reduce(v, std::stop_token(), std::stop_token());  // refused: heist: a std::stop_token is passed twice

  // Results that cannot be brought to the caller.
  std::ignore = heist::join([] { return fixed(1); }, [] {});          // refused: heist::join: the result of a branch must be movable
  std::ignore = heist::join([] {}, [] {}, [] { return std::mutex(); });  // refused: heist::join: the result of a branch must be movable
  std::ignore = heist::pool().run([] { return fixed(1); });           // refused: heist::pool::run: the result of the function must be movable
  heist::join([] {}, twice);                                  // refused: heist::join takes functions that can be called without arguments
  heist::pool().run(twice);                                   // refused: heist::pool::run takes a function that can be called without arguments
  heist::scope().spawn(twice);                                // refused: heist::scope: a child must be callable without arguments
  heist::scope().spawn(17);                                   // refused: heist::scope: a child must be callable without arguments
  heist::scope().spawn_later(of_two);                         // refused: heist::scope: a child must be callable without arguments
  heist::with_scope(twice);                                   // refused: heist::with_scope takes a function that can be called with a heist::scope&
  heist::with_scope([] {});                                   // refused: heist::with_scope takes a function that can be called with a heist::scope&
  heist::with_scope([&](heist::scope&) -> int& { return v[0]; });    // refused: heist::with_scope: the function returns a reference
  heist::with_scope([&](heist::scope&) { return fixed(); });  // refused: heist::with_scope: the result of the function must be movable
  heist::scope().spawn(owner);                                // refused: heist::scope: a child keeps a copy of its function, and this one cannot be copied
  std::ignore = heist::measure(17);                           // refused: heist::measure takes a function that can be called without arguments

  // Reducers.
  heist::reducer<person> all;                                 // refused: heist::reducer: a const operation must be callable as T op(T, T)
  heist::reducer<std::string, heist::op::max<std::string>> longest;  // refused: heist::reducer: the operation has no identity() of type T
  heist::reducer<int, int> number;                            // refused: heist::reducer: a const operation must be callable as T op(T, T)
  heist::reducer counted(0, [k = 0](int a, int b) mutable { return ++k, a + b; });  // refused: heist::reducer: a const operation must be callable as T op(T, T)
  heist::reducer held(std::unique_ptr<int>(), [](auto a, auto) { return a; });      // refused: heist::reducer: views start from copies of the identity
}
