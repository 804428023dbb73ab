// docs/guides/coming_over.md: OpenMP, pragma by pragma. Compiles with and without -fopenmp.
#include <heist/heist.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

namespace {

struct node {
  long value;
  node *left = nullptr, *right = nullptr;
};

namespace before {

// region: for_before
void scale(std::vector<double>& v, double by) {
  const long n = static_cast<long>(v.size());
#pragma omp parallel for schedule(dynamic)
  for (long i = 0; i < n; ++i) v[i] *= by;
}
// end

// region: collapse_before
void fill(double* a, int rows, int columns) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) a[i * columns + j] = i + j;
}
// end

// region: reduction_before
double norm(const std::vector<double>& v) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < v.size(); ++i) sum += v[i] * v[i];
  return std::sqrt(sum);
}
// end

// region: critical_before
std::vector<int> odd(const std::vector<int>& v) {
  std::vector<int> found;
#pragma omp parallel for
  for (std::size_t i = 0; i < v.size(); ++i)
    if (v[i] % 2 != 0) {
#pragma omp critical
      found.push_back(v[i]);
    }
  return found;  // in any order
}
// end

// region: tasks_before
long sum(const node* n) {
  if (n == nullptr) return 0;
  long left = 0, right = 0;
#pragma omp task shared(left)
  left = sum(n->left);
#pragma omp task shared(right)
  right = sum(n->right);
#pragma omp taskwait
  return n->value + left + right;
}
long sum_of_tree(const node* root) {
  long all = 0;
#pragma omp parallel
#pragma omp single
  all = sum(root);
  return all;
}
// end

// region: sections_before
void both(void (*one)(), void (*other)()) {
#pragma omp parallel sections
  {
#pragma omp section
    one();
#pragma omp section
    other();
  }
}
// end

// region: private_before
double longest_row(const std::vector<std::vector<double>>& rows) {
  double longest = 0;
#pragma omp parallel
  {
    std::vector<double> scratch;  // one for each thread
#pragma omp for reduction(max : longest)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      scratch.assign(rows[i].begin(), rows[i].end());
      longest = std::max(longest, norm(scratch));
    }
  }
  return longest;
}
// end

// region: more_before
void halve(std::vector<double>& v) {
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp taskloop
    for (std::size_t i = 0; i < v.size(); ++i) v[i] /= 2;
  }
}

std::string lines(int n) {
  std::string all;
#pragma omp parallel for ordered
  for (int i = 0; i < n; ++i) {
    const std::string line = std::to_string(i) + "\n";
#pragma omp ordered
    all += line;
  }
  return all;
}

bool has(const std::vector<int>& v, int wanted) {
  bool found = false;
#pragma omp parallel
#pragma omp for
  for (std::size_t i = 0; i < v.size(); ++i)
    if (v[i] == wanted) {
#pragma omp atomic write
      found = true;
#pragma omp cancel for
    }
  return found;
}

void two_steps(std::vector<double>& v, std::vector<double>& w) {
#pragma omp parallel
  {
#pragma omp for
    for (std::size_t i = 0; i < v.size(); ++i) v[i] += 1;
#pragma omp barrier
#pragma omp for
    for (std::size_t i = 0; i < v.size(); ++i) w[i] = v[v.size() - 1 - i];
  }
}
// end

}  // namespace before

