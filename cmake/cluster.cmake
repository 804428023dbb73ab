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
  heist/cluster/key.cpp
  heist/cluster/ledger.cpp
  heist/cluster/lender.cpp
  heist/cluster/loans.cpp
  heist/cluster/message.cpp
  heist/cluster/notes.cpp
  heist/cluster/observer.cpp
  heist/cluster/options.cpp
  heist/cluster/peers.cpp
  heist/cluster/registry.cpp
  heist/cluster/wire.cpp
)
add_library(heist::cluster ALIAS heist_cluster)
target_link_libraries(heist_cluster PUBLIC heist PRIVATE nats::nats $<BUILD_INTERFACE:heist_build>)
# cereal is used in headers. It lies in a folder of the system, or its user says where.
if(NOT cereal_INCLUDE_DIR STREQUAL "/usr/include")
  target_include_directories(heist_cluster SYSTEM PUBLIC $<BUILD_INTERFACE:${cereal_INCLUDE_DIR}>)
endif()
set_target_properties(heist_cluster PROPERTIES EXPORT_NAME cluster
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  POSITION_INDEPENDENT_CODE ON
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
# In somebody else's project, built if somebody links with it.
if(NOT PROJECT_IS_TOP_LEVEL AND NOT HEIST_INSTALL)
  set_target_properties(heist_cluster PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
# As for heist itself.
if(BUILD_SHARED_LIBS)
  target_link_options(heist_cluster PRIVATE -Wl,-z,nodelete -Wl,--version-script=${CMAKE_CURRENT_BINARY_DIR}/symbols.map)
  set_property(TARGET heist_cluster APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/symbols.map)
else()
  target_compile_definitions(heist_cluster PRIVATE HEIST_STATIC)
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_compile_options(heist_cluster PRIVATE -fcf-protection=none)
endif()
