# cmake --install: the library, its headers, a CMake package, a pkg-config file, and the command where it is built.
include(CMakePackageConfigHelpers)

install(TARGETS heist EXPORT heistTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY heist DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp"
  PATTERN "heist/io" EXCLUDE PATTERN "heist/io.hpp" EXCLUDE PATTERN "heist/cluster" EXCLUDE PATTERN "heist/cluster.hpp" EXCLUDE)
if(TARGET heist_race AND NOT HEIST_QUICK_BUILD)
  install(TARGETS heist_race EXPORT heistRaceTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT heistRaceTargets NAMESPACE heist:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
  install(FILES heist/race/builtins.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heist/race)
  install(FILES cmake/heist_race.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
endif()
if(HEIST_IO)
  install(FILES heist/io.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heist)
  install(TARGETS heist_io EXPORT heistIoTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT heistIoTargets NAMESPACE heist:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
  configure_file(cmake/heist-io.pc.in ${PROJECT_BINARY_DIR}/heist-io.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/heist-io.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  install(FILES cmake/Findliburing.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
endif()
if(HEIST_CLUSTER)
  install(FILES heist/cluster.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heist)
  install(DIRECTORY heist/cluster DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/heist FILES_MATCHING PATTERN "*.hpp")
  install(TARGETS heist_cluster EXPORT heistClusterTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT heistClusterTargets NAMESPACE heist:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
  configure_file(cmake/heist-cluster.pc.in ${PROJECT_BINARY_DIR}/heist-cluster.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/heist-cluster.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  install(FILES cmake/Findnats.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
endif()
install(EXPORT heistTargets NAMESPACE heist:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)

configure_package_config_file(cmake/heistConfig.cmake.in ${PROJECT_BINARY_DIR}/heistConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heistConfigVersion.cmake COMPATIBILITY SameMinorVersion)
# What programs must be compiled with as the library was, HEIST_CHECKED: the CMake package has it from the target.
get_target_property(definitions heist INTERFACE_COMPILE_DEFINITIONS)
set(heist_definitions "")
set(heist_boost "")
if(HEIST_NEEDS_BOOST)
  set(heist_boost " -lboost_context")
endif()
if(definitions)
  list(TRANSFORM definitions PREPEND " -D" OUTPUT_VARIABLE heist_definitions)
  list(JOIN heist_definitions "" heist_definitions)
endif()
configure_file(cmake/heist.pc.in ${PROJECT_BINARY_DIR}/heist.pc @ONLY)
if(TARGET heist_race AND NOT HEIST_QUICK_BUILD)
  configure_file(cmake/heist-race.pc.in ${PROJECT_BINARY_DIR}/heist-race.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/heist-race.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(FILES ${PROJECT_BINARY_DIR}/heistConfig.cmake ${PROJECT_BINARY_DIR}/heistConfigVersion.cmake cmake/Findhwloc.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
install(FILES ${PROJECT_BINARY_DIR}/heist.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/heist-all RENAME copyright)

# The command, and what `heist demo` runs: cli/CMakeLists.txt has the way from one to the other.
function(heist_install_program target folder)
  get_filename_component(there ${folder} ABSOLUTE BASE_DIR ${CMAKE_INSTALL_PREFIX})
  file(RELATIVE_PATH libraries ${there} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${libraries}")
  install(TARGETS ${target} RUNTIME DESTINATION ${folder})
endfunction()
if(HEIST_TOOLS)
  heist_install_program(heist_command ${CMAKE_INSTALL_BINDIR})
  heist_install_program(heist_demo ${CMAKE_INSTALL_LIBEXECDIR}/heist)
  if(NOT CMAKE_CROSSCOMPILING)
    install(DIRECTORY ${PROJECT_BINARY_DIR}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    install(FILES ${PROJECT_BINARY_DIR}/heist.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME heist)
    install(FILES ${PROJECT_BINARY_DIR}/_heist DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(FILES ${PROJECT_BINARY_DIR}/heist.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  endif()
endif()
