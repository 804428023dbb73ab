// {"name": …, "threads": [{"name": …, "frame": 1, "instructions": ["v1", ["v2", 5]]}], "spawns": [["v2", "v3"]],
// "joins": […]}

#include <analysis/dag/draft.hpp>
#include <analysis/dag/io.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace heist::analysis {
namespace {

using nlohmann::json;

constexpr int deepest = 8;

[[noreturn]] void fail_at(const std::string& source, std::string_view text, std::size_t byte, std::string_view what) {
  std::size_t line = 1, start = 0;
  for (std::size_t i = 0; i < std::min(byte, text.size()); ++i) {
    if (text[i] == '\n') {
      ++line;
      start = i + 1;
    }
  }
  throw bad_input(fmt::format("{}:{}:{}: {}", source, line, std::min(byte, text.size()) - start + 1, what));
}

// Before anything is parsed: a tree as deep as the text is long would take a stack as deep to walk.
void check_depth(std::string_view text, const std::string& source) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest) fail_at(source, text, i, fmt::format("nested deeper than {} levels", deepest));
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
}

json parse(std::string_view text, const std::string& source) {
  try {
    return json::parse(text.begin(), text.end());
  } catch (const json::parse_error& e) {
    const std::size_t byte = e.byte == 0 ? 0 : e.byte - 1;
    fail_at(source, text, byte, byte >= text.size() ? "the JSON ends too early" : "this is not JSON");
  }
}

class reader {
 public:
  explicit reader(const std::string& source) : draft_(source) {}

  dag read(const json& file) {
    if (!file.is_object())
      draft_.fail({nullptr, 1, 1}, "a computation must be an object with \"threads\", \"spawns\" and \"joins\"");
    for (const auto& [key, value] : file.items()) {
      if (key != "name" && key != "threads" && key != "spawns" && key != "joins")
        draft_.fail({nullptr, 1, 1},
                    "a computation may have \"name\", \"threads\", \"spawns\" and \"joins\", and nothing else");
    }
    if (file.contains("name")) {
      const auto name = string(file["name"], {nullptr, 1, 1}, "\"name\"");
      if (!good_name(name))
        draft_.fail({nullptr, 1, 1},
                    "the computation's name must be at most 64 bytes of letters, digits, _ . and '");
      draft_.name(name);
    }
    const json& threads = list(file, "threads");
    for (std::size_t t = 0; t < threads.size(); ++t) read_thread(threads[t], {"threads", t, 0});
    for (const char* const kind : {"spawns", "joins"}) {
      const json& edges = list(file, kind);
      for (std::size_t e = 0; e < edges.size(); ++e) read_edge(edges[e], {kind, e, 0});
    }
    return draft_.finish();
  }

 private:
  const json& list(const json& object, const char* key) const {
    static const json empty = json::array();
    if (!object.contains(key)) return empty;
    if (!object[key].is_array()) draft_.fail({nullptr, 1, 1}, fmt::format("\"{}\" is a list", key));
    return object[key];
  }

  std::string string(const json& value, place where, std::string_view what) const {
    if (!value.is_string()) draft_.fail(where, fmt::format("{} must be a string", what));
    return value.get<std::string>();
  }

  std::uint64_t number(const json& value, place where, std::string_view what) const {
    if (!value.is_number_unsigned()) draft_.fail(where, fmt::format("{} must be a number", what));
    return value.get<std::uint64_t>();
  }

  void read_thread(const json& thread, place where) {
    if (!thread.is_object()) draft_.fail(where, "a thread must be an object with \"name\" and \"instructions\"");
    const auto name = thread.contains("name") ? string(thread["name"], where, "a thread's name") : "";
    const auto frame = thread.contains("frame") ? number(thread["frame"], where, "a frame's size") : 1;
    draft_.thread(name, frame, where);
    const json& instructions = list(thread, "instructions");
    for (std::size_t i = 0; i < instructions.size(); ++i) {
      const place here{where.list, where.at, i + 1};
      const json& instruction = instructions[i];
      if (instruction.is_array() && instruction.size() == 2) {
        draft_.instruction(string(instruction[0], here, "an instruction's name"),
                           number(instruction[1], here, "a duration"), here);
      } else {
        draft_.instruction(string(instruction, here, "an instruction"), 1, here);
      }
    }
  }

  void read_edge(const json& e, place where) {
    if (!e.is_array() || e.size() != 2) draft_.fail(where, "an edge must be a list of two instructions");
    const auto from = string(e[0], where, "an instruction"), to = string(e[1], where, "an instruction");
    where.list[0] == 's' ? draft_.spawn(from, to, where) : draft_.join(from, to, where);
  }

  draft draft_;
};

}  // namespace

dag read_json(std::string_view text, const std::string& source) {
  check_depth(text, source);
  return reader(source).read(parse(text, source));
}

std::string to_json(const dag& d) {
  json threads = json::array(), spawns = json::array(), joins = json::array();
  for (id t = 0; t < d.threads.size(); ++t) {
    json instructions = json::array();
    for (id i = d.threads[t].first; i < d.end(t); ++i) {
      if (d.durations[i] == 1) {
        instructions.push_back(d.label(i));
      } else {
        instructions.push_back(json::array({d.label(i), d.durations[i]}));
      }
    }
    threads.push_back({{"name", d.threads[t].name}, {"frame", d.threads[t].frame}, {"instructions", instructions}});
  }
  for (id i = 0; i < d.instructions(); ++i)
    if (d.spawns[i] != none) spawns.push_back(json::array({d.label(i), d.label(d.threads[d.spawns[i]].first)}));
  for (const edge& j : d.joins) joins.push_back(json::array({d.label(j.from), d.label(j.to)}));
  json file = {{"threads", threads}, {"spawns", spawns}, {"joins", joins}};
  if (!d.name.empty()) file["name"] = d.name;
  return file.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace heist::analysis
