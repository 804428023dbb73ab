#pragma once
// heist: fork–join parallelism by work stealing. This header includes everything.

#include <heist/cancelled.hpp>
#include <heist/channel.hpp>
#include <heist/fill.hpp>
#include <heist/filter.hpp>
#include <heist/find.hpp>
#include <heist/for_each.hpp>
#include <heist/grain.hpp>
#include <heist/histogram.hpp>
#include <heist/join.hpp>
#include <heist/measure.hpp>
#include <heist/merge.hpp>
#include <heist/mutex.hpp>
#include <heist/op.hpp>
#include <heist/options.hpp>
#include <heist/partition.hpp>
#include <heist/pool.hpp>
#include <heist/reduce.hpp>
#include <heist/reducer.hpp>
#include <heist/scan.hpp>
#include <heist/scope.hpp>
#include <heist/shares_memory.hpp>
#include <heist/sort.hpp>
#include <heist/stats.hpp>
#include <heist/suspend.hpp>
#include <heist/version.hpp>
