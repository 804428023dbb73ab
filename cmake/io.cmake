# heist::io, a library of its own: the core does without liburing. HEIST_IO=AUTO does without heist::io where that is missing.
if(HEIST_IO STREQUAL "AUTO")
  find_package(liburing QUIET)
  if(NOT liburing_FOUND)
    message(STATUS "Building without heist::io: liburing was not found (Debian: liburing-dev)")
    set(HEIST_IO OFF)
    return()
  endif()
  set(HEIST_IO ON)
else()
  find_package(liburing REQUIRED)
endif()

add_library(heist_io
  heist/io.cpp
  heist/io/system_call.cpp
  heist/io/ring.cpp
)
heist_part(io liburing::liburing)
