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
add_library(heist::io ALIAS heist_io)
target_link_libraries(heist_io PUBLIC heist PRIVATE liburing::liburing $<BUILD_INTERFACE:heist_build>)
set_target_properties(heist_io PROPERTIES EXPORT_NAME io
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
  POSITION_INDEPENDENT_CODE ON
  CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
# In somebody else's project, built if somebody links with it.
if(NOT PROJECT_IS_TOP_LEVEL AND NOT HEIST_INSTALL)
  set_target_properties(heist_io PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
# As for heist itself: a thread may be in its code when it is unloaded, and another version in the process keeps its symbols.
if(BUILD_SHARED_LIBS)
  target_link_options(heist_io PRIVATE -Wl,-z,nodelete -Wl,--version-script=${CMAKE_CURRENT_BINARY_DIR}/symbols.map)
  set_property(TARGET heist_io APPEND PROPERTY LINK_DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/symbols.map)
else()
  target_compile_definitions(heist_io PRIVATE HEIST_STATIC)
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_compile_options(heist_io PRIVATE -fcf-protection=none)
endif()
