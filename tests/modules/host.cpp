// host local|global module…: loads the modules, uses them in turn and at once, and unloads them, twice. It has no heist.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

namespace {

struct module {
  void* handle;
  int (*work)(int inside);
  void (*thrower)();
  int (*catcher)(void (*)());
};

template <class F>
void find(const module& m, const char* name, F& to) {
  to = reinterpret_cast<F>(::dlsym(m.handle, name));
  if (to != nullptr) return;
  std::fprintf(stderr, "host: %s\n", ::dlerror());
  std::exit(1);
}

void must(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "host: %s\n", what);
  std::exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  const int scope = std::strcmp(argv[1], "global") == 0 ? RTLD_GLOBAL : RTLD_LOCAL;
  for (int round = 0; round < 2; ++round) {
    std::vector<module> all;
    for (int i = 2; i < argc; ++i) {
      module m{::dlopen(argv[i], RTLD_NOW | scope), nullptr, nullptr, nullptr};
      if (m.handle == nullptr) std::fprintf(stderr, "host: %s\n", ::dlerror());
      must(m.handle != nullptr, "no module");
      find(m, "module_work", m.work);
      find(m, "module_throw", m.thrower);
      find(m, "module_catch", m.catcher);
      all.push_back(m);
    }
    // In turn, then from four threads at once, each beginning with another module.
    for (int inside : {0, 1, 0})
      for (const module& m : all) must(m.work(inside) == 0, "a module in its turn");
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 4; ++t)
      threads.emplace_back([&all, t] {
        for (std::size_t i = 0; i < all.size(); ++i)
          must(all[(i + t) % all.size()].work(static_cast<int>((i + t) % 2)) == 0, "modules at once");
      });
    for (std::thread& t : threads) t.join();
    for (const module& m : all)
      for (const module& other : all) must(m.catcher(other.thrower) == 0, "an exception does not arrive");
    for (const module& m : all) must(::dlclose(m.handle) == 0, "a module stays");
  }
}
