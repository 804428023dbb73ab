#include <heist/cluster/options.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace heist::cluster {

namespace {

[[noreturn]] void refuse(std::string_view name, std::string_view value, std::string_view wanted) {
  throw std::invalid_argument("heist: cluster: " + std::string(name) + " is \"" + std::string(value) + "\"; " + std::string(wanted));
}

// Without what must stay secret: error messages go to logs.
std::string without_secret(std::string_view address) {
  const auto at = address.rfind('@');
  if (at == address.npos) return std::string(address);
  const auto scheme_end = address.substr(0, at).find("://");
  return std::string(address.substr(0, scheme_end == address.npos ? 0 : scheme_end + 3)) + "..." +
         std::string(address.substr(at));
}

constexpr std::string_view names_of_jobs = "the job's name has 1 to 64 letters, digits, - or _";
bool can_name_a_job(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
  });
}

// nats://token@host:port,host:port/job
void read_address(options& to, std::string_view name, std::string_view text) {
  constexpr std::string_view form = "the form is nats://token@host:port/job, or nats://user:password@host:port/job";
  const auto scheme_end = text.find("://");
  if (scheme_end == text.npos) refuse(name, without_secret(text), form);
  const std::string scheme(text.substr(0, scheme_end));
  if (scheme != "nats" && scheme != "tls") refuse(name, without_secret(text), form);
  std::string_view rest = text.substr(scheme_end + 3);
  const auto slash = rest.rfind('/');
  if (slash == rest.npos) refuse(name, without_secret(text), form);
  to.job = rest.substr(slash + 1);
  rest = rest.substr(0, slash);
  if (!can_name_a_job(to.job)) refuse(name, without_secret(text), names_of_jobs);
  if (const auto at = rest.rfind('@'); at != rest.npos) {
    const std::string_view who = rest.substr(0, at);
    rest = rest.substr(at + 1);
    if (const auto colon = who.find(':'); colon != who.npos) {
      to.user = who.substr(0, colon);
      to.password = who.substr(colon + 1);
    } else {
      to.token = who;
    }
  }
  to.servers.clear();
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    if (comma == 0) refuse(name, without_secret(text), form);
    to.servers.push_back(scheme + "://" + std::string(rest.substr(0, comma)));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  if (to.servers.empty()) refuse(name, without_secret(text), form);
  if (to.as == role::alone) to.as = role::driver;
}

std::size_t number(std::string_view name, std::string_view text, std::size_t least, std::size_t most) {
  std::size_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n < least || n > most)
    refuse(name, text, "a number from " + std::to_string(least) + " to " + std::to_string(most) + " is wanted");
  return n;
}

bool yes(std::string_view name, std::string_view text) {
  if (text.empty() || text == "1") return true;
  if (text == "0") return false;
  refuse(name, text, "0 or 1 is wanted");
}

struct setting {
  const char* variable;
  std::string_view argument;
  void (*read)(options&, std::string_view name, std::string_view value);
};

constexpr setting settings[] = {
    {"HEIST_CLUSTER", "--heist-cluster", read_address},
    {"HEIST_CLUSTER_ROLE", "--heist-role",
     [](options& to, std::string_view name, std::string_view value) {
       if (value != "driver" && value != "helper") refuse(name, value, "driver or helper is wanted");
       to.as = value == "driver" ? role::driver : role::helper;
     }},
    {"HEIST_CLUSTER_CA", "--heist-ca", [](options& to, std::string_view, std::string_view value) { to.ca = value; }},
    {"HEIST_CLUSTER_SUSPECT_MS", "--heist-suspect-ms",
     [](options& to, std::string_view name, std::string_view value) {
       to.suspect = std::chrono::milliseconds(number(name, value, 100, 3'600'000));
     }},
    {"HEIST_CLUSTER_GIVE_UP_MS", "--heist-give-up-ms",
     [](options& to, std::string_view name, std::string_view value) {
       to.give_up = std::chrono::milliseconds(number(name, value, 100, 86'400'000));
     }},
    {"HEIST_CLUSTER_MOST_BYTES", "--heist-most-bytes",
     [](options& to, std::string_view name, std::string_view value) {
       to.most_bytes = number(name, value, 64, std::size_t{64} << 20);
     }},
    {"HEIST_CLUSTER_DURABLE", "--heist-durable",
     [](options& to, std::string_view name, std::string_view value) { to.durable = yes(name, value); }},
    {"HEIST_CLUSTER_STATUS", "--heist-status",
     [](options& to, std::string_view name, std::string_view value) { to.verbose = yes(name, value); }},
};

void read_environment(options& o) {
  for (const setting& s : settings)
    if (const char* const value = std::getenv(s.variable); value != nullptr && *value != '\0') s.read(o, s.variable, value);
}

}  // namespace

void detail::check(const options& o) {
  if (o.as == role::alone) return;
  if (o.servers.empty())
    throw std::invalid_argument("heist: cluster: a role is set, but no server; set HEIST_CLUSTER=nats://token@host:port/job");
  for (const std::string& s : o.servers)
    if (!s.starts_with("nats://") && !s.starts_with("tls://"))
      refuse("options::servers", without_secret(s), "the form is nats://host:port or tls://host:port");
  if (!can_name_a_job(o.job)) refuse("options::job", o.job, names_of_jobs);
}

options options::from_environment() {
  options o;
  read_environment(o);
  detail::check(o);
  return o;
}

options options::from(int argc, const char* const* argv) {
  options o;
  read_environment(o);
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (!argument.starts_with("--heist-")) continue;
    const auto equals = std::min(argument.find('='), argument.size());
    const auto* const s = std::find_if(std::begin(settings), std::end(settings),
                                       [&](const setting& one) { return one.argument == argument.substr(0, equals); });
    if (s == std::end(settings)) refuse("an argument", argument, "there is no such setting");
    s->read(o, s->argument, argument.substr(std::min(equals + 1, argument.size())));
  }
  detail::check(o);
  return o;
}

}  // namespace heist::cluster
