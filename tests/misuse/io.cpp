// Calls of heist::io with other arguments.
#include <heist/io.hpp>

#include <fcntl.h>

#include <chrono>
#include <string>
#include <vector>

namespace io = heist::io;

int main() {
  io::file file("/dev/zero", O_RDWR);
  std::vector<std::byte> bytes(16);
  std::string text(16, 'a');
  char raw[16];
  io::read(file, bytes);                                    // refused: heist::io: the calls take a descriptor; pass file.fd()
  io::write_all(file, bytes, std::chrono::seconds(1));      // refused: heist::io: the calls take a descriptor; pass file.fd()
  io::recv(file.fd(), raw);                                 // refused: heist::io: the calls take bytes; pass std::as_bytes(
  io::send(file.fd(), std::vector<int>(4));                 // refused: heist::io: the calls take bytes; pass std::as_bytes(
  io::write(file.fd(), text, 0);                            // refused: heist::io: the calls take bytes; pass std::as_bytes(
  io::file copied(file);                                    // refused: deleted
}
