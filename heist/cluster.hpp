#pragma once
// heist::cluster: a program on many machines. Link with heist::cluster.

#include <heist/base/export.hpp>
#include <heist/cluster/batch.hpp>
#include <heist/cluster/best.hpp>
#include <heist/cluster/call.hpp>
#include <heist/cluster/loops.hpp>
#include <heist/cluster/options.hpp>
#include <heist/cluster/registry.hpp>
#include <heist/pool.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

HEIST_BEGIN

namespace heist::cluster {

namespace detail {
class agent;
}

// What a node has done so far.
struct HEIST_TYPE figures {
  std::uint64_t lent = 0;       // branches that were given to other machines
  std::uint64_t returned = 0;   // of these: with a result
  std::uint64_t came_home = 0;  // of these: run here after all, as their machine was lost or did not want them
  std::uint64_t borrowed = 0;
  std::uint64_t adopted = 0;  // calls whose result another machine had already, or a former driver
  std::size_t peers = 0;
  std::uint64_t messages_sent = 0, bytes_sent = 0, messages_received = 0, bytes_received = 0;
};

// This process in a job. One at a time.
class HEIST_TYPE node {
 public:
  // Joins the job. Throws std::runtime_error, with one sentence, if there is no server, it refuses the token, or the job has
  // a driver already; std::logic_error if a task is not registered.
  HEIST_API explicit node(const options& wanted = options::from_environment());
  // A driver ends the job.
  HEIST_API ~node();
  node(const node&) = delete;
  node& operator=(const node&) = delete;

  // The driver: runs f in the default pool, returns what it returns and throws what it throws. Branches that can travel may
  // run on the job's other machines. A helper serves the job here, and leaves the process with status 0 when the job has
  // ended; other statuses come with one line on standard error.
  template <auto f, class... A>
  HEIST_OWN auto run(A&&... a) {
    static_assert(detail::signature<decltype(f)>::function, "heist::cluster::node::run<&f>(arguments): f is a function");
    static_assert(std::is_invocable_v<decltype(f), A...>,
                  "heist::cluster::node::run<&f>(arguments): f cannot be called with these arguments");
    if constexpr (detail::can_be_task<f>() && std::is_invocable_v<decltype(f), A...>) {
      // The root does not travel: so it need not be registered.
      using values = typename detail::signature<decltype(f)>::template with_parameters<detail::decayed_values>;
      const call<f> c(detail::fill<values>::from(std::forward<A>(a)...));
      if (as() == role::helper) serve();
      detail::bytes arguments;  // of a durable job: they are a part of what it is
      detail::writer w(arguments);
      if (durable()) c.write(w);
      begin_root(detail::entry_of<call<f>>, arguments);
      const auto root = [&] {
        try {
          return heist::default_pool().run([&] { return c(); });
        } catch (...) {
          end_root();
          throw;
        }
      };
      if constexpr (std::is_void_v<typename call<f>::result>) {
        root();
        end_root();
      } else {
        auto value = root();
        end_root();
        return value;
      }
    }
  }

  HEIST_API role as() const noexcept;
  HEIST_API figures so_far() const;

 private:
  [[noreturn]] HEIST_API void serve();
  HEIST_API bool durable() const noexcept;
  HEIST_API void begin_root(const detail::entry& what, const detail::bytes& arguments);
  HEIST_API void end_root();

  const role as_;
  std::unique_ptr<detail::agent> agent_;  // null: alone
};

}  // namespace heist::cluster

HEIST_END
