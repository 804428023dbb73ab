# cmake --install: the library, its headers, a CMake package, a pkg-config file, and the command where it is built.
include(CMakePackageConfigHelpers)

install(TARGETS heist EXPORT heistTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY heist DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT heistTargets NAMESPACE heist:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)

configure_package_config_file(cmake/heistConfig.cmake.in ${PROJECT_BINARY_DIR}/heistConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heistConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_file(cmake/heist.pc.in ${PROJECT_BINARY_DIR}/heist.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/heistConfig.cmake ${PROJECT_BINARY_DIR}/heistConfigVersion.cmake cmake/Findhwloc.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/heist)
install(FILES ${PROJECT_BINARY_DIR}/heist.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libheist-dev RENAME copyright)
if(TARGET heist_command)
  install(TARGETS heist_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
