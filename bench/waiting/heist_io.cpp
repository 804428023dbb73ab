// heist::io's contestant: files, and the echo server.

#include <bench/waiting/contestant.hpp>
#include <bench/waiting/echo.hpp>
#include <bench/waiting/files.hpp>
#include <bench/waiting/work.hpp>

#include <heist/heist.hpp>
#include <heist/io.hpp>

namespace {

using namespace waiting;

word read_files(const files& all) {
  findings found;
  heist::with_scope([&](heist::scope& s) {
    for (long i = 0; i < all.count(); ++i)
      s.spawn([&, i] {
        file_content content;
        const heist::io::file f(all.path(i), O_RDONLY);
        bench::expect(heist::io::read(f.fd(), content.bytes(), 0) == file_size, "a file has its size");
        found.add(hash(content.bytes()));
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
    heist::io::write_all(fd, bytes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  heist::pool pool({.workers = workers(argc, argv)});
  answer({
      {"files", [&](arguments& a) {
         return timed([&, all = files(a)] { return pool.run([&] { return read_files(all); }); });
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
