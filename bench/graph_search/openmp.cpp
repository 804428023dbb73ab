#include <bench/graph_search/graph.hpp>
#include <bench/runtimes/openmp.hpp>

int main(int argc, char** argv) {
  return bench::contestant_on<graph_search::input>(argc, argv, [](auto& runtime, graph_search::input& in) {
    runtime.enter([&] { graph_search::search<bench::runtime>(in); });
  });
}
