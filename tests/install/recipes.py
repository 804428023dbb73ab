"""recipes.py source-folder cmake: runs the recipes of packaging/ without their package managers.

Stand-ins for vcpkg's functions and for the modules of Conan and Spack note what the recipes ask for. Each set of options is
then passed to CMake: one that heist does not have, or a source that a recipe leaves out, fails.
"""

import fnmatch
import importlib.util
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types

source, cmake = os.path.abspath(sys.argv[1]), sys.argv[2]
work = tempfile.mkdtemp()
packaging = os.path.join(source, "packaging")
version = re.search(r'HEIST_VERSION "([0-9.]+)"', open(os.path.join(source, "heist/version.hpp")).read()).group(1)
failures = []


def check(holds, complaint):
    if not holds:
        failures.append(complaint)


def configure(name, tree, arguments):
    """CMake accepts the arguments, and uses each of them."""
    folder = os.path.join(work, "build")
    shutil.rmtree(folder, ignore_errors=True)
    done = subprocess.run([cmake, "-S", tree, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *arguments],
                          capture_output=True, text=True)
    said = done.stdout + done.stderr
    check(done.returncode == 0, f"{name}: cmake {arguments} fails:\n{said[-2000:]}")
    check("not used by the project" not in said, f"{name}: heist has no such option:\n{said[-2000:]}")


def have(package):
    return subprocess.run(["pkg-config", "--exists", package]).returncode == 0


