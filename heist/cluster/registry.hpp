#pragma once
// Tasks by name. The names are the same in every process of one build, wherever the program lies in memory.

#include <heist/base/export.hpp>
#include <heist/cluster/pack.hpp>

#include <cstdint>
#include <string>
#include <string_view>

HEIST_BEGIN

namespace heist::cluster::detail {

// What a process can carry out for another one. Objects of this class are static, and list themselves before main().
class entry {
 public:
  using runner = void (*)(reader& arguments, writer& result);

  // `function`: the user's, that it calls.
  HEIST_API entry(const char* name, const char* function, runner call) noexcept;
  entry(const entry&) = delete;
  entry& operator=(const entry&) = delete;

  std::uint64_t id() const noexcept { return id_; }
  std::string_view name() const noexcept { return name_; }
  std::string_view function() const noexcept { return function_; }
  std::string plain_name() const;  // for messages
  void run(reader& arguments, writer& result) const { run_(arguments, result); }

 private:
  friend const entry* find_entry(std::uint64_t) noexcept;
  friend void check_registry();

  const std::string_view name_, function_;
  const std::uint64_t id_;
  const runner run_;
  entry* const next_;
};

// Null if there is none.
const entry* find_entry(std::uint64_t id) noexcept;

// A function as HEIST_CLUSTER_TASK names it, and as hc::task<&f> uses it. Static, as above.
enum class mention : unsigned char { used, registered, registered_no_notes };
class mentioned {
 public:
  HEIST_API mentioned(const char* function, mention how) noexcept;
  mentioned(const mentioned&) = delete;
  mentioned& operator=(const mentioned&) = delete;

 private:
  friend void check_registry();
  friend bool leaves_notes(const entry&) noexcept;

  const std::string_view function_;
  const mention how_;
  mentioned* const next_;
};

// Throws std::logic_error if a function is used and not registered, or two have one name.
void check_registry();
// Whether results of a task may be adopted.
bool leaves_notes(const entry& what) noexcept;

// With their types: clang leaves the arguments out when it prints &name<arguments>.
template <auto f, class type = decltype(f)>
constexpr const char* name_of_function() noexcept {
  return __PRETTY_FUNCTION__;
}
template <class Call, class type = decltype(Call::function)>
constexpr const char* name_of_call() noexcept {
  return __PRETTY_FUNCTION__;
}

// HEIST_OWN: g++ hides the variable, but not its guard, with the namespace alone.
template <auto f>
HEIST_OWN inline const mentioned use_of{name_of_function<f>(), mention::used};

// Types of the user's may throw what they like when they are packed or unpacked. That is no failure of the task: at
// home it would not happen. `what` cannot be sent.
struct cannot_travel {
  const char* what;
};
template <class F>
auto as_bytes(const char* what, F read_or_write) {
  try {
    return read_or_write();
  } catch (const too_large&) {
    throw;
  } catch (...) {
    throw cannot_travel{what};
  }
}

// What a borrowed task begins with: call.hpp.
template <class Call>
typename Call::result call_borrowed(const Call& c);

// A Call has read(reader&), which makes one of its arguments, here(), `result`, and the user's `function`.
template <class Call>
void carry_out(reader& arguments, writer& result) {
  const Call what = as_bytes("arguments", [&] {
    Call read = Call::read(arguments);
    arguments.must_be_at_end();
    return read;
  });
  if constexpr (std::is_void_v<typename Call::result>) {
    detail::call_borrowed(what);
  } else {
    auto value = detail::call_borrowed(what);
    as_bytes("result", [&] { put<typename Call::result>(result, value); });
  }
}

template <class Call>
HEIST_OWN inline const entry entry_of{name_of_call<Call>(), name_of_function<Call::function>(), &carry_out<Call>};

}  // namespace heist::cluster::detail

#define HEIST_CLUSTER_JOIN_(a, b) a##b
#define HEIST_CLUSTER_NAME_(a, b) HEIST_CLUSTER_JOIN_(a, b)
#define HEIST_CLUSTER_MENTION_(how, ...)                                                           \
  static_assert(::heist::cluster::detail::can_be_task<&__VA_ARGS__>());                            \
  [[maybe_unused]] static const ::heist::cluster::detail::mentioned HEIST_CLUSTER_NAME_(           \
      heist_cluster_task_, __COUNTER__)(::heist::cluster::detail::name_of_function<&__VA_ARGS__>(), \
                                        ::heist::cluster::detail::mention::how);

// HEIST_CLUSTER_TASK(f), at namespace scope, once for each function: it may travel. A template's arguments may have commas.
#define HEIST_CLUSTER_TASK(...) HEIST_CLUSTER_MENTION_(registered, __VA_ARGS__)
// The same for one that is no pure function of its arguments: after a crash it is run again, and no former result is used.
#define HEIST_CLUSTER_TASK_NO_NOTES(...) HEIST_CLUSTER_MENTION_(registered_no_notes, __VA_ARGS__)

HEIST_END
