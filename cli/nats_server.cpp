#include <cli/nats_server.hpp>

#include <analysis/dag/error.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <signal.h>
#include <string.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string_view>

namespace heist::cli {

namespace {
using analysis::bad_input;

// A word in a configuration file and in subjects: nothing to escape.
void must_be_plain(const char* what, const std::string& word, std::string_view also) {
  for (const char c : word)
    if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && !(c >= '0' && c <= '9') && also.find(c) == std::string_view::npos)
      throw bad_input(fmt::format("{} \"{}\" has the character '{}'; use letters, digits and {}", what, word, c, also));
  if (word.empty()) throw bad_input(fmt::format("{} is empty", what));
}

// Of a file's path, which stands between quotes there.
std::string quoted(const std::string& path) {
  if (path.find_first_of("\"\\\n") != std::string::npos)
    throw bad_input(fmt::format("\"{}\" has a quote or a backslash in it; choose another path", path));
  return "\"" + std::filesystem::absolute(path).string() + "\"";
}
}  // namespace

std::string fresh_secret() {
  std::random_device bits;
  std::string text;
  for (int i = 0; i < 4; ++i) text += fmt::format("{:08x}", static_cast<std::uint32_t>(bits()));
  return text;
}

// An account of the job's own: what other jobs on the same server say cannot be heard, and JetStream's names are the job's.
// Within it only the job's subjects, the client's inboxes and JetStream.
std::string nats_server::configuration() const {
  const std::string& job = wanted_.job;
  std::string text = fmt::format(R"(host: "{}"
port: {}
server_name: "heist_{}_{}"
ports_file_dir: {}
max_payload: 67108864
max_pending: 268435456
jetstream {{ store_dir: {} }}
accounts {{
  {} {{
    jetstream: enabled
    users: [
      {{ user: "{}", password: "{}", permissions: {{
        publish: ["heist.{}.>", "_INBOX.>", "$JS.API.>", "$JS.ACK.>", "$KV.heist_{}.>"]
        subscribe: ["heist.{}.>", "_INBOX.>"]
      }} }}
    ]
  }}
}}
)",
                                 wanted_.host, wanted_.port == 0 ? -1 : wanted_.port, job, fresh_secret().substr(0, 8),
                                 quoted(folder_), quoted(folder_ + "/jetstream"), job, job, wanted_.user_password, job, job, job);
  if (!wanted_.certificate.empty())
    text += fmt::format("tls {{ cert_file: {}, key_file: {} }}\n", quoted(wanted_.certificate), quoted(wanted_.key));
  return text;
}

nats_server::nats_server(const settings& wanted) : wanted_(wanted), folder_(wanted.folder) {
  must_be_plain("the job's name", wanted_.job, "_-");
  must_be_plain("the host", wanted_.host, ".:-");
  if (wanted_.user_password.empty()) wanted_.user_password = fresh_secret();
  must_be_plain("the password", wanted_.user_password, "_-");
  if (wanted_.certificate.empty() != wanted_.key.empty())
    throw bad_input("TLS needs both --tls-cert and --tls-key");
  temporary_ = folder_.empty();
  if (temporary_) {
    folder_ = (std::filesystem::temp_directory_path() / "heist-cluster.XXXXXX").string();
    if (::mkdtemp(folder_.data()) == nullptr) throw bad_input(fmt::format("cannot make {}: {}", folder_, ::strerror(errno)));
  } else {
    std::error_code why;
    std::filesystem::create_directories(folder_, why);
    if (why) throw bad_input(fmt::format("cannot make {}: {}", folder_, why.message()));
  }
  try {
    const std::string file = folder_ + "/server.conf", log = folder_ + "/server.log";
    std::filesystem::remove(log);
    std::filesystem::remove(file);  // one that is there keeps its mode
    {
      const mode_t before = ::umask(0077);  // the password is in it
      std::ofstream to(file);
      ::umask(before);
      if (!(to << configuration()).flush()) throw bad_input(fmt::format("{} cannot be written", file));
    }
    process_.emplace(std::vector<std::string>{wanted_.program, "-c", file, "-l", log}, child::variables{}, child::output::none);
    port_ = port_in_use();
  } catch (const bad_input& e) {
    process_.reset();
    if (temporary_) std::filesystem::remove_all(folder_);
    if (std::string_view(e.what()).find("cannot be started") != std::string_view::npos)
      throw bad_input("nats-server cannot be started; install it (Debian: apt-get install nats-server), or name it by --server");
    throw;
  }
}

nats_server::~nats_server() {
  process_.reset();
  if (std::error_code none; temporary_) std::filesystem::remove_all(folder_, none);
}

// The server writes it into a file when it listens.
int nats_server::port_in_use() {
  const std::string file = fmt::format("{}/{}_{}.ports", folder_, std::filesystem::path(wanted_.program).filename().string(),
                                       process_->id());
  for (int tries = 0; tries < 2000; ++tries) {
    if (process_->ended_within(10)) {
      std::string line, last;
      for (std::ifstream log(folder_ + "/server.log"); std::getline(log, line);)
        if (line.find("[FTL]") != std::string::npos || line.find("[ERR]") != std::string::npos) last = line.substr(line.find('[', 1));
      throw bad_input(fmt::format("nats-server ended at once: {}", last.empty() ? "it does not say why" : last));
    }
    std::ifstream in(file);
    const auto all = nlohmann::json::parse(in, nullptr, false);
    if (!all.is_object() || !all.contains("nats") || !all["nats"].is_array() || all["nats"].empty()) continue;
    const std::string first = all["nats"][0];
    return std::atoi(first.substr(first.rfind(':') + 1).c_str());
  }
  throw bad_input("nats-server does not say on which port it listens");
}

std::string nats_server::url(const std::string& host) const {
  return fmt::format("{}://{}:{}@{}:{}/{}", wanted_.certificate.empty() ? "nats" : "tls", wanted_.job, wanted_.user_password, host,
                     port_, wanted_.job);
}

}  // namespace heist::cli
