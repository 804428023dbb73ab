#pragma once
// What `heist sim proof` says of delay sequences, over one run or many.

#include <analysis/proof/watch.hpp>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <vector>

namespace heist::cli {

struct delay_runs {
  std::uint32_t processors = 1;
  std::vector<analysis::delay_report> all;  // one for each seed; the paths of all but the first may be dropped

  bool good() const;
};

void print_delays(const delay_runs& runs, const analysis::proof_subject& of);
void print_sequence(const analysis::delay_report& r);
nlohmann::json as_json(const delay_runs& runs, const analysis::proof_subject& of);
nlohmann::json sequence_as_json(const analysis::delay_report& r);

}  // namespace heist::cli
