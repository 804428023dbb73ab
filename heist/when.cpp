#include <heist/when.hpp>

#include <stdexcept>

namespace heist::detail {

namespace {

// What when_any gives. Each source that it listens to has a share of it.
class any_state : public outcome<std::size_t> {
 public:
  explicit any_state(const std::vector<future_state*>& sources)
      : outcome<std::size_t>([](future_state& s) noexcept { delete static_cast<any_state*>(&s); }, 1),
        parts_(std::make_unique<part[]>(sources.size())),
        size_(sources.size()) {
    for (std::size_t i = 0; i < size_; ++i) {
      sources[i]->hold();
      parts_[i].of = this;
      parts_[i].source = owned<future_state>(sources[i]);
    }
  }

  // None was ready when they were looked at.
  void begin() noexcept {
    agenda later;
    for (std::size_t i = 0; i < size_; ++i) {
      hold();
      if (!parts_[i].source->listen(parts_[i])) {
        come(i, later);
        drop();
      }
      // The first may have come before this one listened, and not have found it.
      if (!claimed()) continue;
      stop_listening();
      break;
    }
    later.work();
  }

 private:
  struct part : listener {
    part() noexcept : listener(&any_state::told) {}
    any_state* of = nullptr;
    owned<future_state> source;
  };

  static void told(listener& l, agenda& later) noexcept {
    auto& p = static_cast<part&>(l);
    any_state& me = *p.of;
    me.come(static_cast<std::size_t>(&p - me.parts_.get()), later);
    me.drop();
  }

  void come(std::size_t index, agenda& later) noexcept {
    if (!claim()) return;
    emplace(index);
    finish(later);
    stop_listening();
  }

  void stop_listening() noexcept {
    for (std::size_t i = 0; i < size_; ++i)
      if (parts_[i].source->forget(parts_[i])) drop();  // never the last share: the caller has one
  }

  std::unique_ptr<part[]> parts_;
  const std::size_t size_;
};

}  // namespace

outcome<std::size_t>* first_of(const std::vector<future_state*>& states) {
  if (states.empty()) throw std::invalid_argument("heist: when_any was called without a future; it would never be ready");
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i] != nullptr && !states[i]->ready()) continue;
    auto* const now = new outcome<std::size_t>;
    now->emplace(i);
    now->finish();
    return now;
  }
  auto* const any = new any_state(states);
  any->begin();
  return any;
}

}  // namespace heist::detail
