# heist_part(name library…): heist_NAME, a library beside heist that programs link as heist::NAME. It needs heist, and for itself
# the libraries.
function(heist_part name)
  set(part heist_${name})
  add_library(heist::${name} ALIAS ${part})
  target_link_libraries(${part} PUBLIC heist PRIVATE ${ARGN} $<BUILD_INTERFACE:heist_build>)
  set_target_properties(${part} PROPERTIES EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(HEIST_UNITY_BUILD)
    set_target_properties(${part} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 9)
  endif()
  # In somebody else's project, built if somebody links with it.
  if(NOT PROJECT_IS_TOP_LEVEL AND NOT HEIST_INSTALL)
    set_target_properties(${part} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  # As for heist itself: a thread may be in its code when it is unloaded, and another version in the process keeps its symbols.
  if(BUILD_SHARED_LIBS)
    target_link_options(${part} PRIVATE -Wl,-z,nodelete -Wl,--version-script=${PROJECT_BINARY_DIR}/symbols.map)
    set_property(TARGET ${part} APPEND PROPERTY LINK_DEPENDS ${PROJECT_BINARY_DIR}/symbols.map)
  else()
    target_compile_definitions(${part} PRIVATE HEIST_STATIC)
  endif()
  if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    target_compile_options(${part} PRIVATE -fcf-protection=none)
  endif()
endfunction()
