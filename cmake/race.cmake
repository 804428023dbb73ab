# libheist_race: the detector of determinacy races (analysis/race), and heist itself built for it. Programs link with it
# instead of heist: heist_race(target) in cmake/heist_race.cmake.
get_target_property(heist_sources heist SOURCES)
list(FILTER heist_sources EXCLUDE REGEX "check/")
set(detector_sources
  analysis/race/codes.cpp
  analysis/race/counts.cpp
  analysis/race/findings.cpp
  analysis/race/found.cpp
  analysis/race/handed.cpp
  analysis/race/judge.cpp
  analysis/race/locks.cpp
  analysis/race/order.cpp
  analysis/race/owners.cpp
  analysis/race/reach.cpp
  analysis/race/report.cpp
  analysis/race/runtime.cpp
  analysis/race/settings.cpp
  analysis/race/shadow.cpp
  analysis/race/symbols.cpp
  analysis/race/watch.cpp
)
# What compilers, heist and programs call.
set(entry_sources
  analysis/race/atomics.cpp
  analysis/race/files.cpp
  analysis/race/heap.cpp
  analysis/race/hooks.cpp
  analysis/race/instrumented.cpp
  analysis/race/results.cpp
  analysis/race/scans.cpp
  analysis/race/strings.cpp
  analysis/race/threads.cpp
)
add_library(heist_race STATIC ${heist_sources} heist/race/strands.cpp heist/race/views.cpp ${detector_sources} ${entry_sources})
add_library(heist::race ALIAS heist_race)
target_compile_features(heist_race PUBLIC cxx_std_20)
target_include_directories(heist_race PUBLIC
  $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_definitions(heist_race PUBLIC HEIST_RACE PRIVATE HEIST_STATIC)
# What programs are compiled with: never at the link, where it would bring ThreadSanitizer's own library.
target_compile_options(heist_race INTERFACE -fsanitize=thread -fno-builtin -g)
target_link_libraries(heist_race PUBLIC Threads::Threads ${CMAKE_DL_LIBS} PRIVATE hwloc::hwloc)
if(HEIST_NEEDS_BOOST)
  target_link_libraries(heist_race PRIVATE Boost::context)
endif()
set_target_properties(heist_race PROPERTIES
  EXPORT_NAME race POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
# In a few large pieces, as all of heist is compiled a second time for it.
if(NOT CMAKE_VERSION VERSION_LESS 3.18)
  set_target_properties(heist_race PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(number 0)
  foreach(source IN LISTS heist_sources)
    math(EXPR group "${number} / 14")
    math(EXPR number "${number} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP heist${group})
  endforeach()
  set_source_files_properties(heist/race/strands.cpp heist/race/views.cpp PROPERTIES UNITY_GROUP heist_race)
  set_source_files_properties(${detector_sources} PROPERTIES UNITY_GROUP detector)
  set_source_files_properties(${entry_sources} PROPERTIES UNITY_GROUP entries)
endif()
# Some of these are what a compiler would turn their loops into.
set_source_files_properties(${entry_sources} PROPERTIES COMPILE_OPTIONS -fno-builtin)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_compile_options(heist_race PRIVATE -fcf-protection=none)
endif()
if(HEIST_QUICK_BUILD OR (NOT PROJECT_IS_TOP_LEVEL AND NOT HEIST_INSTALL))
  set_target_properties(heist_race PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
include(cmake/heist_race.cmake)
