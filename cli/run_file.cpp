#include <cli/progress.hpp>
#include <cli/run_file.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>

#include <string.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>

namespace heist::cli {

using analysis::bad_input;
using nlohmann::json;

namespace {

std::string read_text(const std::string& path) {
  errno = std::filesystem::is_directory(path) ? EISDIR : 0;
  std::ifstream in(path, std::ios::binary);
  if (errno != 0 || !in)
    throw bad_input(
        fmt::format("{} cannot be read: {}; `heist trace -- program` and `heist profile -o FILE -- program` "
                    "make such files",
                    path, ::strerror(errno)));
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Adds up a trace's events one by one, so that a long trace need not be in memory as a tree.
class trace_reader {
 public:
  void add(const json& event) {
    const std::string phase = event.at("ph");
    if (phase == "M") return add_name(event);
    lane_of(event);
    ++sum_.events;
    const double start = event.at("ts");
    const double length = phase == "X" ? event.at("dur").get<double>() : 0;
    if (start < 0 || length < 0) throw bad_input("an event is before the start of the trace");
    sum_.duration = std::max(sum_.duration, start + length);
    if (phase == "X") add_slice(event, length);
    if (phase == "s" && event.at("cat") == "loan") ++sum_.loans;
    if (phase == "s" && event.at("cat") == "steal") ++lane_of(event).robbed, ++sum_.steals;
    if (phase == "f" && event.at("cat") == "steal") ++lane_of(event).steals;
    if (phase == "b") ++(event.at("cat") == "wait" ? sum_.waits : sum_.regions);
  }

  trace_summary take(const json& other) {
    sum_.program = other.at("program");
    sum_.workers = other.at("workers");
    const auto dropped = other.at("dropped").get<std::vector<std::uint64_t>>();
    if (dropped.size() != sum_.lanes.size()) throw bad_input("it does not have one count of dropped events for each lane");
    for (std::size_t i = 0; i < dropped.size(); ++i) {
      sum_.lanes[i].dropped = dropped[i];
      sum_.dropped += dropped[i];
    }
    return std::move(sum_);
  }

 private:
  using place = std::pair<unsigned, unsigned>;
  static place place_of(const json& event) { return {event.at("pid"), event.at("tid")}; }

  void add_name(const json& event) {
    if (event.at("name") != "thread_name") return;
    const place p = place_of(event);
    const json& lane = event.at("args");
    index_.emplace(p, sum_.lanes.size());
    sum_.lanes.push_back(
        {lane.value("pool", p.first), lane.value("lane", p.second), lane.at("name")});  // or an old trace
  }

  trace_summary::lane& lane_of(const json& event) {
    const auto found = index_.find(place_of(event));
    if (found == index_.end()) throw bad_input("an event is in a lane without a name");
    return sum_.lanes[found->second];
  }

  void add_slice(const json& event, double length) {
    trace_summary::lane& l = lane_of(event);
    const json& how = event.at("args");
    if (event.at("cat") == "sleep") {
      l.asleep += length;
      sum_.sleeps += how.at("begin") == "sleep";
    } else {
      l.busy += length;
      ++l.runs;
      sum_.suspends += how.at("end") == "suspended";
      sum_.far_steals += how.value("far", false);
    }
  }

  trace_summary sum_;
  std::map<place, std::size_t> index_;
};

constexpr int deepest = 16;

json parse(const std::string& text, const std::string& path, trace_reader& trace) {
  // Longer than two seconds only if there are hundreds of thousands of objects.
  const auto objects = static_cast<std::size_t>(std::count(text.begin(), text.end(), '{'));
  std::optional<progress> bar;
  if (objects > 200'000) bar.emplace("reading " + path, objects);
  std::string section;
  return json::parse(text.begin(), text.end(), [&](int depth, json::parse_event_t e, json& parsed) {
    if (depth > deepest) throw bad_input(fmt::format("it is nested deeper than {} levels", deepest));
    if (e == json::parse_event_t::key && depth == 1) section = parsed;
    if (e != json::parse_event_t::object_end) return true;
    if (bar) bar->step();
    if (depth != 2 || section != "traceEvents") return true;
    trace.add(parsed);
    return false;
  });
}

measurement read_measurement(const json& j) {
  if (j.at("heist_profile") != 1) throw bad_input("its format is not 1: it was written by another version of heist");
  measurement m;
  if (j.at("unit") != "ns" && j.at("unit") != "strand") throw bad_input("its unit is neither ns nor strand");
  m.in = j.at("unit") == "ns" ? unit::time : unit::strand;
  m.work = j.at("work");
  m.span = j.at("span");
  m.burdened_span = j.at("burdened_span");
  m.burden = j.at("burden");
  m.forks = j.at("forks");
  m.steals = j.at("steals");
  m.steal_attempts = j.at("steal_attempts");
  m.suspends = j.at("suspends");
  m.stack_bytes_peak = j.at("stack_bytes_peak");
  m.serial_space = j.value("serial_space", std::size_t{0});
  m.short_strands = j.value("short_strands", std::size_t{0});
  m.short_work = j.value("short_work", 0.);
  m.longest_strand = j.value("longest_strand", 0.);
  m.interruptions = j.value("interruptions", std::size_t{0});
  m.processor_time = j.value("processor_time", 0.);
  for (const json& w : j.at("workers")) m.workers.push_back({w.at("strands"), w.at("busy")});
  if (const auto e = j.find("elsewhere"); e != j.end()) m.elsewhere = {e->at("strands"), e->at("busy")};
  if (const auto c = j.find("cluster"); c != j.end())
    m.crossed = {c->at("machines"), c->at("loans"), c->at("messages"), c->at("bytes")};
  for (const json& r : j.at("regions")) {
    measurement::part& p = m.regions.emplace_back();
    p.name = r.at("name");
    p.times = r.at("times");
    p.work = r.at("work");
    p.span = r.at("span");
    p.burdened_span = r.value("burdened_span", 0.);  // what came later may be missing
    p.longest = r.value("longest", 0.);
    p.forks = r.value("forks", std::size_t{0});
  }
  return m;
}

// Members that came later may be missing.
detail::origin read_origin(const json& j, const std::string& path) {
  const auto text = [&](const char* name, const std::string& otherwise = "") { return j.value(name, otherwise); };
  return {text("program", std::filesystem::path(path).stem().string()),
          text("heist"),
          text("started"),
          text("cpu"),
          j.value("processors", 0u),
          text("system")};
}

// Before it is read as JSON.
void check_beginning(std::string_view text, const std::string& path) {
  if (text.starts_with("heist recording"))
    throw bad_input(
        fmt::format("it is a recording; to predict how it runs on more workers: heist sim predict {}", path));
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first != text.npos && text[first] != '{' && text[first] != '[')
    throw bad_input(
        "it is not one of heist's files: neither a profile (HEIST_PROFILE=json:FILE) nor a trace (HEIST_TRACE=FILE)");
}

run_file understand(std::string text, const std::string& path) {
  check_beginning(text, path);
  trace_reader trace;
  run_file f{run_file::kind::figures, std::move(text), {}, {}, {}, {}};
  f.json = parse(f.text, path, trace);
  if (f.json.contains("heist_profile")) {
    f.what = run_file::kind::profile;
    f.measured = read_measurement(f.json);
    f.from = read_origin(f.json, path);
    f.json["program"] = f.from.program;
  } else if (f.json.contains("traceEvents")) {
    f.what = run_file::kind::trace;
    const json& other = f.json.at("otherData");
    if (other.at("format") != 1) throw bad_input("its format is not 1: it was written by another version of heist");
    f.summary = trace.take(other);
  } else if (!f.json.contains("points") && !f.json.contains("space")) {
    throw bad_input("it is neither a profile (HEIST_PROFILE=json:FILE) nor a trace (HEIST_TRACE=FILE)");
  }
  return f;
}

}  // namespace

run_file read_run_file(const std::string& path) {
  std::string text = read_text(path);
  try {
    return understand(std::move(text), path);
  } catch (const json::parse_error& e) {
    throw bad_input(
        fmt::format("{} is truncated or damaged at byte {}, perhaps because the program was killed while it wrote; "
                    "make it again",
                    path, e.byte));
  } catch (const json::exception& e) {
    throw bad_input(fmt::format("{} is not in the format that heist writes: {}; make it again", path, e.what()));
  } catch (const bad_input& e) {
    throw bad_input(fmt::format("{} cannot be used: {}", path, e.what()));
  }
}

}  // namespace heist::cli
