// heist::io's contestant: files, and the echo server.

#include <bench/waiting/contestant.hpp>
#include <bench/waiting/echo.hpp>
#include <bench/waiting/files.hpp>
#include <bench/waiting/work.hpp>

#include <heist/heist.hpp>
#include <heist/io.hpp>

#include <atomic>

namespace {

using namespace waiting;

word read_files(const files& all) {
  findings found;
  std::atomic<long> next{0};
  heist::with_scope([&](heist::scope& s) {
    for (long k = 0; k < files::most_at_once; ++k)
      s.spawn([&] {
        file_content content;
        for (long i; (i = next++) < all.count();) {
          const heist::io::file f(all.path(i), O_RDONLY);
          bench::expect(heist::io::read(f.fd(), content.bytes(), 0) == file_size, "a file has its size");
          found.add(hash(content.bytes()));
        }
      });
  });
  return found.sum();
}

void serve(int fd, long leaves, long steps) {
  const heist::io::file connection(fd);
  begin_talking(fd);
  message m;
  const auto bytes = std::as_writable_bytes(std::span(&m, 1));
  while (heist::io::read_all(fd, bytes) == sizeof m) {
    m.number = tree(m.number, leaves, steps, [](const auto& f, const auto& g) { heist::join(f, g); });
    bench::expect(heist::io::send(fd, bytes) == sizeof m, "a reply fits");
  }
}

}  // namespace

int main(int argc, char** argv) {
  heist::pool pool({.workers = workers(argc, argv)});
  answer({
      {"files", [&](arguments& a) {
         return timed([&, all = files(a)] {
           double found = 0;
           pool.detach([&] { found = static_cast<double>(read_files(all)); });
           pool.wait_idle();
           return found;
         });
       }},
      {"listen", [&](arguments& a) {
         const long leaves = a.next(), steps = a.next();
         const listener at;
         pool.detach([=] {
           for (;;) {
             const int fd = heist::io::accept(at.fd);
             heist::detach([=] { serve(fd, leaves, steps); });
           }
         });
         return figures{static_cast<double>(at.port), 0};
       }},
  });
}
