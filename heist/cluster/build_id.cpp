#include <heist/cluster/build_id.hpp>

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <span>

namespace heist::cluster::detail {

namespace {

std::string hex_of(std::span<const unsigned char> bytes) {
  std::string text;
  for (const unsigned char b : bytes) {
    char two[3];
    std::snprintf(two, sizeof two, "%02x", b);
    text += two;
  }
  return text;
}

// In one segment of notes: name and description are padded to four bytes.
std::string id_in_notes(const unsigned char* at, std::size_t size) {
  auto padded = [](std::size_t n) { return (n + 3) & ~std::size_t{3}; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, at, sizeof head);
    const std::size_t whole = sizeof head + padded(head.n_namesz) + padded(head.n_descsz);
    if (whole > size) break;
    const unsigned char* const name = at + sizeof head;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0)
      return hex_of({name + padded(head.n_namesz), head.n_descsz});
    at += whole;
    size -= whole;
  }
  return {};
}

std::string id_of_program() {
  std::string id;
  ::dl_iterate_phdr([](dl_phdr_info* info, std::size_t, void* to) {
    for (int i = 0; i < info->dlpi_phnum && static_cast<std::string*>(to)->empty(); ++i) {
      const auto& p = info->dlpi_phdr[i];
      if (p.p_type == PT_NOTE)
        *static_cast<std::string*>(to) = id_in_notes(reinterpret_cast<const unsigned char*>(info->dlpi_addr + p.p_vaddr), p.p_memsz);
    }
    return 1;  // the first is the program
  }, &id);
  return id;
}

std::string hash_of_file() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::uint64_t a = 0xcbf29ce484222325u, b = 0x9e3779b97f4a7c15u;
  char block[65536];
  while (file.read(block, sizeof block), file.gcount() > 0)
    for (std::streamsize i = 0; i < file.gcount(); ++i) {
      a = (a ^ static_cast<unsigned char>(block[i])) * 0x100000001b3u;
      b = (b + static_cast<unsigned char>(block[i]) + 1) * 0xd6e8feb86659fd93u;
      b ^= b >> 32;
    }
  char text[34];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(a), static_cast<unsigned long long>(b));
  return text;
}

}  // namespace

std::string build_id() {
  static const std::string id = [] {
    const std::string noted = id_of_program();
    return noted.empty() ? "file-" + hash_of_file() : noted;
  }();
  return id;
}

}  // namespace heist::cluster::detail
