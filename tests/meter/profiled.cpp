// A program to be profiled as a whole: roots, a scope outside, two pools, one of which ends, and a region.

#include <heist/heist.hpp>

#include <cstdlib>
#include <string_view>

namespace {

void balanced(int depth) {
  if (depth > 0) heist::join([=] { balanced(depth - 1); }, [=] { balanced(depth - 1); });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "everything";
  if (wanted == "nothing") return 0;
  balanced(6);  // 3 * 64 − 2 strands, span 13
  if (wanted == "one root") return 0;
  {
    heist::pool own({.workers = 2});
    own.run([] {
      const heist::region r{"in a \"pool\""};
      balanced(4);  // 3 * 16 − 2, span 9
    });
  }
  heist::scope s;  // two children, side by side: 3 * 2 − 2 and 1, span 3
  s.spawn([] { balanced(1); });
  s.spawn([] {});
  s.sync();
}
