// A program outside of heist's tree that uses heist::io.
#include <heist/heist.hpp>
#include <heist/io.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <system_error>

int main() {
  int ends[2];
  if (::pipe(ends) != 0) return 1;
  const heist::io::file out(ends[0]), in(ends[1]);
  heist::pool p({.workers = 1});
  std::byte got[1]{}, sent[1]{std::byte{7}};
  p.run([&] {
    heist::join([&] { heist::io::read_all(out.fd(), got, std::chrono::seconds(60)); },
                [&] { heist::io::write_all(in.fd(), sent); });
  });
  std::error_code error;
  heist::io::open("/none/at/all", O_RDONLY, error);
  std::printf("heist::io: %d, %s\n", static_cast<int>(got[0]), error.message().c_str());
  return got[0] == sent[0] && error == std::errc::no_such_file_or_directory ? 0 : 1;
}
