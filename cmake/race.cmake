# libheist_race: the detector of determinacy races (analysis/race), and heist itself built for it. Programs link with it
# instead of heist: heist_race(target) in cmake/heist_race.cmake.
get_target_property(heist_sources heist SOURCES)
list(FILTER heist_sources EXCLUDE REGEX "check/")
set(detector_sources
  analysis/race/addresses.cpp
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
  analysis/race/sweeps.cpp
  analysis/race/symbols.cpp
  analysis/race/watch.cpp
)
# What compilers, heist and programs call.
set(entry_sources
  analysis/race/atomics.cpp
  analysis/race/ends.cpp
  analysis/race/files.cpp
  analysis/race/heap.cpp
  analysis/race/hooks.cpp
  analysis/race/instrumented.cpp
  analysis/race/prints.cpp
  analysis/race/results.cpp
  analysis/race/scans.cpp
  analysis/race/strings.cpp
  analysis/race/texts.cpp
  analysis/race/threads.cpp
  analysis/race/waits.cpp
)
# The detector, and what heist tells it.
add_library(heist_race_detector OBJECT heist/race/strands.cpp heist/race/views.cpp ${detector_sources} ${entry_sources})
add_library(heist_race STATIC ${heist_sources} $<TARGET_OBJECTS:heist_race_detector>)
add_library(heist::race ALIAS heist_race)
foreach(part heist_race_detector heist_race)
  target_compile_features(${part} PUBLIC cxx_std_20)
  target_include_directories(${part} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_definitions(${part} PUBLIC HEIST_RACE PRIVATE HEIST_STATIC)
  set_target_properties(${part} PROPERTIES
    POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(${part} PRIVATE -fcf-protection=none)
  endif()
  # In a few large pieces, as all of heist is compiled a second time.
  if(NOT CMAKE_VERSION VERSION_LESS 3.18)
    set_target_properties(${part} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  endif()
endforeach()
set_target_properties(heist_race PROPERTIES EXPORT_NAME race)
# Some of the entries are what a compiler would turn their loops into. Not so in heist: its copies of a few bytes are its own
# business, and as calls they would be judged.
target_compile_options(heist_race_detector PRIVATE -fno-builtin)
# What programs are compiled with: never at the link, where it would bring ThreadSanitizer's own library.
target_compile_options(heist_race INTERFACE -fsanitize=thread -fno-builtin -g "SHELL:-include heist/race/builtins.h")
target_link_libraries(heist_race PUBLIC Threads::Threads ${CMAKE_DL_LIBS} PRIVATE hwloc::hwloc)
if(HEIST_NEEDS_BOOST)
  target_link_libraries(heist_race PRIVATE Boost::context)
endif()
set(heist_piece 14)
if(HEIST_QUICK_BUILD)  # for script/test, which has the cases
  set(heist_piece 60)
  target_compile_options(heist_race PRIVATE -O1)
  target_compile_options(heist_race_detector PRIVATE -O1)
endif()
set(number 0)
foreach(source IN LISTS heist_sources)
  math(EXPR group "${number} / ${heist_piece}")
  math(EXPR number "${number} + 1")
  set_source_files_properties(${source} PROPERTIES UNITY_GROUP heist${group})
endforeach()
set_source_files_properties(heist/race/strands.cpp heist/race/views.cpp PROPERTIES UNITY_GROUP heist_race)
set_source_files_properties(${detector_sources} PROPERTIES UNITY_GROUP detector)
set_source_files_properties(${entry_sources} PROPERTIES UNITY_GROUP entries)
if(HEIST_QUICK_BUILD OR (NOT PROJECT_IS_TOP_LEVEL AND NOT HEIST_INSTALL))
  set_target_properties(heist_race heist_race_detector PROPERTIES EXCLUDE_FROM_ALL ON)
endif()
include(cmake/heist_race.cmake)
