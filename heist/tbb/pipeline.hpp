#pragma once
// parallel_pipeline and its filters, on heist's pipeline.

#include <heist/base/export.hpp>
#include <heist/tbb/context.hpp>
#include <heist/wait/pipeline_run.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

HEIST_BEGIN

namespace heist::tbb {

enum class filter_mode : unsigned char { serial_out_of_order, serial_in_order, parallel };

// The first filter calls stop() when there is nothing more; what it returns then is dropped.
class HEIST_TYPE flow_control {
 public:
  HEIST_OWN void stop() noexcept { stopped_ = true; }
  HEIST_OWN bool is_pipeline_stopped() const noexcept { return stopped_; }

 private:
  bool stopped_ = false;
};

}  // namespace heist::tbb

namespace heist::detail {

// What goes from filter to filter, whatever its type.
using pipeline_token = std::unique_ptr<void, void (*)(void*)>;
inline pipeline_token no_token() noexcept { return {nullptr, [](void*) {}}; }
template <class T, class... Args>
pipeline_token make_token(Args&&... args) {
  return {new T(std::forward<Args>(args)...), [](void* p) { delete static_cast<T*>(p); }};
}

struct HEIST_VERSIONED filter_part {
  tbb::filter_mode mode;
  std::function<pipeline_token(pipeline_token, tbb::flow_control&)> call;
};

template <class In, class Out, class F>
filter_part make_part(tbb::filter_mode mode, F f) {
  return {mode, [f = std::move(f)](pipeline_token in, tbb::flow_control& control) mutable -> pipeline_token {
            auto called = [&]() -> decltype(auto) {
              if constexpr (std::is_void_v<In>)
                return f(control);
              else
                return f(std::move(*static_cast<std::remove_cv_t<In>*>(in.get())));
            };
            if constexpr (std::is_void_v<Out>)
              return called(), no_token();
            else
              return make_token<Out>(called());
          }};
}

// Runs the filters; the first is the source. Throws what they throw.
HEIST_API void run_filters(std::size_t most, std::vector<filter_part>& parts);

}  // namespace heist::detail

namespace heist::tbb {

template <class In, class Out>
class HEIST_TYPE filter {
 public:
  HEIST_OWN_VALUE(filter);
  template <class F>
  HEIST_OWN filter(filter_mode mode, F f) {
    parts_.push_back(detail::make_part<In, Out>(mode, std::move(f)));
  }
  HEIST_OWN explicit filter(std::vector<detail::filter_part> parts) : parts_(std::move(parts)) {}

  HEIST_OWN filter& operator&=(const filter<Out, Out>& next) {
    parts_.insert(parts_.end(), next.parts().begin(), next.parts().end());
    return *this;
  }
  HEIST_OWN void clear() { parts_.clear(); }
  HEIST_OWN const std::vector<detail::filter_part>& parts() const noexcept { return parts_; }

 private:
  std::vector<detail::filter_part> parts_;
};

template <class In, class Middle, class Out>
filter<In, Out> operator&(const filter<In, Middle>& first, const filter<Middle, Out>& second) {
  std::vector<detail::filter_part> parts = first.parts();
  parts.insert(parts.end(), second.parts().begin(), second.parts().end());
  return filter<In, Out>(std::move(parts));
}

template <class In, class Out, class F>
filter<In, Out> make_filter(filter_mode mode, F f) {
  return filter<In, Out>(mode, std::move(f));
}

// At most max_number_of_live_tokens items are under way at once. The first filter is called by one strand at a time.
inline void parallel_pipeline(std::size_t max_number_of_live_tokens, const filter<void, void>& chain) {
  auto parts = chain.parts();
  detail::in_arena([&] { detail::run_filters(max_number_of_live_tokens, parts); });
}
inline void parallel_pipeline(std::size_t max_number_of_live_tokens, const filter<void, void>& chain, task_group_context& context) {
  auto parts = chain.parts();
  detail::in_context(context, [&] { detail::run_filters(max_number_of_live_tokens, parts); });
}
template <class First, class... More>
  requires(sizeof...(More) > 0 && !(std::is_same_v<std::remove_cvref_t<More>, task_group_context> || ...))
void parallel_pipeline(std::size_t max_number_of_live_tokens, const First& first, const More&... more) {
  tbb::parallel_pipeline(max_number_of_live_tokens, (first & ... & more));
}

}  // namespace heist::tbb

HEIST_END
