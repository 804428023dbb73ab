# heist::cluster, a library of its own: the core does without NATS and cereal. HEIST_CLUSTER=AUTO does without heist::cluster where
# one of them is missing.
find_path(cereal_INCLUDE_DIR cereal/cereal.hpp)
mark_as_advanced(cereal_INCLUDE_DIR)
if(HEIST_CLUSTER STREQUAL "AUTO")
  find_package(nats QUIET)
  if(NOT nats_FOUND OR NOT cereal_INCLUDE_DIR)
    message(STATUS "Building without heist::cluster: libnats or cereal was not found (Debian: libnats-dev, libcereal-dev)")
    set(HEIST_CLUSTER OFF)
    return()
  endif()
  set(HEIST_CLUSTER ON)
else()
  find_package(nats REQUIRED)
  if(NOT cereal_INCLUDE_DIR)
    message(FATAL_ERROR "heist::cluster needs cereal, which was not found (Debian: libcereal-dev)")
  endif()
endif()

add_library(heist_cluster
  heist/cluster.cpp
  heist/cluster/agent.cpp
  heist/cluster/best.cpp
  heist/cluster/borrower.cpp
  heist/cluster/build_id.cpp
  heist/cluster/debts.cpp
  heist/cluster/failures.cpp
  heist/cluster/gossip.cpp
  heist/cluster/journal.cpp
  heist/cluster/key.cpp
  heist/cluster/ledger.cpp
  heist/cluster/lender.cpp
  heist/cluster/loans.cpp
  heist/cluster/measured.cpp
  heist/cluster/message.cpp
  heist/cluster/notes.cpp
  heist/cluster/observer.cpp
  heist/cluster/options.cpp
  heist/cluster/peers.cpp
  heist/cluster/registry.cpp
  heist/cluster/wire.cpp
)
heist_part(cluster nats::nats)
# cereal is used in headers. It lies in a folder of the system, or its user says where.
if(NOT cereal_INCLUDE_DIR STREQUAL "/usr/include")
  target_include_directories(heist_cluster SYSTEM PUBLIC $<BUILD_INTERFACE:${cereal_INCLUDE_DIR}>)
endif()
