#pragma once
// The key of a task's result: 128 bits over build, job, function and arguments.

#include <heist/base/export.hpp>
#include <heist/cluster/message.hpp>

#include <cstdint>
#include <span>
#include <string_view>

HEIST_BEGIN

namespace heist::cluster::detail {

// SipHash-2-4 with 128 bits (Aumasson and Bernstein): as good as random for every text that nobody chose to break it.
key sip_hash(std::uint64_t k0, std::uint64_t k1, std::span<const std::byte> text) noexcept;

key key_of(std::string_view build, std::uint64_t job_instance, std::string_view function, std::span<const std::byte> arguments);

}  // namespace heist::cluster::detail

HEIST_END
