#include <analysis/race/symbols.hpp>

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

extern char** environ;

namespace heist::race {

namespace {

struct module {
  std::string file;
  std::uintptr_t base = 0;
};

std::string own_path() {
  char path[4096];
  const ssize_t n = ::readlink("/proc/self/exe", path, sizeof path);
  return n > 0 ? std::string(path, static_cast<std::size_t>(n)) : "/proc/self/exe";
}

module module_at(const void* address) {
  Dl_info info{};
  link_map* map = nullptr;
  module m;
  if (::dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) return m;
  m.base = map->l_addr;
  m.file = map->l_name == nullptr || map->l_name[0] == 0 ? own_path() : map->l_name;
  return m;
}

// What a program prints; false if it cannot be started.
bool output_of(const std::vector<std::string>& words, std::string& text) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return false;
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  ::posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (const std::string& w : words) arguments.push_back(const_cast<char*>(w.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, words[0].c_str(), &files, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  if (error == 0) {
    char buffer[1 << 16];
    for (ssize_t n; (n = ::read(ends[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  int status = 0;
  if (error == 0) ::waitpid(child, &status, 0);
  return error == 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

std::string demangled(const char* name) {
  if (std::strncmp(name, "_Z", 2) != 0) return name;  // a variable `x` is not the type whose code is x
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string s = status == 0 && text != nullptr ? text : name;
  std::free(text);
  return s;
}

std::string_view next_line(std::string_view& rest) {
  const std::size_t end = rest.find('\n');
  const std::string_view line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return line;
}

source_place place_of(std::string_view function, std::string_view where) {
  source_place p;
  p.function = std::string(function);
  const std::size_t discriminator = where.find(" (discriminator");
  where = where.substr(0, discriminator);
  const std::size_t colon = where.rfind(':');
  if (colon == std::string_view::npos) return p;
  p.file = std::string(where.substr(0, colon));
  p.line = static_cast<unsigned>(std::strtoul(std::string(where.substr(colon + 1)).c_str(), nullptr, 10));
  return p;
}

}  // namespace

namespace {

// Files of heist, wherever it is installed: heist/join.hpp, heist/race/strands.hpp. tests/race/names_test.cpp looks that none is
// missing.
bool is_heists(std::string_view file) {
  constexpr std::string_view headers[] = {
      "affinity", "async", "barrier", "blocking", "cancelled", "channel", "cluster", "collect", "condition_variable",
      "coroutine", "deque", "execution", "fill", "filter", "find", "for_each", "for_each_chunk", "for_each_index_2d",
      "future", "grain", "graph", "group", "group_order", "heist", "histogram", "io", "join", "latch", "limit", "measure",
      "measurement", "merge", "mutex", "op", "options", "order", "pack", "padded", "par", "partition", "per_worker",
      "permute", "pipeline", "pool", "progress", "race", "rearrange", "reduce", "reducer", "replace", "scan", "scope",
      "search", "select", "semaphore", "sender", "set", "shared_mutex", "shares_memory", "shuffle", "sleep", "sort",
      "stage", "stats", "suspend", "tbb", "uninitialized", "version", "when", "worker_index"};
  constexpr std::string_view folders[] = {
      "algorithm", "base", "check", "cluster", "deque", "fence", "io", "lazy", "measure", "meter", "race", "sched", "share",
      "sleep", "stack", "strand", "tbb", "topology", "trace", "views", "wait"};
  if (file.ends_with("/heist/race/builtins.h")) return true;
  if (file.size() < 4 || file.substr(file.size() - 4) != ".hpp") return false;
  std::size_t slash = file.rfind('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view name = file.substr(slash + 1, file.size() - slash - 5);
  const std::string_view folder = file.substr(0, slash);
  auto ends = [](std::string_view path, std::string_view with) {
    return path == with || (path.size() > with.size() && path.substr(path.size() - with.size()) == with &&
                            path[path.size() - with.size() - 1] == '/');
  };
  if (ends(folder, "heist"))
    for (const std::string_view h : headers)
      if (name == h) return true;
  slash = folder.rfind('/');
  if (slash != std::string_view::npos && ends(folder.substr(0, slash), "heist"))
    for (const std::string_view f : folders)
      if (folder.substr(slash + 1) == f) return true;
  return false;
}

// Where a template's argument ends that begins at `i`.
std::size_t argument_end(std::string_view text, std::size_t i) {
  for (int depth = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (depth == 0 && (c == ',' || c == '>')) break;
    if (c == '<' || c == '(' || c == '{') ++depth;
    if (c == '>' || c == ')' || c == '}') --depth;
  }
  return i;
}
std::string plain(std::string name) {
  for (const std::string_view end : {"&", " const"})
    while (name.size() > end.size() && name.ends_with(end)) name.erase(name.size() - end.size());
  return name;
}

// A function of the program that the compiler has put into heist's own, which calls it, is called by its own name.
std::string program_name(std::string function) {
  // A join calls its branches by lambdas of its own: by the first of them its first argument, by the second its second.
  constexpr std::string_view join = "heist::detail::join_in_order<";
  if (const std::size_t at = function.find(join); at != std::string::npos) {
    const std::size_t first = at + join.size(), end = argument_end(function, first);
    if (function.find(")::{lambda()#2}&>") == std::string::npos) return plain(function.substr(first, end - first));
    const std::size_t second = std::min(end + 2, function.size());
    return plain(function.substr(second, argument_end(function, second) - second));
  }
  constexpr std::string_view callers[] = {"heist::detail::call_back<", "heist::detail::call_stage<", "heist::detail::race::apart<"};
  for (const std::string_view caller : callers) {
    const std::size_t at = function.find(caller);
    if (at == std::string::npos) continue;
    const std::size_t first = at + caller.size();
    return plain(function.substr(first, argument_end(function, first) - first));
  }
  return function;
}

}  // namespace

bool source_place::is_ours() const {
  return file.find("/include/c++/") != std::string::npos || file.find("/usr/include/") == 0 ||
         file.find("/lib/gcc/") != std::string::npos || file.find("/analysis/race/") != std::string::npos ||
         file.find("libc-start.c") != std::string::npos || file.find("libc_start") != std::string::npos || is_heists(file);
}

void symbols::want(const void* return_address) {
  if (return_address != nullptr) all_[return_address];
}

void symbols::find_all() {
  std::map<std::string, std::vector<const void*>> by_file;
  std::map<const void*, std::uintptr_t> offsets;
  for (auto& [address, places] : all_) {
    if (!places.empty()) continue;
    const void* const call = static_cast<const char*>(address) - 1;
    const module m = module_at(call);
    Dl_info info{};
    source_place p;
    if (::dladdr(call, &info) != 0 && info.dli_sname != nullptr) p.function = demangled(info.dli_sname);
    char text[64];
    offsets[address] = reinterpret_cast<std::uintptr_t>(call) - m.base;
    std::snprintf(text, sizeof text, "+0x%zx", static_cast<std::size_t>(offsets[address]));
    p.file = (m.file.empty() ? "?" : m.file) + text;
    places.push_back(p);
    if (!m.file.empty()) by_file[m.file].push_back(address);
  }
  constexpr std::size_t most = 2000;
  for (const auto& [file, addresses] : by_file) {
    for (std::size_t from = 0; from < addresses.size(); from += most) {
      std::vector<std::string> words{"addr2line", "-a", "-f", "-C", "-i", "-e", file};
      const std::size_t to = from + most < addresses.size() ? from + most : addresses.size();
      for (std::size_t i = from; i < to; ++i) {
        char text[32];
        std::snprintf(text, sizeof text, "0x%zx", static_cast<std::size_t>(offsets[addresses[i]]));
        words.push_back(text);
      }
      std::string text;
      bool done = false;
      for (const char* const tool : {"addr2line", "llvm-addr2line", "llvm-addr2line-19"}) {
        words[0] = tool;
        text.clear();
        if ((done = output_of(words, text))) break;
      }
      missing_ = missing_ || !done;
      std::string_view rest(text);
      std::size_t i = from;
      std::string_view line = next_line(rest);
      while (line.substr(0, 2) == "0x" && i < to) {
        std::vector<source_place> places;
        line = next_line(rest);
        while (!line.empty() && line.substr(0, 2) != "0x") {
          const std::string_view where = next_line(rest);
          source_place p = place_of(line, where);
          p.function = program_name(std::move(p.function));
          if (p.known()) places.push_back(p);
          line = next_line(rest);
        }
        if (!places.empty()) all_[addresses[i]] = std::move(places);
        ++i;
      }
    }
  }
}

const std::vector<source_place>& symbols::at(const void* return_address) const {
  static const std::vector<source_place> none(1);
  const auto found = all_.find(return_address);
  return found == all_.end() || found->second.empty() ? none : found->second;
}

const source_place& symbols::own(const void* return_address) const {
  const auto& places = at(return_address);
  for (const source_place& p : places)
    if (p.known() && !p.is_ours()) return p;
  return places.front();
}

// Variables -----------------------------------------------------------------------------------------------------------

namespace {

struct file_view {
  explicit file_view(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat s{};
    if (fd < 0 || ::fstat(fd, &s) != 0) {
      if (fd >= 0) ::close(fd);
      return;
    }
    size = static_cast<std::size_t>(s.st_size);
    void* const p = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    ::close(fd);
    if (p != MAP_FAILED) start = static_cast<const char*>(p);
  }
  ~file_view() {
    if (start != nullptr) ::munmap(const_cast<char*>(start), size);
  }
  file_view(const file_view&) = delete;
  file_view& operator=(const file_view&) = delete;

  const char* start = nullptr;
  std::size_t size = 0;
};

std::string variable_in(const module& m, std::uintptr_t address, std::size_t& offset) {
  const file_view f(m.file);
  if (f.start == nullptr || f.size < sizeof(Elf64_Ehdr) || std::memcmp(f.start, ELFMAG, SELFMAG) != 0) return "";
  const auto& head = *reinterpret_cast<const Elf64_Ehdr*>(f.start);
  if (head.e_shoff + std::size_t{head.e_shnum} * sizeof(Elf64_Shdr) > f.size) return "";
  const auto* const sections = reinterpret_cast<const Elf64_Shdr*>(f.start + head.e_shoff);
  for (const unsigned kind : {unsigned{SHT_SYMTAB}, unsigned{SHT_DYNSYM}})
    for (unsigned i = 0; i < head.e_shnum; ++i) {
      if (sections[i].sh_type != kind || sections[i].sh_link >= head.e_shnum) continue;
      const auto* s = reinterpret_cast<const Elf64_Sym*>(f.start + sections[i].sh_offset);
      const auto* const end = s + sections[i].sh_size / sizeof *s;
      const char* const names = f.start + sections[sections[i].sh_link].sh_offset;
      for (; s != end; ++s) {
        if (ELF64_ST_TYPE(s->st_info) != STT_OBJECT || s->st_shndx == SHN_UNDEF) continue;
        const std::uintptr_t at = m.base + s->st_value;
        if (address - at >= s->st_size) continue;
        offset = address - at;
        return demangled(names + s->st_name);
      }
    }
  return "";
}

}  // namespace

std::string symbols::variable(std::uintptr_t address, std::size_t& offset) {
  const module m = module_at(reinterpret_cast<const void*>(address));
  return m.file.empty() ? "" : variable_in(m, address, offset);
}

}  // namespace heist::race
