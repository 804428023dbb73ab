# heist for Spack: put this file into packages/heist of a repository of yours (spack repo create), or copy it there with
# spack create.
from spack.package import *


class Heist(CMakePackage):
    """Fork-join parallelism in C++20 by work stealing."""

    # Add url = "…/heist-0.1.0.tar.gz" and a sha256 for each release; until then: spack dev-build heist@0.1.0
    license("MIT")

    version("0.1.0")

    variant("shared", default=True, description="Build a shared library")
    variant("io", default=False, description="Build heist::io, files and sockets by io_uring")
    variant("tools", default=True, description="Build the command heist")
    variant("checked", default=False, description="Check at run time how the library is used")

    depends_on("cxx", type="build")
    depends_on("cmake@3.16:", type="build")
    depends_on("hwloc@2:")
    depends_on("boost@1.74: +context", when="target=aarch64:")
    depends_on("liburing", when="+io")
    depends_on("cli11", when="+tools", type="build")
    depends_on("fmt", when="+tools")
    depends_on("nlohmann-json", when="+tools", type="build")

    conflicts("platform=darwin", msg="heist runs on Linux")
    conflicts("platform=windows", msg="heist runs on Linux")
    conflicts("%gcc@:11", msg="heist is written in C++20")

    def cmake_args(self):
        return [
            self.define("BUILD_TESTING", False),
            self.define("HEIST_CLUSTER", False),
            self.define_from_variant("BUILD_SHARED_LIBS", "shared"),
            self.define_from_variant("HEIST_IO", "io"),
            self.define_from_variant("HEIST_TOOLS", "tools"),
            self.define_from_variant("HEIST_CHECKED", "checked"),
        ]
