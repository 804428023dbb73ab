#pragma once
// A pipeline under way, whatever its items are. Protocol: README.md, "The pipeline".

#include <heist/base/export.hpp>
#include <heist/base/sole.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>

HEIST_BEGIN

namespace heist {
class HEIST_TYPE scope;
}

namespace heist::detail {

enum class stage_kind : unsigned char { serial, ordered, parallel };

struct pipeline_item {
  std::uint64_t number = 0;        // in the source's order
  pipeline_item* next = nullptr;   // in a stage's queue, or among those that are free
  pipeline_item* older = nullptr;  // among all that were made
};

// Lets one item at a time into a stage.
class stage_gate {
 public:
  void make(stage_kind of, std::size_t limit);

  // Any strand. True: the stage is the caller's. False: the item waits, and belongs to whoever leaves the stage.
  bool enter(pipeline_item& i) noexcept;
  // The strand that has the stage, for the item that leaves it. The next item, which has the stage now; null: nobody has it.
  pipeline_item* leave(const pipeline_item& i) noexcept;

 private:
  pipeline_item* leave_serial() noexcept;

  // A serial stage: null if nobody has it, `taken` if somebody has, or the last item that came meanwhile, linked to the
  // one before it.
  std::atomic<pipeline_item*> state_{nullptr};
  pipeline_item* waiting_ = nullptr;  // the holder's: items that came earlier, the first one first
  // An ordered stage: the item with number n has the slot n % size_. Null; or the item, which waits; or `taken`, if the
  // stage is free and the item's turn has come.
  sole<std::atomic<pipeline_item*>[]> slots_;
  std::size_t size_ = 0;
  static pipeline_item taken_;
  static constexpr pipeline_item* taken = &taken_;
};

class pipeline_run {
 public:
  HEIST_API pipeline_run(std::size_t limit, const stage_kind* kinds, unsigned stages);
  pipeline_run(const pipeline_run&) = delete;
  pipeline_run& operator=(const pipeline_run&) = delete;

  // Returns when all items are through; throws what the source and the stages throw.
  HEIST_API void run(const std::stop_token& token);

  [[noreturn]] HEIST_API HEIST_COLD static void refuse_limit();

 protected:
  HEIST_API ~pipeline_run();
  template <class F>
  void for_all(F&& f) {
    for (pipeline_item* i = all_; i != nullptr;) {
      pipeline_item& one = *i;
      i = i->older;
      f(one);
    }
  }

 private:
  virtual pipeline_item* make() = 0;
  // Fills the item from the source. False: that was the end.
  virtual bool fetch(pipeline_item& to) = 0;
  virtual void call(unsigned stage, pipeline_item& with) = 0;

  void run_in_pool(const std::stop_token& token);
  void feed(scope& s) noexcept;
  bool fetch_next(pipeline_item& to) noexcept;
  void advance(scope& s, pipeline_item& which, unsigned stage) noexcept;
  bool perform(unsigned stage, pipeline_item& with) noexcept;
  pipeline_item* take_free() noexcept;
  bool give_back(pipeline_item& i) noexcept;
  bool wanted(std::uint64_t number) noexcept;
  void fail(std::uint64_t number) noexcept;

  const std::size_t limit_;
  const stage_kind* const kinds_;
  const unsigned stages_;
  sole<stage_gate[]> gates_;
  const std::stop_token* token_ = nullptr;

  // The strand that has the source.
  std::uint64_t fetched_ = 0;
  pipeline_item* all_ = nullptr;

  std::mutex lock_;  // for the members below
  pipeline_item* free_ = nullptr;
  std::size_t made_ = 0;
  bool source_taken_ = true;  // some strand has the source, perhaps for good
  std::uint64_t failed_ = 0;  // number of the item whose exception this is
  bool cancelled_ = false;    // it is a heist::cancelled
  std::exception_ptr failure_;

  std::atomic<std::uint64_t> first_failed_;  // items from this number on are not wanted
  std::atomic<bool> cut_short_{false};       // by a stop
};

}  // namespace heist::detail

HEIST_END
