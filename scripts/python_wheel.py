"""Commands of setuptools that build the package for Python with CMake; pyproject.toml names them and their use."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools.command.build import build
from setuptools.command.build_py import build_py
from setuptools.command.egg_info import egg_info
from wheel.bdist_wheel import bdist_wheel

root = pathlib.Path(__file__).resolve().parent.parent
built = os.environ.get("SHOAL_BUILD_DIR")  # a build tree to take as it is
tree = pathlib.Path(built or root / "build/wheel").resolve()
files = tree / "python-wheel"  # all that setuptools writes

version = re.search(r"project\(shoal VERSION (\S+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"))[1]


def cmake(*arguments):
    subprocess.run(["cmake", *map(str, arguments)], check=True, stdout=sys.stderr)


class Build(build):
    def initialize_options(self):
        super().initialize_options()
        self.build_base = str(files)


class BuildPackage(build_py):
    """The package as `cmake --install` leaves it, without symbols that only a debugger reads."""

    def run(self):
        if not built:
            generator = ["-G", "Ninja"] if shutil.which("ninja") else []
            cmake("-S", root, "-B", tree, *generator, "-DCMAKE_BUILD_TYPE=Release", "-DSHOAL_NATIVE=OFF", "-DSHOAL_TESTS=OFF",
                  "-DSHOAL_BENCHMARKS=OFF", f"-DPython3_EXECUTABLE={sys.executable}")
            cmake("--build", tree, "--parallel", len(os.sched_getaffinity(0)), "--target", "shoal_python", "shoal_petsc")
        prefix = files / "prefix"
        shutil.rmtree(prefix, ignore_errors=True)
        cmake("--install", tree, "--component", "python", "--strip", "--prefix", prefix)
        packages = list(prefix.glob("lib/python*/*/shoal"))
        if not packages:
            sys.exit(f"{tree} was configured without a package for Python, which requires pybind11-dev and python3-dev")
        shutil.rmtree(self.build_lib, ignore_errors=True)
        shutil.copytree(packages[0], pathlib.Path(self.build_lib) / "shoal")


class Metadata(egg_info):
    def initialize_options(self):
        super().initialize_options()
        files.mkdir(parents=True, exist_ok=True)
        self.egg_base = str(files)


class Wheel(bdist_wheel):
    def initialize_options(self):
        super().initialize_options()
        self.distribution.has_ext_modules = lambda: True  # the wheel is for this version of Python on this kind of machine
