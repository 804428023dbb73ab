// What cannot travel to another machine.
#include <heist/cluster.hpp>

#include <cereal/types/map.hpp>
#include <cereal/types/memory.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/variant.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

namespace hc = heist::cluster;

int by_pointer(int* p) { return *p; }
int by_reference(const std::string& s) { return static_cast<int>(s.size()); }
int by_view(std::string_view s) { return static_cast<int>(s.size()); }
int by_span(std::span<const int> s) { return static_cast<int>(s.size()); }
int inside(std::vector<std::tuple<int, const char*>> v) { return static_cast<int>(v.size()); }
int in_map(std::map<int, int*> m) { return static_cast<int>(m.size()); }
int in_map_of_lists(std::map<std::string, std::vector<std::string_view>> m) { return static_cast<int>(m.size()); }
int in_variant(std::variant<int, std::string_view> v) { return static_cast<int>(v.index()); }
int in_box(std::unique_ptr<int*> p) { return **p; }
int well_boxed(std::map<std::string, std::shared_ptr<std::variant<int, double>>> m) { return static_cast<int>(m.size()); }
double* gives_pointer(int) { return nullptr; }
int never_throws(int n) noexcept { return n; }
struct closed {
  explicit closed(int);
  int value;
};
int stranger(closed c) { return c.value; }
int fine(int n) { return n; }
void nothing(int) {}
struct padded {
  char a;
  double b;
};
template <>
inline constexpr bool hc::plain_bytes<padded> = true;
int by_bytes(padded p) { return p.a; }

int main() {
  hc::task<&by_pointer>(nullptr);                       // refused: heist::cluster: a task takes and returns values; a pointer means nothing on another machine
  hc::task<&by_reference>(std::string());               // refused: heist::cluster: a task takes and returns values; a reference means nothing on another machine
  hc::task<&by_view>("text");                           // refused: heist::cluster: a task takes and returns values; a view (string_view, span) means nothing on another machine
  hc::task<&by_span>(std::span<const int>());           // refused: heist::cluster: a task takes and returns values; a view (string_view, span) means nothing on another machine
  hc::task<&inside>(std::vector<std::tuple<int, const char*>>());  // refused: heist::cluster: a task takes and returns values; a pointer means nothing on another machine
  hc::task<&in_map>(std::map<int, int*>());             // refused: heist::cluster: a task takes and returns values; a pointer means nothing on another machine
  hc::task<&in_map_of_lists>(std::map<std::string, std::vector<std::string_view>>());  // refused: heist::cluster: a task takes and returns values; a view (string_view, span) means nothing on another machine
  hc::task<&in_variant>(1);                             // refused: heist::cluster: a task takes and returns values; a view (string_view, span) means nothing on another machine
  hc::task<&in_box>(nullptr);                           // refused: heist::cluster: a task takes and returns values; a pointer means nothing on another machine
  hc::task<&well_boxed>(std::map<std::string, std::shared_ptr<std::variant<int, double>>>());
  hc::task<&gives_pointer>(1);                          // refused: heist::cluster: a task takes and returns values; a pointer means nothing on another machine
  hc::task<&never_throws>(1);                           // refused: heist::cluster: a task must not be noexcept
  hc::task<&stranger>(closed(1));                       // refused: heist::cluster: heist does not know how to send this type
  hc::task<&by_bytes>(padded())();                      // refused: heist::cluster: a type with plain_bytes has no padding
  hc::sum(std::vector<hc::call<&nothing>>());           // refused: heist::cluster: calls of a function that returns nothing have no sum
  hc::task<&fine>("one");                               // refused: heist::cluster::task<&f>(arguments): f cannot be called with these arguments
  hc::task<&fine>(1, 2);                                // refused: heist::cluster::task<&f>(arguments): f cannot be called with these arguments
}
