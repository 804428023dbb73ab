#include <heist/cluster/best.hpp>
#include <heist/cluster/key.hpp>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

namespace heist::cluster::detail {

namespace {

struct registry_of_values {
  std::mutex lock;
  std::vector<shared_value*> all;
  std::function<void()> told, about_to_reset;

  static registry_of_values& get() {
    static auto* const one = new registry_of_values;  // static objects list themselves in any order, and outlive main()
    return *one;
  }
};

}  // namespace

shared_value::shared_value(const char* name)
    : id_(sip_hash(1, 2, std::as_bytes(std::span(std::string_view(name))))[0]) {}

void shared_value::enlist(const char* name) {
  registry_of_values& r = registry_of_values::get();
  const std::lock_guard hold(r.lock);
  if (std::any_of(r.all.begin(), r.all.end(), [&](const shared_value* v) { return v->id_ == id_; }))
    throw std::logic_error("heist: cluster: two best values are called " + std::string(name));
  r.all.push_back(this);
}

void shared_value::withdraw() {
  registry_of_values& r = registry_of_values::get();
  const std::lock_guard hold(r.lock);
  std::erase(r.all, this);
}

void shared_value::tell() {
  registry_of_values& r = registry_of_values::get();
  const std::lock_guard hold(r.lock);
  if (r.told) r.told();
}

void shared_value::settle() {
  registry_of_values& r = registry_of_values::get();
  std::function<void()> call;
  {
    const std::lock_guard hold(r.lock);
    call = r.about_to_reset;
  }
  if (call) call();
}

namespace shared_values {

std::vector<news> all() {
  registry_of_values& r = registry_of_values::get();
  std::vector<news> known;
  const std::lock_guard hold(r.lock);
  for (const shared_value* const v : r.all)
    if (auto [value, version] = v->look(); version > 0) known.push_back({v->id(), std::move(value), version});
  return known;
}

std::uint64_t hear(std::uint64_t id, const bytes& value) {
  registry_of_values& r = registry_of_values::get();
  const std::lock_guard hold(r.lock);
  for (shared_value* const v : r.all)
    if (v->id() == id) return v->hear(value);
  return 0;
}

void reset_all() {
  registry_of_values& r = registry_of_values::get();
  const std::lock_guard hold(r.lock);
  for (shared_value* const v : r.all) v->begin_anew();
}

bool any() {
  registry_of_values& r = registry_of_values::get();
  const std::lock_guard hold(r.lock);
  return !r.all.empty();
}

void when_told(std::function<void()> call) {
  registry_of_values& r = registry_of_values::get();
  const std::lock_guard hold(r.lock);
  r.told = std::move(call);
}

void when_reset(std::function<void()> call) {
  registry_of_values& r = registry_of_values::get();
  const std::lock_guard hold(r.lock);
  r.about_to_reset = std::move(call);
}

}  // namespace shared_values

}  // namespace heist::cluster::detail
