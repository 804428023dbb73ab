#pragma once
// What `heist sim predict` is asked for and finds out, and its plots.

#include <analysis/replay/recorded.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heist::cli {

struct predict_settings {
  std::string file, machine;
  std::vector<std::string> workers, stealing = {"ask"};
  std::uint64_t seeds = 20, seed = 1;
  double step = 100;
  std::optional<double> fork, spawn, steal, claim, fence, interrupt, answer, resume, wake, t1;
  std::string victims = "uniform";
  std::string plot, interrupts_plot;
  bool json = false, queue = false;

  bool is_shape() const;
  bool only_flat() const;
};

// One way to steal, on so many workers; the mean of all seeds.
struct prediction {
  std::string stealing;
  std::uint32_t workers;
  double time = 0, low = 0, high = 0;  // low, high: 19 of 20 runs are to be between them
  double busy = 0, steals = 0, suspends = 0;
  double requests = 0, answers = 0, fences = 0, interrupts = 0;
};

void draw_speed_up(const analysis::recorded_run& run, const std::vector<prediction>& all, double serial,
                   const predict_settings& with, const std::string& path);
// Interrupts, requests, and the square of P for comparison, from the first point on.
void draw_interrupts(const std::vector<prediction>& all, const predict_settings& with, const std::string& path);

}  // namespace heist::cli
