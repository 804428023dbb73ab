// heist cluster trace: one trace of many machines' traces.

#include <cli/cluster_trace.hpp>
#include <cli/command.hpp>
#include <cli/program.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/proof/statistics.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace heist::cli {
namespace {

using analysis::bad_input;
using nlohmann::json;

json read_json(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw bad_input(fmt::format("{} cannot be read", path));
  json j = json::parse(in, nullptr, false);
  if (j.is_discarded()) throw bad_input(fmt::format("{} is truncated or damaged", path));
  return j;
}

// One process of the job.
struct machine {
  json trace, crossed;
  std::string node, name;
  double zero = 0;             // of its trace, in ns of its own clock
  std::optional<double> ahead; // how far its clock is ahead of the first machine's; none: not known
  unsigned numbers = 0;        // added to its lanes' and pools' numbers
  std::map<unsigned, std::pair<unsigned, unsigned>> places;  // pid and tid of the lanes of its first pool

  // On the first machine's clock, in ns.
  double at(double own) const { return own - ahead.value_or(0); }
};

machine read_process(const std::string& path) {
  machine m;
  m.trace = read_json(path);
  m.crossed = read_json(path + ".cluster");
  if (m.crossed.at("heist_cluster") != 1) throw bad_input("its format is not 1: it was written by another version of heist");
  m.node = m.crossed.at("node");
  m.name = fmt::format("{}:{} ({})", m.crossed.at("host").get<std::string>(), m.crossed.at("process").get<int>(),
                       m.crossed.at("role").get<std::string>());
  m.zero = m.trace.at("otherData").at("zero_ns");
  return m;
}

// Each machine knows by how much the clocks of those that it has pinged are ahead of its own. From the first one on.
void align(std::vector<machine>& all) {
  std::deque<machine*> known{&all.front()};
  all.front().ahead = 0;
  auto reach = [&](machine& other, double ahead) {
    if (other.ahead) return;
    other.ahead = ahead;
    known.push_back(&other);
  };
  for (; !known.empty(); known.pop_front()) {
    machine& m = *known.front();
    for (machine& other : all) {
      if (const auto& there = m.crossed.at("ahead"); there.contains(other.node))
        reach(other, *m.ahead + there[other.node].get<double>());
      if (const auto& here = other.crossed.at("ahead"); here.contains(m.node))
        reach(other, *m.ahead - here[m.node].get<double>());
    }
  }
}

template <class N>
N raised(json& number, N by) {
  const N n = number.get<N>() + by;
  number = n;
  return n;
}

class merger {
 public:
  explicit merger(std::vector<machine> all) : all_(std::move(all)) {
    std::stable_sort(all_.begin(), all_.end(), [](const machine& a, const machine& b) { return a.crossed.at("role") < b.crossed.at("role"); });
    align(all_);
    start_ = all_.front().at(all_.front().zero);
    for (const machine& m : all_) start_ = std::min(start_, m.at(m.zero));
  }

  merged_trace run() {
    merged_trace done;
    unsigned workers = 0;
    for (machine& m : all_) {
      add_events(m);
      workers += m.trace.at("otherData").at("workers").get<unsigned>();
      for (const json& n : m.trace.at("otherData").at("dropped")) dropped_.push_back(n);
      done.bytes_sent += m.crossed.at("bytes_sent").get<double>();
    }
    for (const machine& m : all_) add_loans(m, done);
    add_losses(done);
    done.machines = all_.size();
    done.to_begin = analysis::sample(std::move(to_begin_)).quantile(0.5);
    done.to_return = analysis::sample(std::move(to_return_)).quantile(0.5);
    json about = all_.front().trace.at("otherData");
    about["workers"] = workers;
    about["dropped"] = dropped_;
    about["machines"] = all_.size();
    about["crossed"] = {{"loans", done.loans}, {"lost", done.lost}, {"bytes_sent", done.bytes_sent}, {"to_begin_us", done.to_begin}, {"to_return_us", done.to_return}};
    done.all = {{"traceEvents", std::move(events_)}, {"displayTimeUnit", "ns"}, {"otherData", about}};
    return done;
  }

 private:
  double since_start(const machine& m, double own) const { return std::max(0., (m.at(own) - start_) / 1e3); }

  // Numbers of lanes and of arrows are made different from those of the machines before.
  void add_events(machine& m) {
    m.numbers = used_;
    const std::size_t arrows = arrows_;
    for (json& e : m.trace.at("traceEvents")) {
      for (const char* const number : {"pid", "tid"})
        if (e.contains(number)) used_ = std::max(used_, raised<unsigned>(e[number], m.numbers));
      if (e.contains("id")) arrows_ = std::max(arrows_, raised<std::size_t>(e["id"], arrows));
      if (e.contains("ts")) e["ts"] = since_start(m, m.zero + 1e3 * e["ts"].get<double>());
      if (e.contains("args") && e["args"].contains("steal")) raised<std::size_t>(e["args"]["steal"], arrows);
      if (e.at("ph") == "M" && e.at("name") == "process_name")
        e["args"]["name"] = m.name + (e["args"]["name"] == "pool 1" ? "" : ", " + e["args"]["name"].get<std::string>());
      if (e.at("ph") == "M" && e.at("name") == "thread_name" && e["args"].value("pool", 0u) == 1)
        m.places[e["args"].at("lane")] = {e["pid"], e["tid"]};
      events_.push_back(std::move(e));
    }
  }

