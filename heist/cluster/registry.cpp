#include <heist/cluster/registry.hpp>

#include <map>
#include <stdexcept>
#include <string>

namespace heist::cluster::detail {

namespace {
// Both lists are made before main(), by one thread, or when a library is loaded.
constinit entry* entries = nullptr;
constinit mentioned* mentions = nullptr;

std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

// "… [with auto f = queens; type = long (*)(board)]": what a reader knows.
std::string plain_name(std::string_view pretty) {
  const auto at = pretty.find(" = ");
  if (at == pretty.npos) return std::string(pretty);
  std::string_view name = pretty.substr(at + 3);
  if (const auto type = name.rfind("type = "); type != name.npos && type >= 2) name = name.substr(0, type - 2);
  name.remove_suffix(name.ends_with(']') ? 1 : 0);
  if (name.starts_with('&')) name.remove_prefix(1);
  return std::string(name);
}
}  // namespace

entry::entry(const char* name, const char* function, runner call) noexcept
    : name_(name), function_(function), id_(hash_of(name)), run_(call), next_(std::exchange(entries, this)) {}

mentioned::mentioned(const char* function, mention how) noexcept
    : function_(function), how_(how), next_(std::exchange(mentions, this)) {}

std::string entry::plain_name() const { return detail::plain_name(function_); }

const entry* find_entry(std::uint64_t id) noexcept {
  const entry* e = entries;
  while (e != nullptr && e->id_ != id) e = e->next_;
  return e;
}

void check_registry() {
  std::map<std::string_view, int> registered;
  for (const mentioned* m = mentions; m != nullptr; m = m->next_)
    if (m->how_ != mention::used && ++registered[m->function_] > 1)
      throw std::logic_error("heist: cluster: HEIST_CLUSTER_TASK(" + plain_name(m->function_) +
                             ") appears twice; tasks have different names, and each is registered once");
  for (const mentioned* m = mentions; m != nullptr; m = m->next_)
    if (m->how_ == mention::used && !registered.contains(m->function_))
      throw std::logic_error("heist: cluster: the task " + plain_name(m->function_) +
                             " is not registered; write HEIST_CLUSTER_TASK(" + plain_name(m->function_) + ") after the function");
  std::map<std::uint64_t, std::string_view> ids;
  for (const entry* e = entries; e != nullptr; e = e->next_)
    if (!ids.emplace(e->id_, e->name_).second)
      throw std::logic_error("heist: cluster: two tasks have the same name: " + std::string(e->name_));
}

bool leaves_notes(const entry& what) noexcept {
  for (const mentioned* m = mentions; m != nullptr; m = m->next_)
    if (m->how_ == mention::registered_no_notes && m->function_ == what.function()) return false;
  return true;
}

}  // namespace heist::cluster::detail
