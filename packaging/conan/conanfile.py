"""heist for Conan 2: conan create packaging/conan"""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Heist(ConanFile):
    name = "heist"
    description = "Fork-join parallelism in C++20 by work stealing"
    license = "MIT"
    topics = ("parallelism", "fork-join", "work-stealing")
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "io": [True, False], "checked": [True, False]}
    default_options = {"shared": False, "io": False, "checked": False}
    package_type = "library"

    @property
    def _tree(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        header = load(self, os.path.join(self._tree, "heist", "version.hpp"))
        self.version = re.search(r'HEIST_VERSION "([0-9.]+)"', header).group(1)

    def export_sources(self):
        for part in ("CMakeLists.txt", "LICENSE", "cmake/*", "heist/*"):
            copy(self, part, self._tree, self.export_sources_folder)

    def validate(self):
        if str(self.settings.os) != "Linux":
            raise ConanInvalidConfiguration("heist runs on Linux")
        check_min_cppstd(self, 20)

    def requirements(self):
        self.requires("hwloc/2.10.0")
        if self.options.io:
            self.requires("liburing/2.4")
        if str(self.settings.arch) != "x86_64":
            self.requires("boost/1.84.0")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["BUILD_SHARED_LIBS"] = bool(self.options.shared)
        toolchain.cache_variables["BUILD_TESTING"] = False
        toolchain.cache_variables["HEIST_TOOLS"] = False
        toolchain.cache_variables["HEIST_RACE"] = False
        toolchain.cache_variables["HEIST_CLUSTER"] = False
        toolchain.cache_variables["HEIST_IO"] = bool(self.options.io)
        toolchain.cache_variables["HEIST_CHECKED"] = bool(self.options.checked)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "heist")
        core = self.cpp_info.components["heist"]
        core.set_property("cmake_target_name", "heist::heist")
        core.set_property("pkg_config_name", "heist")
        core.libs = ["heist"]
        core.system_libs = ["pthread", "dl"]
        core.requires = ["hwloc::hwloc"]
        if str(self.settings.arch) != "x86_64":
            core.requires.append("boost::context")
        if self.options.checked:
            core.defines = ["HEIST_CHECKED"]
        if self.options.io:
            io = self.cpp_info.components["io"]
            io.set_property("cmake_target_name", "heist::io")
            io.libs = ["heist_io"]
            io.requires = ["heist", "liburing::liburing"]
