// Recipe: a build. Each step waits for those that it needs; what is up to date is not made again.

#include <heist/graph.hpp>
#include <heist/sleep.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace std::chrono_literals;

// region: data
// A file, and what it was made from when it was made last.
struct made {
  std::string text, from;
};

struct project {
  std::map<std::string, std::string> sources;  // by name
  std::map<std::string, made> objects;
  made program;
  std::atomic<int> compiled = 0, linked = 0, tested = 0;

  // Whether it had to be made.
  static bool make(made& out, const std::string& from) {
    if (out.from == from) return false;
    heist::sleep_for(2ms);  // stands for a compiler that runs in another process
    out = {"made from " + from, from};
    return true;
  }
  void compile(const std::string& name) { compiled += make(objects.at(name), sources.at(name)); }
  bool link() {
    std::string all;
    for (const auto& [name, object] : objects) all += object.text + '\n';
    const bool anew = make(program, all);
    linked += anew;
    return anew;
  }
};
// end

// region: serial
void build_serial(project& p) {
  for (const auto& [name, text] : p.sources) p.compile(name);
  if (p.link()) ++p.tested;
}
// end

// region: parallel
void plan(heist::graph& build, project& p) {
  const auto link = build.condition("link", [&p] { return p.link() ? 0 : 1; });
  const auto test = build.node("test", [&p] { ++p.tested; });
  build.precede(link, test);  // number 0 of the successors of link; there is no number 1
  for (const auto& source : p.sources) {
    const auto compile = build.node("compile " + source.first, [&p, &source] { p.compile(source.first); });
    build.precede(compile, link);
  }
}
// end

// What run() says of a generated source that is made by the very program that it is a part of.
std::string complaint(project& p) {
  heist::graph build;
  // region: cycle
  const auto generate = build.node("generate", [] {});
  const auto compile = build.node("compile", [&] { p.compile("main.cpp"); });
  const auto link = build.node("link", [&] { p.link(); });
  build.precede(generate, compile);
  build.precede(compile, link);
  build.precede(link, generate);  // the generator is the program itself
  try {
    build.run();  // runs nothing
  } catch (const std::invalid_argument& e) {
    return e.what();  // heist: a graph has a cycle: generate -> compile -> link -> generate
  }
  // end
  return "no complaint";
}

}  // namespace

int main() {
  project p, q;
  for (int i = 0; i < 20; ++i) p.sources["part" + std::to_string(i) + ".cpp"] = "part";
  p.sources["main.cpp"] = "main";
  for (const auto& [name, text] : p.sources) p.objects[name];
  q.sources = p.sources, q.objects = p.objects;
  build_serial(q);

  // region: run
  heist::graph build;
  plan(build, p);
  build.run();  // compiles all 21 sources, links, tests
  build.run();  // finds everything up to date
  p.sources["part7.cpp"] = "better part";
  build.run();  // compiles one source, links, tests
  // end
  bool right = p.compiled == 22 && p.linked == 2 && p.tested == 2 && q.compiled == 21 && q.linked == 1 && q.tested == 1;
  q.sources = p.sources;
  build_serial(q);
  right = right && p.program.text == q.program.text;

  const std::string cycle = complaint(p);
  std::printf("%d compilations, %d programs, %d tests\n%s\n", p.compiled.load(), p.linked.load(), p.tested.load(),
              cycle.c_str());
  return right && cycle == "heist: a graph has a cycle: generate -> compile -> link -> generate" ? 0 : 1;
}
