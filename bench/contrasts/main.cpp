// What courses on work stealing claim, on real code: small schedulers built on heist::deque, and heist itself.
// bench_contrasts [--rounds N | --smoke]

#include "contrasts.hpp"

#include <string_view>

int main(int argc, char** argv) {
  const bool smoke = argc == 2 && std::string_view(argv[1]) == "--smoke";
  const bench::options o = smoke ? bench::options{1} : bench::parse(argc, argv, 9);
  bench::introduce("contrasts", o);
  const contrasts::size s{o.rounds, smoke};
  contrasts::deques(s);
  contrasts::queues(s);
  contrasts::partition(s);
  contrasts::order(s);
  contrasts::space(s);
  contrasts::false_sharing(s);
  contrasts::costs(s);
}
