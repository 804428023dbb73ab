#include <heist/cluster.hpp>
#include <heist/cluster/agent.hpp>

#include <atomic>
#include <cstdlib>
#include <stdexcept>

namespace heist::cluster {

namespace {
std::atomic<bool> one_is_there{false};

std::unique_ptr<detail::agent> join_job(const options& wanted) {
  detail::check_registry();
  if (wanted.as == role::alone) return nullptr;
  detail::check(wanted);
  return std::make_unique<detail::agent>(wanted, heist::default_pool());
}
}  // namespace

node::node(const options& wanted) : as_(wanted.as) {
  if (one_is_there.exchange(true))
    throw std::logic_error("heist: cluster: a process has one node at a time; destroy the first before you make another");
  try {
    agent_ = join_job(wanted);
  } catch (...) {
    one_is_there = false;
    throw;
  }
}

node::~node() {
  agent_.reset();
  one_is_there = false;
}

role node::as() const noexcept { return as_; }

bool node::durable() const noexcept { return agent_ && agent_->durable(); }

void node::serve() { std::exit(agent_->serve()); }

void node::begin_root(const detail::entry& what, const detail::bytes& arguments) {
  if (agent_) agent_->begin_root(what, arguments);
}

void node::end_root() {
  if (agent_) agent_->end_root();
}

figures node::so_far() const {
  if (!agent_) return {};
  const auto f = agent_->so_far();
  return {f.lent.lent, f.lent.returned, f.lent.came_home, f.borrowed, f.lent.adopted, f.peers, f.traffic.messages_sent, f.traffic.bytes_sent, f.traffic.messages_received,
          f.traffic.bytes_received};
}

}  // namespace heist::cluster
