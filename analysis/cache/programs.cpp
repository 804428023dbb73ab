// The programs whose memory is looked at. They touch the words that a real one would, and compute nothing.

#include <analysis/cache/traced.hpp>

#include <analysis/dag/error.hpp>
#include <analysis/dag/random.hpp>
#include <analysis/dag/spec.hpp>

#include <fmt/format.h>

#include <bit>

namespace heist::analysis {
namespace {

using u64 = std::uint64_t;

// C += A·B by halves, down to blocks; the two products that add to the same quarter come one after the other.
void matrix(tracer& t, spec& s) {
  const u64 n = std::bit_ceil(s.number("n", 64, 8, 256)), block = 8;
  s.finish();
  struct square {
    u64 at, row;
    square quarter(u64 i, u64 j, u64 half) const { return {at + i * half * row + j * half, row}; }
  };
  std::function<void(square, square, square, u64)> multiply = [&](square a, square b, square c, u64 size) {
    if (size <= block) {
      for (u64 i = 0; i < size; ++i)
        for (u64 k = 0; k < size; ++k)
          for (u64 j = 0; j < size; ++j) {
            t.touch(a.at + i * a.row + k);
            t.touch(b.at + k * b.row + j);
            t.touch(c.at + i * c.row + j);
          }
      return;
    }
    const u64 h = size / 2;
    for (u64 k = 0; k < 2; ++k) {
      for (u64 q = 0; q < 4; ++q)
        t.spawn([&] { multiply(a.quarter(q / 2, k, h), b.quarter(k, q % 2, h), c.quarter(q / 2, q % 2, h), h); });
      t.sync();
    }
  };
  multiply({0, n}, {n * n, n}, {2 * n * n, n}, n);
}

// Merge sort with a parallel merge, from one array to another and back. Both halves are taken to interleave evenly.
void sort(tracer& t, spec& s) {
  const u64 n = std::bit_ceil(s.number("n", 4096, 64, 1u << 18)), grain = 32;
  s.finish();
  // Runs of `each` words at a and at b, to `to`.
  std::function<void(u64, u64, u64, u64)> merge = [&](u64 a, u64 b, u64 each, u64 to) {
    if (each <= grain) {
      for (u64 i = 0; i < each; ++i) {
        t.touch(a + i);
        t.touch(to + 2 * i);
        t.touch(b + i);
        t.touch(to + 2 * i + 1);
      }
      return;
    }
    for (u64 step = each / 2; step > 0; step /= 2) t.touch(b + step);  // the search for the other half's middle
    const u64 h = each / 2;
    t.fork([&] { merge(a, b, h, to); }, [&] { merge(a + h, b + h, h, to + each); });
  };
  std::function<void(u64, u64, u64)> run = [&](u64 from, u64 size, u64 other) {
    if (size <= grain) {
      for (u64 i = 0; i < size; ++i)
        for (u64 step = 1; step < size; step *= 2) t.touch(from + i);
      return;
    }
    const u64 h = size / 2;
    t.fork([&] { run(from, h, other); }, [&] { run(from + h, h, other + h); });
    merge(from, from + h, h, other);
    t.loop(0, size, grain, [&](u64 i, u64 end) {
      for (; i < end; ++i) t.touch(other + i), t.touch(from + i);
    });
  };
  run(0, n, n);
}

// Sums of blocks, then the blocks with what is before them.
void scan(tracer& t, spec& s) {
  const u64 n = s.number("n", 16384, 64, 1u << 20), block = 64, blocks = (n + block - 1) / block;
  s.finish();
  auto of_block = [&](u64 k, auto each) {
    for (u64 i = k * block; i < std::min(n, (k + 1) * block); ++i) each(i);
  };
  t.loop(0, blocks, 1, [&](u64 k, u64) {
    of_block(k, [&](u64 i) { t.touch(i); });
    t.touch(2 * n + k);
  });
  for (u64 k = 0; k < blocks; ++k) t.touch(2 * n + k);
  t.loop(0, blocks, 1, [&](u64 k, u64) {
    t.touch(2 * n + k);
    of_block(k, [&](u64 i) { t.touch(i), t.touch(n + i); });
  });
}

// Two grids in turn, n rows of n words, for some rounds; a part is some rows.
void heat(tracer& t, spec& s) {
  const u64 n = s.number("n", 64, 8, 1024), rounds = s.number("rounds", 10, 1, 1000);
  const u64 parts = s.number("parts", 32, 1, n);
  s.finish();
  for (u64 r = 0; r < rounds; ++r) {
    const u64 from = (r % 2) * n * n, to = n * n - from;
    auto rows = [&](u64 first, u64 last) {
      for (u64 i = std::max<u64>(first, 1); i < std::min(last, n - 1); ++i)
        for (u64 j = 1; j + 1 < n; ++j) {
          for (const u64 at : {(i - 1) * n + j, i * n + j - 1, i * n + j, i * n + j + 1, (i + 1) * n + j}) t.touch(from + at);
          t.touch(to + i * n + j);
        }
    };
    std::function<void(u64, u64)> split = [&](u64 first, u64 last) {
      const u64 middle = first + (last - first) / 2;
      for (const auto& [a, b] : {std::pair{first, middle}, std::pair{middle, last}}) {
        if (a == b) continue;
        if (b - a == 1)
          t.spawn_part(a, [&, part = a] { rows(n * part / parts, n * (part + 1) / parts); });
        else
          t.spawn([&, x = a, y = b] { split(x, y); });
      }
      t.sync();
    };
    split(0, parts);
  }
}

// Breadth-first search, level by level, in a random graph.
void graph(tracer& t, spec& s) {
  const u64 n = s.number("n", 2000, 16, 200'000), degree = s.number("degree", 8, 1, 64);
  stream random(s.number("seed", 1, 0, ~u64{0}));
  s.finish();
  std::vector<std::uint32_t> edges(n * degree);
  for (auto& e : edges) e = random.below(static_cast<std::uint32_t>(n));
  std::vector<bool> seen(n, false);
  std::vector<u64> level{0}, next;
  seen[0] = true;
  const u64 marks = n * degree, lists = marks + n;
  while (!level.empty()) {
    next.clear();
    t.loop(0, level.size(), 16, [&](u64 i, u64 end) {
      for (; i < end; ++i) {
        t.touch(lists + i);
        for (u64 k = 0; k < degree; ++k) {
          const u64 e = level[i] * degree + k, to = edges[e];
          t.touch(e);
          t.touch(marks + to);
          if (seen[to]) continue;
          seen[to] = true;
          t.touch(lists + n + next.size());
          next.push_back(to);
        }
      }
    });
    level.swap(next);
  }
}

struct kind {
  const char *name, *example;
  void (*run)(tracer&, spec&);
};
constexpr kind kinds[] = {{"matrix", "matrix:64", matrix},
                          {"sort", "sort:4096", sort},
                          {"scan", "scan:16384", scan},
                          {"heat", "heat:64,rounds=10,parts=32", heat},
                          {"graph", "graph:2000,degree=8,seed=1", graph}};

}  // namespace

std::unique_ptr<traced_program> make_traced(const std::string& text) {
  const auto colon = std::min(text.find(':'), text.size());
  for (const kind& k : kinds) {
    if (text.compare(0, colon, k.name) != 0) continue;
    spec s(text, std::min(colon + 1, text.size()), "n");
    tracer t;
    k.run(t, s);
    return t.finish();
  }
  std::string all;
  for (const kind& k : kinds) all += fmt::format("{}{}", all.empty() ? "" : ", ", k.example);
  throw bad_input(fmt::format("there is no traced program \"{}\"; there are {}", text, all));
}

std::vector<std::string> traced_examples() {
  std::vector<std::string> all;
  for (const kind& k : kinds) all.emplace_back(k.example);
  return all;
}

}  // namespace heist::analysis
