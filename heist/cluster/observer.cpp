#include <heist/cluster/observer.hpp>

#include <algorithm>
#include <random>
#include <tuple>

namespace heist::cluster::detail {

namespace {
node_id random_id() {
  std::random_device device;
  return (static_cast<node_id>(device()) << 32 | device()) | 1;
}
}  // namespace

// The numbers are those of agent::show_figures().
std::optional<seen_node> figures_in(const message& m) {
  if (m.what != say::figures || m.numbers.size() != 7) return std::nullopt;
  seen_node n;
  n.id = m.from;
  n.host = m.text;
  n.driver = (m.flags & flag::driver) != 0;
  n.running = (m.flags & flag::running) != 0;
  n.draining = (m.flags & flag::draining) != 0;
  n.workers = m.workers;
  const auto& v = m.numbers;
  std::tie(n.process, n.lent, n.returned, n.came_home, n.borrowed, n.messages_sent, n.bytes_sent) =
      std::tie(v[0], v[1], v[2], v[3], v[4], v[5], v[6]);
  return n;
}

observer::observer(const options& wanted) : me_(random_id()), wire_(wanted, me_) {
  auto nothing = [](auto...) {};
  wire_.listen({[this](message& m) { message_came(m); }, nothing, nothing, nothing, nothing});
}

observer::~observer() { wire_.close(); }

void observer::message_came(const message& m) {
  const auto n = figures_in(m);
  if (!n) return;
  const std::lock_guard hold(lock_);
  const auto same = std::ranges::find(seen_, n->id, &seen_node::id);
  if (same != seen_.end())
    *same = *n;
  else
    seen_.push_back(*n);
  came_.notify_all();
}

std::vector<seen_node> observer::look(std::chrono::milliseconds silence) {
  std::unique_lock hold(lock_);
  seen_.clear();
  hold.unlock();
  message m;
  m.what = say::look;
  m.from = me_;
  wire_.send_all(m);
  wire_.flush();
  hold.lock();
  // Each answer prolongs it, but a node that answers again and again does not.
  const auto end = std::chrono::steady_clock::now() + 20 * silence;
  for (std::size_t before = ~std::size_t{0}; before != seen_.size() && std::chrono::steady_clock::now() < end;) {
    before = seen_.size();
    came_.wait_for(hold, silence, [&] { return seen_.size() != before; });
  }
  std::ranges::sort(seen_, {}, [](const seen_node& n) { return std::make_tuple(!n.driver, n.host, n.process); });
  return seen_;
}

}  // namespace heist::cluster::detail
