#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Every program and library of the build tree: none searches the current folder, and all that parse are hardened.
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from elf_files import hardening_faults, linked_files, search_path_faults  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ["ASSAY_BUILD_DIR"])
PRINTS = r"""
#include <unistd.h>
__attribute__((constructor)) static void loaded(void) { (void)!write(1, "TAKEN", 5); }
"""


class BuildTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.files = linked_files(*(BUILD / name for name in ("bin", "lib", "simulated") if (BUILD / name).exists()))
        cls.programs = [BUILD / "bin" / name for name in ("assay", "assay-gemm", "assay-memory", "assay-collectives")]

    def test_no_file_searches_the_current_folder(self):
        self.assertGreater(len(self.files), 20)
        self.assertEqual([fault for path in self.files for fault in search_path_faults(path)], [])

    def test_programs_are_hardened(self):
        self.assertEqual([fault for program in self.programs for fault in hardening_faults(program)], [])

    def test_what_parses_is_compiled_hardened_and_what_is_measured_as_ever(self):
        units = json.loads((BUILD / "compile_commands.json").read_text())
        flags = {}
        for unit in units:
            text = pathlib.Path(unit["directory"], unit["file"]).resolve()
            joined = re.findall(r'^#include "(.*)"', text.read_text(), re.M) if text.parent.name == "Unity" else [str(text)]
            for name in joined:
                flags.setdefault(name.removeprefix(str(SOURCE) + "/"), unit["command"])
        for name in ("model/fabric/site/xml_elements.cpp", "results/record/json/json_lines.cpp", "harness/core/text/json_from.cpp", "harness/plan/plan.cpp",
                     "harness/front/health/kernel_log/kernel_log.cpp", "harness/team/wire/frame.cpp"):
            self.assertIn("-D_GLIBCXX_ASSERTIONS", flags[name], name)
        for name in ("memory/host/stream_kernels.cpp", "memory/host/stream_avx2.cpp", "memory/host/vector_avx2.cpp", "harness/integrity/checksums.cpp",
                     "harness/host/pinned_threads.cpp"):
            for flag in ("_GLIBCXX_ASSERTIONS", "-fstack-protector", "_FORTIFY_SOURCE", "-fcf-protection"):
                self.assertNotIn(flag, flags[name], name)

    def test_no_program_takes_a_library_of_the_current_folder(self):
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("no cc here to make a library with")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "x.c").write_text(PRINTS)
            for program in self.programs:
                needed = subprocess.run(["readelf", "--wide", "--dynamic", program], capture_output=True, text=True, check=True).stdout
                names = {line.split("[")[1].rstrip("]") for line in needed.splitlines() if "(NEEDED)" in line}
                for library in {*names, "libnvidia-ml.so.1", "libnccl.so.2", "libmunge.so.2"} - {"libc.so.6"}:
                    subprocess.run([compiler, "-shared", "-fPIC", "-o", folder / library, folder / "x.c"], check=True)
                said = subprocess.run([program, "--version"], cwd=folder, capture_output=True, text=True, check=False).stdout
                self.assertNotIn("TAKEN", said, program.name)


if re.search(r"^ASSAY_SANITIZE:\w+=.", (BUILD / "CMakeCache.txt").read_text(), re.M):
    print("skipped: a build under a sanitizer, which is not hardened")
    sys.exit(77)
unittest.main()
