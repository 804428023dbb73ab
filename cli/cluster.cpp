// heist cluster: a server for a job's messages; a driver and helpers on this machine.

#include <cli/child.hpp>
#include <cli/cluster_trace.hpp>
#include <cli/command.hpp>
#include <cli/nats_server.hpp>
#include <cli/program.hpp>

#include <analysis/dag/error.hpp>

#include <heist/pool.hpp>

#include <fmt/format.h>

#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heist::cli {
namespace {

using analysis::bad_input;

// heist cluster up ----------------------------------------------------------------------------------------------------

struct up_settings {
  nats_server::settings server;
  std::string reached_as;
};

int up(const up_settings& with) {
  // Heard by sigtimedwait, and by nobody else.
  sigset_t ends;
  ::sigemptyset(&ends);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&ends, number);
  ::pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  nats_server server(with.server);
  fmt::print("HEIST_CLUSTER={}\n", server.url(with.reached_as.empty() ? with.server.host : with.reached_as));
  fmt::print(stderr,
             "The server runs until Ctrl-C. With that variable set:\n"
             "  ./program             is the driver\n"
             "  heist serve -- ./program   makes a machine a helper\n");
  if (with.server.host != "127.0.0.1" && with.server.certificate.empty())
    fmt::print(stderr, "Whoever can listen on the network reads the password; --tls-cert and --tls-key encrypt.\n");
  std::fflush(stdout);
  const timespec a_while{0, 200'000'000};
  while (::sigtimedwait(&ends, nullptr, &a_while) < 0)
    if (server.process().ended_within(0))
      throw bad_input(fmt::format("nats-server ended with exit status {}", server.process().status()));
  return ok;
}

// heist cluster run ---------------------------------------------------------------------------------------------------

struct run_settings {
  program what;
  unsigned processes = 2;
  nats_server::settings server;
  bool durable = false, profile = false;
  std::string trace;
};

// Where the processes of a run leave their traces.
class folder_of_traces {
 public:
  folder_of_traces() {
    if (::mkdtemp(path_.data()) == nullptr) throw bad_input(fmt::format("cannot make {}", path_));
  }
  ~folder_of_traces() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  folder_of_traces(const folder_of_traces&) = delete;
  folder_of_traces& operator=(const folder_of_traces&) = delete;

  std::string next() { return files_.emplace_back(fmt::format("{}/{}.json", path_, files_.size())); }
  // Those that have left one: not those that were killed.
  std::vector<std::string> left() const {
    std::vector<std::string> there;
    for (const std::string& f : files_)
      if (std::filesystem::exists(f) && std::filesystem::exists(f + ".cluster")) there.push_back(f);
    return there;
  }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() / "heist-traces.XXXXXX").string();
  std::vector<std::string> files_;
};

int run(const run_settings& with) {
  if (with.what.words.empty()) throw bad_input("no program; write: heist cluster run -n 4 -- ./program arguments");
  const unsigned workers = with.what.workers > 0 ? with.what.workers : std::max(1u, available_parallelism() / with.processes);
  const char* const joined = std::getenv("HEIST_CLUSTER");
  std::optional<nats_server> own;
  if (joined == nullptr || *joined == 0) own.emplace(with.server);
  child::variables variables = {{"HEIST_CLUSTER", own ? own->url() : joined}, {"HEIST_WORKERS", std::to_string(workers)}};
  if (with.durable) variables.emplace_back("HEIST_CLUSTER_DURABLE", "1");
  child::variables as_helper = variables;
  as_helper.emplace_back("HEIST_CLUSTER_ROLE", "helper");
  // The driver's has all; theirs would be written over it.
  for (const char* const files : {"HEIST_PROFILE", "HEIST_RECORD", "HEIST_TRACE"}) as_helper.emplace_back(files, "");
  std::optional<new_file> whole;
  std::optional<folder_of_traces> traces;
  if (!with.trace.empty()) {
    whole.emplace(with.trace);
    traces.emplace();
  }
  auto traced = [&](child::variables of) {
    if (traces) of.emplace_back("HEIST_TRACE", traces->next());
    return of;
  };
  std::vector<child> helpers;
  for (unsigned i = 1; i < with.processes; ++i) helpers.emplace_back(with.what.words, traced(as_helper), child::output::none);
  variables.emplace_back("HEIST_CLUSTER_ROLE", "driver");
  if (with.profile) variables.emplace_back("HEIST_PROFILE", "text");
  program::pass_signals_on();
  const int status = with.what.tell(with.what.run(traced(variables), program::output::own));
  // They leave with the job. If the driver was killed there is no end of the job, and they are asked to.
  if (status != 0)
    for (const child& each : helpers) each.signal(SIGTERM);
  for (child& each : helpers) each.ended_within(2000);
  if (traces) {
    const merged_trace m = merge_traces(traces->left());
    whole->write(m.all.dump());
    whole->keep();
    print_crossings(m, with.trace);
  }
  return status;
}