namespace after {

// region: for_after
void scale(std::vector<double>& v, double by) {
  heist::for_each(v, [by](double& x) { x *= by; });  // every schedule is dynamic, and none needs a chunk
}
// end

// region: collapse_after
void fill(double* a, int rows, int columns) {
  heist::for_each_index_2d(rows, columns, [=](int i, int j) { a[i * columns + j] = i + j; });  // in tiles
}
// end

// region: reduction_after
double norm(const std::vector<double>& v) {
  // The same bits on any number of workers.
  return std::sqrt(heist::transform_reduce(v, 0.0, std::plus<>(), [](double x) { return x * x; }));
}
// end

// region: critical_after
std::vector<int> odd(const std::vector<int>& v) {
  return heist::par(v) | heist::stage::filter([](int x) { return x % 2 != 0; }) | heist::to<std::vector>();  // in order
}
// end

// region: tasks_after
long sum(const node* n) {
  if (n == nullptr) return 0;
  auto [left, right] = heist::join([=] { return sum(n->left); }, [=] { return sum(n->right); });
  return n->value + left + right;
}
long sum_of_tree(const node* root) { return sum(root); }  // no region, no single
// end

// region: sections_after
void both(void (*one)(), void (*other)()) { heist::join(one, other); }
// end

// region: private_after
double longest_row(const std::vector<std::vector<double>>& rows) {
  heist::per_worker<std::vector<double>> scratch;
  return heist::transform_reduce(rows, heist::op::max<double>(), [&](const std::vector<double>& row) {
    auto mine = scratch.local();
    mine->assign(row.begin(), row.end());
    double squares = 0;  // no fork while `mine` is in use
    for (const double x : *mine) squares += x * x;
    return std::sqrt(squares);
  });
}
// end

// region: threads_after
void on_four_threads() {
  heist::pool four({.workers = 4});  // OMP_NUM_THREADS=4; for the default pool: HEIST_WORKERS=4
  four.run([] { heist::for_each_index(0, 100, [](int) {}); });
}
// end

// region: more_after
void halve(std::vector<double>& v) {
  heist::for_each(v, [](double& x) { x /= 2; });  // returns when all is done
}

std::string lines(int n) {
  heist::reducer<std::string, heist::op::append<std::string>> all;  // in the serial order
  heist::for_each_index(0, n, [&](int i) { *all += std::to_string(i) + "\n"; });
  return all.take();
}

bool has(const std::vector<int>& v, int wanted) { return heist::find(v, wanted) != v.end(); }  // ends early

void two_steps(std::vector<double>& v, std::vector<double>& w) {
  heist::for_each(v, [](double& x) { x += 1; });  // the end of the call is the barrier
  heist::reverse_copy(v, w.begin());
}
// end

}  // namespace after

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("FAILED: %s\n", what);
  std::exit(1);
}

int ran = 0;

}  // namespace

int main() {
  std::vector<double> a(1000, 3), b = a;
  before::scale(a, 2);
  after::scale(b, 2);
  check(a == b, "for");
  before::fill(a.data(), 20, 50);
  after::fill(b.data(), 20, 50);
  check(a == b, "collapse");
  check(std::abs(before::norm(a) - after::norm(a)) < 1e-9, "reduction");
  std::vector<int> numbers(100);
  for (int i = 0; i < 100; ++i) numbers[static_cast<std::size_t>(i)] = i;
  check(before::odd(numbers).size() == after::odd(numbers).size(), "critical");
  node leaves[2] = {{.value = 1}, {.value = 2}};
  const node root{.value = 4, .left = &leaves[0], .right = &leaves[1]};
  check(before::sum_of_tree(&root) == 7 && after::sum_of_tree(&root) == 7, "tasks");
  static std::mutex lock;
  void (*const count)() = [] {
    const std::lock_guard hold(lock);
    ++ran;
  };
  before::both(count, count);
  after::both(count, count);
  check(ran == 4, "sections");
  const std::vector<std::vector<double>> rows{{1, 2}, {3, 4}, {}};
  check(before::longest_row(rows) == 5 && after::longest_row(rows) == 5, "private");
  after::on_four_threads();
  before::halve(a);
  after::halve(b);
  check(a == b, "taskloop");
  check(before::lines(30) == after::lines(30), "ordered");
  check(before::has(numbers, 77) && after::has(numbers, 77) && !after::has(numbers, -1), "cancel");
  std::vector<double> c(a.size()), d = c;
  before::two_steps(a, c);
  after::two_steps(b, d);
  check(a == b && c == d, "barrier");
}
