#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# `scripts/configure --cuda`: what CMake is given, with a program in place of CMake that prints its words.
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "configure"
CMAKE = """#!/bin/sh
[ "$1" = --version ] && echo "cmake version 3.28.0" && exit
printf '%s\\n' "$@"
"""


class ConfigureWithAnotherToolkit(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name).resolve()
        self.program("bin/cmake", CMAKE)
        (self.folder / "tree" / "scripts").mkdir(parents=True)
        shutil.copy(SCRIPT, self.folder / "tree" / "scripts" / "configure")

    def program(self, path, text):
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text)
        (self.folder / path).chmod(0o755)

    def configure(self, *words):
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        return subprocess.run([self.folder / "tree" / "scripts" / "configure", *words], capture_output=True, text=True, env=environment,
                              check=False)

    def test_its_compiler_and_its_libraries_are_chosen_before_other_words(self):
        toolkit = self.folder / "cuda-12.9"
        self.program("cuda-12.9/bin/nvcc", "")
        done = self.configure("release", "--cuda", str(toolkit), "-DX=1")
        self.assertEqual(done.stdout.splitlines(), ["--preset", "release", "-DASSAY_WITH_CUDA=ON", f"-DCMAKE_CUDA_COMPILER={toolkit}/bin/nvcc",
                                                    f"-DCUDAToolkit_ROOT={toolkit}", "-DX=1"])

    def test_without_the_flag_cmake_looks_for_itself(self):
        self.assertEqual(self.configure("dev").stdout.splitlines(), ["--preset", "dev"])

    def test_a_folder_without_a_compiler_is_refused_in_one_line(self):
        for words in (["/nonexistent"], []):
            done = self.configure("release", "--cuda", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertEqual(done.stderr, "scripts/configure: --cuda: expected the folder of a CUDA toolkit, with bin/nvcc, got "
                             f"'{''.join(words)}'\n")


unittest.main()
