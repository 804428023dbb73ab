#pragma once
// A computation in which each instruction may touch a word of memory, and the tracer that writes one down.

#include <analysis/dag/stored.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heist::analysis {

class traced_program final : public computation {
 public:
  struct trace {
    dag structure;
    std::vector<std::uint32_t> words;        // touched, in serial order
    std::vector<std::uint32_t> first;        // by instruction: its first word; it touches as many as it lasts, or none
    std::vector<bool> touches;               // by instruction: whether it does
    std::vector<std::uint64_t> part_of;      // by thread; `parts`: none
    std::uint64_t parts = 0;
    std::uint32_t memory = 0;                // words are below this
    std::uint64_t sample = 1;                // of the blocks of 8 words one in so many is in the trace
  };
  explicit traced_program(trace t);

  seed root() const override { return code_.root(); }
  std::uint32_t root_frame() const override { return code_.root_frame(); }
  stretch next(seed& s) const override { return code_.next(s); }
  const dag* stored() const override { return code_.stored(); }
  std::uint64_t parts() const override { return trace_.parts; }
  std::uint64_t part(const seed& s) const override;

  static constexpr std::uint32_t nothing = ~std::uint32_t{0};
  // The word that unit `unit` of an instruction touches, or nothing.
  std::uint32_t word(id instruction, std::uint64_t unit) const {
    return trace_.touches[instruction] ? trace_.words[trace_.first[instruction] + unit] : nothing;
  }
  std::uint32_t memory() const { return trace_.memory; }
  std::uint64_t sample() const { return trace_.sample; }
  std::size_t touches() const { return trace_.words.size(); }

 private:
  trace trace_;
  stored_computation code_;
};

// Records a program that is run once, serially. Every touch is an instruction.
class tracer {
 public:
  tracer();
  void touch(std::uint64_t word);
  template <class F>
  void spawn(F f) {
    begin_child(no_part);
    f();
    end_child();
  }
  // A leaf that works on a part of the data, the same part in every repetition.
  template <class F>
  void spawn_part(std::uint64_t part, F f) {
    begin_child(part);
    f();
    end_child();
  }
  void sync();
  // For programs that come in pieces: a child, and a wait for some of the children that it has not waited for.
  id begin_child() { return begin_child(no_part), stack_.back(); }
  void end_child();
  void await(const std::vector<id>& children);
  template <class F, class G>
  void fork(F f, G g) {
    spawn(f);
    g();
    sync();
  }
  // Leaves of at most `grain` iterations, each a child.
  void loop(std::uint64_t first, std::uint64_t last, std::uint64_t grain,
            const std::function<void(std::uint64_t, std::uint64_t)>& body);

  std::unique_ptr<traced_program> finish(std::uint64_t sample = 1);

 private:
  static constexpr std::uint64_t no_part = ~std::uint64_t{0};
  struct instruction {
    std::uint32_t duration = 1, first = 0;
    bool touches = false;
    id spawns = none;
    std::vector<id> awaits;  // threads whose ends it waits for
  };
  struct thread {
    std::vector<instruction> code;
    std::uint64_t part = no_part;
    std::vector<id> open;  // children that are not awaited yet
  };
  void begin_child(std::uint64_t part);
  thread& now() { return threads_[stack_.back()]; }

  std::vector<thread> threads_;
  std::vector<id> stack_;  // the thread that is recorded, below its ancestors
  std::vector<std::uint32_t> words_;
  std::uint64_t parts_ = 0;
};

// "matrix:64", "sort:4096", "scan:16384", "heat:64", "graph:2000". Throws bad_input.
std::unique_ptr<traced_program> make_traced(const std::string& spec);
std::vector<std::string> traced_examples();

}  // namespace heist::analysis
