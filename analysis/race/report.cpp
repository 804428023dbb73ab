#include <analysis/race/findings.hpp>
#include <analysis/race/judge.hpp>
#include <analysis/race/report.hpp>
#include <analysis/race/runtime.hpp>
#include <analysis/race/settings.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

namespace heist::race {

namespace {

int interrupted = 0;

const char* verb(access_kind k) {
  switch (k) {
    case access_kind::read: return "read";
    case access_kind::write: return "write";
    case access_kind::freed: return "free";
    case access_kind::view_read: return "read of a reducer";
  }
  return "?";
}

const char* fork_name(fork_kind k) {
  switch (k) {
    case fork_kind::join: return "join";
    case fork_kind::child: return "spawn";
    case fork_kind::iteration: return "loop";
    case fork_kind::callback: return "algorithm";
    case fork_kind::future: return "async";
  }
  return "?";
}

std::string where(const source_place& p) {
  std::string s = p.known() ? p.file + ":" + std::to_string(p.line) : p.file;
  if (!p.function.empty() && p.function != "??") s += " in " + p.function;
  return s;
}

std::string short_where(const source_place& p) {
  const std::size_t slash = p.file.rfind('/');
  const std::string file = slash == std::string::npos ? p.file : p.file.substr(slash + 1);
  return p.known() ? file + ":" + std::to_string(p.line) : file;
}

// Of the earlier access the detector knows the place in the code. Its calls are known only in a guided run; and of what is added
// to a reducer, not even the place.
bool is_early_read(const finding& f) { return f.second.kind == access_kind::view_read; }
void print_first(std::FILE* to, const finding& f) {
  if (is_early_read(f)) {
    std::fprintf(to, "  first in serial order:  a strand that has not joined may have added to this reducer\n");
    return;
  }
  std::fprintf(to, "  first in serial order:  %s%s at %s%s\n", verb(f.first.kind), f.first.locked ? ", with a lock or atomic," : "",
               where(f.first.place).c_str(), f.first.place.is_ours() && f.first.calls.empty() ? " (--stacks shows who called it)" : "");
  for (const source_place& p : f.first.calls) std::fprintf(to, "      called from %s\n", where(p).c_str());
}

void print_text(const findings& all) {
  std::FILE* const to = stderr;
  const char* const question = the_settings.determinacy ? "determinacy races: locks and atomics do not help (--determinacy)"
                                                        : "data races (--data)";
  const std::string order = the_settings.reversed ? ", second branches first (--reversed)" : "";
  std::string suppressed;
  if (all.suppressed > 0) suppressed = ", " + std::to_string(all.suppressed) + " suppressed";
  if (all.races.empty()) {
    std::fprintf(to, "heist race: no races%s; asked for %s%s\n", suppressed.c_str(), question, order.c_str());
  } else {
    std::fprintf(to, "heist race: %zu race%s%s; asked for %s%s\n\n", all.races.size(), all.races.size() == 1 ? "" : "s",
                 suppressed.c_str(), question, order.c_str());
    std::fprintf(to, "  %3s  %8s  %-28s %-28s %s\n", "", "bytes", "first", "second", "what");
    for (std::size_t i = 0; i < all.races.size(); ++i) {
      const finding& f = all.races[i];
      std::fprintf(to, "  %3zu  %8zu  %-28s %-28s %s\n", i + 1, f.bytes,
                   is_early_read(f) ? "not known" : (std::string(verb(f.first.kind)) + " " + short_where(f.first.place)).c_str(),
                   (std::string(verb(f.second.kind)) + " " + short_where(f.second.place)).c_str(), f.what.c_str());
    }
    for (std::size_t i = 0; i < all.races.size(); ++i) {
      const finding& f = all.races[i];
      std::fprintf(to, "\nrace %zu: %zu byte%s of %s, at 0x%zx%s\n", i + 1, f.bytes, f.bytes == 1 ? "" : "s", f.what.c_str(),
                   static_cast<std::size_t>(f.address), f.times > 1 ? (", " + std::to_string(f.times) + " times").c_str() : "");
      print_first(to, f);
      std::fprintf(to, "  second in serial order: %s%s at %s\n", verb(f.second.kind),
                   f.second.locked ? ", with a lock or atomic," : "", where(f.second.place).c_str());
      for (const source_place& p : f.second.calls) std::fprintf(to, "      called from %s\n", where(p).c_str());
      if (f.has_fork) std::fprintf(to, "  they part at the %s at %s\n", fork_name(f.how), where(f.fork).c_str());
      for (const source_place& p : f.allocated) std::fprintf(to, "  allocated at %s\n", where(p).c_str());
    }
  }
  if (all.tool_is_missing)
    std::fprintf(to, "heist race: there are no lines, as addr2line was not found (Debian: binutils)\n");
  if (has_threads()) std::fprintf(to, "heist race: the program started threads of its own: what they do is not judged\n");
  if (interrupted != 0)
    std::fprintf(to, "heist race: the program was ended by signal %d (%s): this is what was found until then\n", interrupted,
                 ::strsignal(interrupted));
  std::fflush(to);
}

std::string quoted(const std::string& s) {
  std::string q = "\"";
  for (const char c : s) {
    if (c == '"' || c == '\\') q += '\\', q += c;
    else if (static_cast<unsigned char>(c) < 32) {
      char text[8];
      std::snprintf(text, sizeof text, "\\u%04x", c);
      q += text;
    } else q += c;
  }
  return q + "\"";
}

std::string as_json(const source_place& p) {
  return "{\"file\": " + quoted(p.file) + ", \"line\": " + std::to_string(p.line) + ", \"function\": " + quoted(p.function) + "}";
}

std::string as_json(const std::vector<source_place>& all) {
  std::string s = "[";
  for (const source_place& p : all) s += (s.size() > 1 ? ", " : "") + as_json(p);
  return s + "]";
}

std::string as_json(const side& a) {
  char code[32];
  std::snprintf(code, sizeof code, "0x%zx", reinterpret_cast<std::size_t>(a.code));
  return "{\"access\": " + quoted(verb(a.kind)) + ", \"code\": " + quoted(code) + ", \"locked\": " + (a.locked ? "true" : "false") +
         ", \"at\": " + as_json(a.place) + ", \"calls\": " + as_json(a.calls) + "}";
}

void write_json(const findings& all, const char* path) {
  std::FILE* const to = std::strcmp(path, "-") == 0 ? stdout : std::fopen(path, "w");
  if (to == nullptr) {
    std::fprintf(stderr, "heist race: cannot write %s\n", path);
    return;
  }
  std::fprintf(to, "{\"heist_race\": 1, \"asked\": \"%s\", \"reversed\": %s, \"suppressed\": %zu, \"threads\": %s, \"signal\": %d,\n",
               the_settings.determinacy ? "determinacy" : "data", the_settings.reversed ? "true" : "false", all.suppressed,
               has_threads() ? "true" : "false", interrupted);
  std::fprintf(to, " \"races\": [");
  const char* comma = "\n";
  for (const finding& f : all.races) {
    char address[32];
    std::snprintf(address, sizeof address, "0x%zx", static_cast<std::size_t>(f.address));
    std::string ranges;
    for (const auto& [first, last] : f.ranges) {
      char text[64];
      std::snprintf(text, sizeof text, "%s[\"0x%zx\", %zu]", ranges.empty() ? "" : ", ", static_cast<std::size_t>(first),
                    static_cast<std::size_t>(last - first));
      ranges += text;
    }
    // Of a reducer that is read too early the fork is not known.
    std::string fork = "null";
    if (f.has_fork) fork = "{\"kind\": " + quoted(fork_name(f.how)) + ", \"at\": " + as_json(f.fork) + "}";
    std::fprintf(to,
                 "%s  {\"address\": \"%s\", \"bytes\": %zu, \"times\": %llu, \"what\": %s, \"variable\": %s,\n"
                 "   \"first\": %s,\n   \"second\": %s,\n   \"fork\": %s,\n"
                 "   \"allocated\": %s, \"ranges\": [%s]}",
                 comma, address, f.bytes, static_cast<unsigned long long>(f.times), quoted(f.what).c_str(),
                 quoted(f.variable).c_str(), as_json(f.first).c_str(), as_json(f.second).c_str(), fork.c_str(),
                 as_json(f.allocated).c_str(), ranges.c_str());
    comma = ",\n";
  }
  std::fprintf(to, "\n ]}\n");
  if (to != stdout)
    std::fclose(to);
  else
    std::fflush(to);
}

}  // namespace

bool any_to_report() { return !make_findings(the.races).races.empty(); }

void say_interrupted(int signal) { interrupted = signal; }

int report() {
  // Names take time, and nobody reads them.
  if (the_settings.quiet && the_settings.json.empty() && the_settings.suppress.empty()) return the.races.all().empty() ? 0 : 66;
  const findings all = make_findings(the.races);
  if (!the_settings.quiet && !(watch::any && !watch::guided && !all.races.empty())) print_text(all);
  if (!the_settings.json.empty()) write_json(all, the_settings.json.c_str());
  return all.races.empty() ? 0 : 66;
}

}  // namespace heist::race
