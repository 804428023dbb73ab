# The C client of NATS; Debian's CMake package is called cnats, and its pkg-config file libnats. Defines nats::nats.
find_path(nats_INCLUDE_DIR nats/nats.h)
find_library(nats_LIBRARY nats)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(nats
  REQUIRED_VARS nats_LIBRARY nats_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "install libnats-dev")
if(nats_FOUND AND NOT TARGET nats::nats)
  add_library(nats::nats UNKNOWN IMPORTED)
  set_target_properties(nats::nats PROPERTIES
    IMPORTED_LOCATION "${nats_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${nats_INCLUDE_DIR}")
endif()
mark_as_advanced(nats_INCLUDE_DIR nats_LIBRARY)
