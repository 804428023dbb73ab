// What do chains of lazy ranges cost, next to the fused loop by hand and to Rayon's iterators?
//   bench_lazy [--rounds N] [--rayon PROGRAM]     times, interleaved, on one and on two workers
//   bench_lazy --count CHAIN hand|lazy TIMES      runs a chain (0 … 5) so often on one worker, for callgrind

#include <bench/lazy/chains.hpp>

#include <heist/pool.hpp>

#include <sys/socket.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

namespace {

using namespace lazy_bench;
constexpr std::size_t elements = 1'000'000;
constexpr double target = 1.05;

// bench/lazy/rayon.rs as a process: it answers "chain workers" with nanoseconds and the result.
class rayon {
 public:
  explicit rayon(const char* program) {
    int ends[2];
    bench::expect(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "socketpair");
    if (::fork() == 0) {
      ::dup2(ends[1], 0);
      ::dup2(ends[1], 1);
      ::close(ends[0]);
      ::execl(program, program, static_cast<char*>(nullptr));
      ::_exit(127);
    }
    ::close(ends[1]);
    // Two streams: one that has read cannot write before it is positioned, which a socket is not.
    ask_.reset(::fdopen(ends[0], "w"));
    answer_.reset(::fdopen(::dup(ends[0]), "r"));
  }
  double run(std::size_t chain, int workers, double expected) {
    double ns = 0, result = 0;
    std::fprintf(ask_.get(), "%zu %d\n", chain, workers);
    std::fflush(ask_.get());
    bench::expect(std::fscanf(answer_.get(), "%lf %lf", &ns, &result) == 2, "Rayon does not answer");
    bench::expect(std::abs(result - expected) <= 1e-6 * std::abs(expected), "Rayon's result");
    return ns;
  }

 private:
  struct closer {
    void operator()(std::FILE* f) const { std::fclose(f); }
  };
  std::unique_ptr<std::FILE, closer> ask_, answer_;
};

int count(const chain& c, const std::string& which, int times) {
  const input in(100'000);
  heist::pool one({.workers = 1});
  double sum = 0;
  one.run([&] {
    for (int i = 0; i < times; ++i) sum += which == "hand" ? c.hand(in, 1) : c.lazy(in);
  });
  return sum == 0.5 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 5 && std::strcmp(argv[1], "--count") == 0)
    return count(chains[std::strtoul(argv[2], nullptr, 10) % std::size(chains)], argv[3], std::atoi(argv[4]));
  std::optional<rayon> peer;
  if (argc >= 3 && std::strcmp(argv[argc - 2], "--rayon") == 0) {
    peer.emplace(argv[argc - 1]);
    argc -= 2;
  }
  const bench::options o = bench::parse(argc, argv);
  bench::introduce("lazy", o);
  const input in(elements);
  bench::table t({"chain", "P", "by hand, ms", "heist / hand", "target 1.05", "Rayon / hand", "heist / Rayon"});
  for (const int workers : {1, 2}) {
    heist::pool pool({.workers = static_cast<unsigned>(workers)});
    for (std::size_t k = 0; k < std::size(chains); ++k) {
      const chain& c = chains[k];
      const double expected = c.hand(in, 1);
      bench::expect(std::abs(pool.run([&] { return c.lazy(in); }) - expected) <= 1e-6 * std::abs(expected), c.name);
      double sink = 0;
      bench::contest all;
      const auto timed = [&](auto&& f) { return [&sink, &pool, f] { return pool.run([&] { return bench::ns_of([&] { sink += f(); }); }); }; };
      const std::size_t hand = all.add(timed([&] { return c.hand(in, workers); }));
      const std::size_t lazy = all.add(timed([&] { return c.lazy(in); }));
      std::size_t theirs = 0;
      if (peer) theirs = all.add([&] { return peer->run(k, workers, expected); });
      all.play(o.rounds);
      const double over = bench::ratio(all[lazy], all[hand]).median();
      t.add({c.name, std::to_string(workers), bench::text("%.3f", all[hand].median() / 1e6), bench::text("%.2f", over), bench::verdict(over, target),
             peer ? bench::text("%.2f", bench::ratio(all[theirs], all[hand]).median()) : "–",
             peer ? bench::text("%.2f", bench::ratio(all[lazy], all[theirs]).median()) : "–"});
    }
  }
  t.print();
}