  // The traces' own numbers are checked when the page reads them; those of the crossings here.
  void add_loans(const machine& lender, merged_trace& done) {
    for (const json& l : lender.crossed.at("loans"))
      for (const machine& borrower : all_) {
        if (borrower.node != l.at("peer")) continue;
        for (const json& t : borrower.crossed.at("tasks"))
          if (t.at("peer") == lender.node && t.at("number") == l.at("number")) add_loan(lender, l, borrower, t, done);
      }
  }

  void add_loan(const machine& lender, const json& l, const machine& borrower, const json& t, merged_trace& done) {
    const auto from = lender.places.find(l.at("lane")), to = borrower.places.find(t.at("lane"));
    if (from == lender.places.end() || to == borrower.places.end()) return;
    ++done.loans;
    const double lent = since_start(lender, l.at("from")), began = std::max(lent, since_start(borrower, t.at("from")));
    to_begin_.push_back(began - lent);
    if (l.at("to") > 0 && t.at("to") > 0) to_return_.push_back(since_start(lender, l.at("to")) - since_start(borrower, t.at("to")));
    const std::size_t id = ++arrows_;
    const json name = t.at("task");
    events_.push_back({{"ph", "s"}, {"id", id}, {"pid", from->second.first}, {"tid", from->second.second}, {"ts", lent}, {"cat", "loan"}, {"name", name}});
    events_.push_back({{"ph", "f"}, {"bp", "e"}, {"id", id}, {"pid", to->second.first}, {"tid", to->second.second}, {"ts", began}, {"cat", "loan"}, {"name", name}});
  }

  // A machine that was lost has left no trace; others have noticed. The first one's mark stays.
  void add_losses(merged_trace& done) {
    std::map<std::string, std::pair<double, const machine*>> first;
    for (const machine& m : all_)
      for (const auto& [node, at] : m.crossed.at("lost").items()) {
        const double when = since_start(m, at.get<double>());
        const auto [known, fresh] = first.try_emplace(node, when, &m);
        if (!fresh && when < known->second.first) known->second = {when, &m};
      }
    for (const auto& [node, seen] : first) {
      const bool left = std::ranges::any_of(all_, [&](const machine& m) { return m.node == node; });  // it has only ended
      if (left || seen.second->places.empty()) continue;
      const auto& place = seen.second->places.begin()->second;
      events_.push_back({{"ph", "i"}, {"s", "g"}, {"pid", place.first}, {"tid", place.second}, {"ts", seen.first}, {"cat", "lost"}, {"name", "machine " + node.substr(0, 8) + " lost"}});
      ++done.lost;
    }
  }

  std::vector<machine> all_;
  double start_ = 0;
  unsigned used_ = 0;
  std::size_t arrows_ = 0;
  json events_ = json::array(), dropped_ = json::array();
  std::vector<double> to_begin_, to_return_;
};

struct merge_settings {
  std::vector<std::string> files;
  std::string to = "heist.trace.json";
};

int merge(const merge_settings& with) {
  const merged_trace m = merge_traces(with.files);
  new_file to(with.to);
  to.write(m.all.dump());
  to.keep();
  print_crossings(m, with.to);
  return ok;
}

}  // namespace

merged_trace merge_traces(const std::vector<std::string>& files) {
  if (files.empty()) throw bad_input("no traces; run every process of the job with HEIST_TRACE=FILE, each with another file");
  std::vector<machine> all;
  for (const std::string& f : files) try {
      all.push_back(read_process(f));
    } catch (const json::exception& e) {
      throw bad_input(fmt::format("{} is not a trace of a process of a cluster: {}", f, e.what()));
    }
  return merger(std::move(all)).run();
}

void print_crossings(const merged_trace& m, const std::string& file) {
  fmt::print(stderr, "{} machines, {} loans, {:.1f} KiB sent, {} lost; a branch begins {:.2f} ms after it was lent, and its result is used {:.2f} ms "
             "after it was there (medians)\n", m.machines, m.loans, m.bytes_sent / 1024, m.lost, m.to_begin / 1e3, m.to_return / 1e3);
  fmt::print(stderr, "{}: open it in ui.perfetto.dev, or make a page: heist report {}\n", file, file);
}

void add_cluster_trace(CLI::App& cluster, action& chosen) {
  const auto with = std::make_shared<merge_settings>();
  CLI::App* const app = cluster.add_subcommand("trace", "Make one trace of those of a job's machines.");
  app->add_option("files", with->files, "the traces, one a process, each beside its .cluster file")->required();
  app->add_option("-o,--output", with->to, "write it to this file")->capture_default_str();
  app->footer("Examples:\n  heist cluster trace -o all.json node1.json node2.json\n  heist report all.json");
  app->callback([with, &chosen] { chosen = [with] { return merge(*with); }; });
}

}  // namespace heist::cli
