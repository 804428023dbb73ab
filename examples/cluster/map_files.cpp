// A map over many files that all machines can read: the indices travel, the files do not.

#include <heist/cluster.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <unistd.h>

namespace hc = heist::cluster;

// region: map
// The files lie in a folder that every machine of the job has mounted. The result is a value, so it does not matter which
// machine reads a file, nor that one may read it twice.
long lines_of(int i, std::string folder) {
  std::ifstream in(folder + "/" + std::to_string(i) + ".txt");
  long n = 0;
  for (std::string line; std::getline(in, line);) ++n;
  return n;
}
HEIST_CLUSTER_TASK(lines_of)

long lines(std::string folder, int files) { return hc::transform_reduce<&lines_of>(0, files, 0L, folder); }
HEIST_CLUSTER_TASK(lines)
// end

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  hc::node node(hc::options::from(argc, argv));
  const fs::path folder = fs::temp_directory_path() / ("heist-map-files-" + std::to_string(::getpid()));
  fs::create_directory(folder);
  long wanted = 0;
  for (int i = 0; i < 200; ++i) {
    std::ofstream out(folder / (std::to_string(i) + ".txt"));
    for (int k = 0; k < i % 7; ++k) out << "a line\n";
    wanted += i % 7;
  }
  const long found = node.run<&lines>(folder.string(), 200);
  fs::remove_all(folder);
  std::printf("%ld lines in 200 files\n", found);
  return found == wanted ? 0 : 1;
}
