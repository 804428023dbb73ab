#pragma once
// The members of a job that are there. See README.md, "Members".

#include <heist/base/clock.hpp>
#include <heist/base/export.hpp>
#include <heist/base/random.hpp>
#include <heist/cluster/message.hpp>

#include <map>
#include <mutex>
#include <vector>

HEIST_BEGIN

namespace heist::cluster::detail {

using heist::detail::nanoseconds;
inline constexpr nanoseconds ms = 1'000'000;

struct peer {
  std::uint8_t flags = 0;
  std::uint32_t workers = 0;
  nanoseconds heard = 0;  // when it was last heard
};

class peers {
 public:
  // From hello and here. True if it is new.
  bool enter(node_id id, std::uint8_t flags, std::uint32_t workers);
  // Any message: it lives. False if it is no member.
  bool heard(node_id id);
  void set_draining(node_id id);
  bool remove(node_id id);
  // When it was last heard; 0 if it is no member.
  nanoseconds last_heard(node_id id) const;
  // To whom `me` gives its lifelines: of all nodes, sorted, those whose places differ from its own in one bit. At most log2 of
  // their number, and work can reach everybody over them.
  std::vector<node_id> neighbours(node_id me) const;
  // A random one; 0 if there is none. Not `but`, if there is another.
  node_id any(node_id but);
  std::size_t count() const;
  // After our own connection was gone: everybody has just been heard.
  void forgive();

 private:
  mutable std::mutex lock_;
  heist::detail::random dice_{static_cast<unsigned>(heist::detail::now())};
  std::map<node_id, peer> there_;
};

}  // namespace heist::cluster::detail

HEIST_END