def load(path, modules):
    """The module at path, with these in the place of those that it imports."""
    sys.modules.update(modules)
    spec = importlib.util.spec_from_file_location("recipe", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def module(name, **names):
    made = types.ModuleType(name)
    made.__dict__.update(names)
    return made


# vcpkg: the manifest by the rules of its schema, the port by functions that note their arguments.
def check_vcpkg():
    port = os.path.join(packaging, "vcpkg/heist")
    manifest = json.load(open(os.path.join(port, "vcpkg.json")))
    known = {"$schema", "name", "version", "description", "homepage", "license", "supports", "dependencies", "features"}
    check(set(manifest) <= known, f"vcpkg.json: unknown fields {set(manifest) - known}")
    check(manifest["version"] == version, f"vcpkg.json is of version {manifest['version']}, heist of {version}")
    name = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
    check(name.fullmatch(manifest["name"]), "vcpkg.json: the name")
    for feature, what in manifest["features"].items():
        check(name.fullmatch(feature) and set(what) <= {"description", "dependencies", "supports"}, f"vcpkg.json: {feature}")
    every = manifest["dependencies"] + [d for f in manifest["features"].values() for d in f["dependencies"]]
    for d in every:
        d = {"name": d} if isinstance(d, str) else d
        check(name.fullmatch(d["name"]) and set(d) <= {"name", "host", "platform", "features", "default-features"}, f"vcpkg.json: {d}")
    stand_ins = os.path.join(work, "vcpkg.cmake")
    with open(stand_ins, "w") as out:
        out.write("""cmake_minimum_required(VERSION 3.16)
function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 got "" "OUT_FEATURE_OPTIONS" "FEATURES")
  set(all "")
  while(got_FEATURES)
    list(POP_FRONT got_FEATURES feature option)
    if(feature IN_LIST FEATURES)
      list(APPEND all "-D${option}=ON")
    else()
      list(APPEND all "-D${option}=OFF")
    endif()
  endwhile()
  set(${got_OUT_FEATURE_OPTIONS} "${all}" PARENT_SCOPE)
endfunction()
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 got "" "SOURCE_PATH" "OPTIONS")
  if(got_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "vcpkg_cmake_configure: ${got_UNPARSED_ARGUMENTS}")
  endif()
  message(STATUS "SOURCE ${got_SOURCE_PATH}")
  message(STATUS "OPTIONS ${got_OPTIONS}")
endfunction()
function(vcpkg_cmake_install)
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 got "" "CONFIG_PATH;PACKAGE_NAME" "")
  message(STATUS "CONFIG ${got_CONFIG_PATH}")
endfunction()
function(vcpkg_fixup_pkgconfig)
endfunction()
function(vcpkg_copy_tools)
  cmake_parse_arguments(PARSE_ARGV 0 got "AUTO_CLEAN" "" "TOOL_NAMES")
  message(STATUS "TOOLS ${got_TOOL_NAMES}")
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 got "" "" "FILE_LIST")
  if(NOT EXISTS "${got_FILE_LIST}")
    message(FATAL_ERROR "no licence ${got_FILE_LIST}")
  endif()
endfunction()
set(CURRENT_PACKAGES_DIR "${PACKAGES}")
set(CURRENT_PORT_DIR "${PORT}")
include(${PORT}/portfile.cmake)
""")
    for features in ([], ["io"], ["tools"], ["io", "tools"]):
        done = subprocess.run([cmake, f"-DPORT={port}", f"-DPACKAGES={work}/packages", f"-DFEATURES={';'.join(features)}", "-P", stand_ins],
                              capture_output=True, text=True)
        said = done.stdout + done.stderr
        if done.returncode != 0:
            failures.append(f"vcpkg {features}: {said}")
            continue
        note = dict(re.findall(r"-- (SOURCE|OPTIONS|CONFIG|TOOLS) (.*)", said))
        check(os.path.samefile(note["SOURCE"], source), f"vcpkg: the source is {note['SOURCE']}")
        check(note["CONFIG"] == "lib/cmake/heist", "vcpkg: where the CMake package is")
        check(("TOOLS" in note) == ("tools" in features), f"vcpkg: tools with {features}")
        check(f"-DHEIST_IO={'ON' if 'io' in features else 'OFF'}" in note["OPTIONS"], f"vcpkg: io with {features}: {note['OPTIONS']}")
        if "io" not in features or have("liburing"):
            configure(f"vcpkg {features}", source, note["OPTIONS"].split(";"))


# Conan: the recipe's methods, in Conan's order. What it exports must be enough to configure.
class Settings:
    os, arch, build_type, compiler = "Linux", "x86_64", "Release", "gcc"


class Component:
    def __init__(self):
        self.properties, self.components = {}, {}

    def set_property(self, key, value):
        self.properties[key] = value


class Components(dict):
    def __missing__(self, key):
        return self.setdefault(key, Component())


def conan_modules(calls):
    class ConanFile:
        def requires(self, what):
            calls["requires"].append(what)

    class Toolchain:
        def __init__(self, recipe):
            self.cache_variables = {}

        def generate(self):
            calls["variables"] = self.cache_variables

    class CMake:
        def __init__(self, recipe):
            pass

        def __getattr__(self, name):
            return lambda: calls["cmake"].append(name)

    class Deps:
        def __init__(self, recipe):
            pass

        def generate(self):
            pass

    def copy(recipe, pattern, src, dst):
        count = 0
        for folder, _, files in os.walk(src):
            below = os.path.relpath(folder, src)
            if below.split(os.sep)[0] in ("build", ".git"):
                continue
            for file in files:
                path = os.path.normpath(os.path.join(below, file))
                if fnmatch.fnmatch(path, pattern):
                    os.makedirs(os.path.join(dst, os.path.dirname(path)), exist_ok=True)
                    shutil.copy(os.path.join(folder, file), os.path.join(dst, path))
                    count += 1
        check(count > 0, f"conan: nothing matches {pattern}")

    return {
        "conan": module("conan", ConanFile=ConanFile),
        "conan.errors": module("conan.errors", ConanInvalidConfiguration=ValueError),
        "conan.tools": module("conan.tools"),
        "conan.tools.build": module("conan.tools.build", check_min_cppstd=lambda r, n: calls["standard"].append(n), can_run=lambda r: True),
        "conan.tools.cmake": module("conan.tools.cmake", CMake=CMake, CMakeDeps=Deps, CMakeToolchain=Toolchain, cmake_layout=lambda r: None),
        "conan.tools.files": module("conan.tools.files", copy=copy, load=lambda r, path: open(path).read()),
    }


def check_conan():
    calls = {"requires": [], "cmake": [], "standard": [], "variables": {}}
    folder = os.path.join(packaging, "conan")
    recipe_class = load(os.path.join(folder, "conanfile.py"), conan_modules(calls)).Heist
    tree = os.path.join(work, "exported")
    for values in itertools.product(*recipe_class.options.values()):
        chosen = dict(zip(recipe_class.options, values))
        calls["requires"].clear()
        calls["cmake"].clear()
        recipe = recipe_class()
        recipe.recipe_folder, recipe.export_sources_folder = folder, tree
        recipe.source_folder, recipe.package_folder = tree, os.path.join(work, "package")
        recipe.settings, recipe.options, recipe.cpp_info = Settings(), types.SimpleNamespace(**chosen), Component()
        recipe.cpp_info.components = Components()
        recipe.set_version()
        check(recipe.version == version, f"conan: version {recipe.version}")
        if not os.path.exists(tree):
            recipe.export_sources()
        for method in ("validate", "requirements", "layout", "generate", "build", "package", "package_info"):
            getattr(recipe, method)()
        check(calls["cmake"] == ["configure", "build", "install"], f"conan: {calls['cmake']}")
        check(all(re.fullmatch(r"[a-z0-9_-]+/[0-9.]+", r) for r in calls["requires"]), f"conan requires {calls['requires']}")
        check(("io" in recipe.cpp_info.components) == chosen["io"], f"conan: components with {chosen}")
        check(recipe.cpp_info.components["heist"].libs == ["heist"], "conan: the library")
        if (not chosen["io"] or have("liburing")) and not chosen["checked"]:
            configure(f"conan {chosen}", tree, [f"-D{k}={'ON' if v else 'OFF'}" for k, v in calls["variables"].items()])
    check(min(calls["standard"]) == 20, "conan: the standard")
    load(os.path.join(folder, "test_package/conanfile.py"), {})
    recipe = recipe_class()
    recipe.settings = Settings()
    recipe.settings.os = "Windows"
    try:
        recipe.validate()
        failures.append("conan: Windows is not refused")
    except ValueError:
        pass


# Spack: directives note their arguments; cmake_args for every combination of the variants.
def check_spack():
    noted = {"version": [], "variant": {}, "depends_on": [], "conflicts": [], "license": []}

    class CMakePackage:
        def define(self, name, value):
            return f"-D{name}={'ON' if value else 'OFF'}"

        def define_from_variant(self, name, variant):
            return self.define(name, self.chosen[variant])

    def note(kind):
        return lambda what, **more: noted[kind].append((what, more))

    names = {kind: note(kind) for kind in ("version", "depends_on", "conflicts", "license")}
    names["variant"] = lambda what, default, description: noted["variant"].update({what: default})
    package = load(os.path.join(packaging, "spack/package.py"),
                   {"spack": module("spack"), "spack.package": module("spack.package", CMakePackage=CMakePackage, **names)})
    recipe = package.Heist()
    check([v for v, _ in noted["version"]] == [version], f"spack: versions {noted['version']}")
    check(package.Heist.__doc__, "spack: no description")
    for what, more in noted["depends_on"]:
        check(set(more) <= {"type", "when"}, f"spack: {what} {more}")
        for variant in re.findall(r"\+(\w+)", more.get("when", "")):
            check(variant in noted["variant"], f"spack: there is no variant {variant}")
    for values in itertools.product([True, False], repeat=len(noted["variant"])):
        recipe.chosen = dict(zip(noted["variant"], values))
        arguments = recipe.cmake_args()
        if recipe.chosen["checked"] or (recipe.chosen["io"] and not have("liburing")):
            continue
        configure(f"spack {recipe.chosen}", source, arguments)


# FetchContent as it is, from this tree; CPM by a function that calls it. The guide shows these projects.
def check_fetching():
    here = os.path.dirname(os.path.abspath(__file__))
    guide = open(os.path.join(source, "docs/guides/installing.md")).read()
    for kind in ("fetch", "cpm"):
        text = open(os.path.join(here, kind, "CMakeLists.txt")).read()
        check(text in guide, f"installing.md does not show tests/install/{kind}/CMakeLists.txt")
        check(f"v{version}" in text, f"tests/install/{kind} does not fetch v{version}")
    project = os.path.join(work, "cpm")
    shutil.copytree(os.path.join(here, "cpm"), project)
    os.makedirs(os.path.join(project, "cmake"))
    with open(os.path.join(project, "cmake/CPM.cmake"), "w") as out:
        out.write("""
include(FetchContent)
function(CPMAddPackage)
  cmake_parse_arguments(PARSE_ARGV 0 got "" "NAME;GIT_REPOSITORY;GIT_TAG" "OPTIONS")
  if(got_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "CPMAddPackage: ${got_UNPARSED_ARGUMENTS}")
  endif()
  foreach(option IN LISTS got_OPTIONS)
    string(REPLACE " " ";" option "${option}")
    list(POP_FRONT option name)
    set(${name} "${option}" CACHE STRING "")
  endforeach()
  FetchContent_Declare(${got_NAME} GIT_REPOSITORY ${got_GIT_REPOSITORY} GIT_TAG ${got_GIT_TAG})
  FetchContent_MakeAvailable(${got_NAME})
endfunction()
""")
    for tree in (os.path.join(here, "fetch"), project):
        configure(tree, tree, [f"-DFETCHCONTENT_SOURCE_DIR_HEIST={source}"])


check_fetching()
check_vcpkg()
check_conan()
check_spack()
shutil.rmtree(work)
for failure in failures:
    print("FAILED:", failure)
sys.exit(1 if failures else 0)