void add_server_options(CLI::App& app, nats_server::settings& server) {
  app.add_option("--job", server.job, "the job's name: letters, digits, _ and -")->capture_default_str();
  app.add_option("--server", server.program, "the server's program")->capture_default_str();
  app.add_option("--folder", server.folder, "where durable jobs keep their notes; by default a temporary folder");
}

void add_cluster_up(CLI::App& cluster, action& chosen) {
  const auto with = std::make_shared<up_settings>();
  CLI::App* const app = cluster.add_subcommand(
      "up", "Start a NATS server for one job, with a fresh password, and print the line that joins it. Runs until Ctrl-C.");
  with->server.port = 4222;
  add_server_options(*app, with->server);
  app->add_option("--host", with->server.host, "the address to listen on; 0.0.0.0 for all")->capture_default_str();
  app->add_option("--port", with->server.port, "the port; 0 for one that is free")->check(CLI::Range(0, 65535))->capture_default_str();
  app->add_option("--name", with->reached_as, "how other machines reach this one, for the line that is printed");
  app->add_option("--password", with->server.user_password, "instead of a fresh one: letters, digits, _ and -");
  app->add_option("--tls-cert", with->server.certificate, "the server's certificate: encrypts all connections");
  app->add_option("--tls-key", with->server.key, "its key");
  app->footer("Examples:\n  heist cluster up\n  heist cluster up --host 0.0.0.0 --name node1.example --tls-cert c.pem --tls-key k.pem");
  app->callback([with, &chosen] { chosen = [with] { return up(*with); }; });
}

void add_cluster_run(CLI::App& cluster, action& chosen) {
  const auto with = std::make_shared<run_settings>();
  CLI::App* const app = cluster.add_subcommand(
      "run",
      "Run a program as driver and helpers on this machine, with a server of their own, or with that of HEIST_CLUSTER. The "
      "helpers' standard output is dropped. The exit code is the driver's.");
  app->add_option("program", with->what.words, "the program and its arguments, after --");
  app->add_option("-n,--processes", with->processes, "driver and helpers together")->check(CLI::Range(1, 1024))->capture_default_str();
  app->add_option("-w,--workers", with->what.workers, "workers of each process; by default the processors are divided")
      ->check(CLI::Range(1, 4096));
  app->add_flag("--durable", with->durable, "keep notes in JetStream, so that a driver that was killed goes on when it is started again");
  app->add_option("--trace", with->trace, "write one trace of all processes to this file");
  app->add_flag("--profile", with->profile, "print work, span and the bytes sent, of all processes together, to standard error");
  add_server_options(*app, with->server);
  app->footer("Examples:\n  heist cluster run -n 4 -- ./program 17\n  heist cluster run -n 4 --profile -- ./program 17\n  heist cluster run -n 3 -w 1 --durable --folder notes -- ./program");
  app->callback([with, &chosen] { chosen = [with] { return run(*with); }; });
}

}  // namespace

void add_cluster(CLI::App& heist, action& chosen) {
  CLI::App* const cluster = heist.add_subcommand(
      "cluster", "Run a program that uses heist::cluster on several machines, or in several processes on this one.");
  cluster->require_subcommand(1);
  add_cluster_up(*cluster, chosen);
  add_cluster_run(*cluster, chosen);
  add_cluster_trace(*cluster, chosen);
#if defined(HEIST_COMMAND_HAS_CLUSTER)
  add_cluster_top(*cluster, chosen);
#endif
}

}  // namespace heist::cli
