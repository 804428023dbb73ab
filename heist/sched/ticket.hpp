#pragma once
// Where an injected job is in its queue, for one that may take it out of turn.

#include <heist/base/export.hpp>

HEIST_BEGIN

namespace heist::detail {

struct ticket {
  void* item = nullptr;  // the injector's, under its lock; null: the job is not queued
};

}  // namespace heist::detail

HEIST_END
