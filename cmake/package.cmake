# cpack -G DEB: one Debian package of all that cmake --install installs, in the place of those of packaging/debian. See
# script/package.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heist-all)
set(soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_PACKAGE_CONFLICTS "libheist${soname}, libheist-dev, libheist-cluster${soname}, libheist-cluster-dev, heist")
set(CPACK_PACKAGE_CONTACT "the maintainers of heist")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Fork-join parallelism in C++20 by work stealing: plain functions, joins that cost
 nanoseconds, and the algorithms of the standard library.")
# A shared library names what it needs; a static one leaves that to whoever links it.
if(BUILD_SHARED_LIBS)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
else()
  set(CPACK_DEBIAN_PACKAGE_DEPENDS "libhwloc-dev")
  if(HEIST_NEEDS_BOOST)
    string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", libboost-context-dev")
  endif()
  if(HEIST_IO)  # for programs that use heist::io
    set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "liburing-dev")
  endif()
  if(HEIST_CLUSTER)  # likewise heist::cluster
    string(APPEND CPACK_DEBIAN_PACKAGE_RECOMMENDS ", libnats-dev, libcereal-dev")
  endif()
endif()
include(CPack)
