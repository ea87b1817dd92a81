# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""The build backend of pyproject.toml: setuptools, with an extension that CMake builds.

ASSAY_PYTHON_BUILD_DIR: a build tree to use and to keep; without it a temporary one.
ASSAY_PYTHON_BUILT: the extension that a build tree has already, and the shared libraries that go with it, parted by semicolons:
nothing is compiled then.
"""

import os
import pathlib
import re
import subprocess
import sys

import setuptools
from setuptools import build_meta
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parents[3]
TARGET = "python_module"


def version():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    number = re.search(r"project\(assay VERSION ([\d.]+)", text)[1]
    return number + (".dev0" if "set(ASSAY_VERSION ${PROJECT_VERSION}-dev)" in text else "")


class BuildByCMake(build_ext):
    """Takes the extension that is built, or configures a release without tests and takes it out of that."""

    def build_extension(self, extension):
        if built := os.environ.get("ASSAY_PYTHON_BUILT"):
            module, *libraries = built.split(";")
            place = pathlib.Path(self.get_ext_fullpath(extension.name))
            self.copy_file(module, str(place))
            for library in libraries:
                self.copy_file(library, str(place.with_name(pathlib.Path(library).name)))
            return
        tree = pathlib.Path(os.environ.get("ASSAY_PYTHON_BUILD_DIR") or pathlib.Path(self.build_temp).resolve() / "cmake")
        tree.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cmake", "-S", ROOT, "-B", tree, "-DCMAKE_BUILD_TYPE=Release", "-DASSAY_BUILD_TESTS=OFF",
                        "-DASSAY_WITH_CUDA=OFF", "-DASSAY_WITH_CHARTS=OFF", "-DASSAY_WITH_PYTHON=ON",
                        f"-DASSAY_PYTHON={sys.executable}"], check=True)
        # Without a number, make starts every compiler at once.
        jobs = os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL") or str(len(os.sched_getaffinity(0)))
        subprocess.run(["cmake", "--build", tree, "--target", TARGET, "--parallel", jobs], check=True)
        built = next((tree / "python" / "assay").glob("_assay.*.so"))
        self.copy_file(str(built), self.get_ext_fullpath(extension.name))


def setup_with_extension():
    """What setuptools' hooks run in place of a setup.py, which this project does not have."""
    metadata = ROOT / "build"
    metadata.mkdir(exist_ok=True)
    setuptools.setup(version=version(), ext_modules=[setuptools.Extension("assay._assay", [])],
                     cmdclass={"build_ext": BuildByCMake}, options={"egg_info": {"egg_base": str(metadata)}})


class Backend(build_meta._BuildMetaBackend):
    def run_setup(self, setup_script="setup.py"):
        sys.argv[0] = setup_script
        setup_with_extension()


_backend = Backend()
build_wheel = _backend.build_wheel
build_sdist = _backend.build_sdist
prepare_metadata_for_build_wheel = _backend.prepare_metadata_for_build_wheel
get_requires_for_build_wheel = _backend.get_requires_for_build_wheel
get_requires_for_build_sdist = _backend.get_requires_for_build_sdist
