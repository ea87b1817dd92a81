#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What each kernel uses of a multiprocessor, from its compiled code, against what its launch assumes (kernels.toml). Needs the
# compiler and no device. resource_usage_test.py BUILD-FOLDER [--print]
import concurrent.futures
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
import unittest

TABLE = pathlib.Path(__file__).resolve().parent / "kernels.toml"
SKIPPED = 77
# Of an H100 (compute capability 9.0): CUDA C++ Programming Guide 13.0, table of technical specifications.
REGISTERS, REGISTERS_AT_ONCE, SHARED_BYTES, SHARED_OF_A_BLOCK, THREADS, BLOCKS = 65536, 256, 233472, 1024, 2048, 32


class Usage:
    def __init__(self, name, registers, shared, spilled):
        self.name, self.registers, self.shared, self.spilled = name, registers, shared, spilled

    def blocks(self, threads, dynamic_shared):
        """Blocks of so many threads that one multiprocessor holds at once."""
        warps = -(-threads // 32)
        of_a_warp = -(-self.registers * 32 // REGISTERS_AT_ONCE) * REGISTERS_AT_ONCE
        shared = self.shared + dynamic_shared + SHARED_OF_A_BLOCK
        return min(REGISTERS // (warps * of_a_warp), SHARED_BYTES // shared, THREADS // (warps * 32), BLOCKS)


def commands(build):
    file = build / "compile_commands.json"
    entries = json.loads(file.read_text()) if file.is_file() else []
    return [entry for entry in entries if entry["file"].endswith(".cu") and "/tests/" not in entry["file"]]


def compiled(entry, capability, *flags, to="cubin"):
    """Code and messages of the compiler for a source, by the flags of the build, for one compute capability (90 is 9.0)."""
    words = shlex.split(entry["command"])
    at = words.index("-c")
    keep = [word for word in words[:at] if not word.startswith(("--generate-code", "-MD", "-x"))]
    keep = [word for word in keep if word not in ("cu", "-g", "-G")]
    with tempfile.TemporaryDirectory() as folder:
        code = "compute" if to == "ptx" else "sm"
        out = pathlib.Path(folder) / "out"
        words = [*keep, "-O3", "-gencode", f"arch=compute_{capability},code={code}_{capability}", f"-{to}", *flags, "-o", out, entry["file"]]
        done = subprocess.run(words, cwd=entry["directory"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{entry['file']}, sm_{capability}: {done.stderr.strip()[-400:]}")
        return out.read_bytes(), done.stderr


def demangled(text):
    return subprocess.run(["c++filt"], input=text, capture_output=True, text=True, check=True).stdout.replace("(anonymous namespace)::", "")


def usages(entry):
    """Of every kernel of a source."""
    return read(demangled(compiled(entry, 90, "--resource-usage")[1]))


def loads_before_a_store(ptx):
    """Of each kernel of a PTX text: loads from global memory that come before its first store there."""
    found = {}
    for part in re.split(r"\.entry ", ptx)[1:]:
        name = demangled(part.split("(")[0].strip())
        found[name] = len(re.findall(r"\bld\.global", re.split(r"\bst\.global", part)[0]))
    return found


def read(text):
    found = []
    for part in re.split(r"Compiling entry function ", text)[1:]:
        name = re.sub(r"^void ", "", part.split("' for")[0].strip("'"))
        spilled = sum(map(int, re.findall(r"(\d+) bytes spill", part))) + sum(map(int, re.findall(r"(\d+) bytes stack", part)))
        shared = re.search(r"(\d+) bytes smem", part)
        found.append(Usage(name, int(re.search(r"Used (\d+) registers", part).group(1)), int(shared.group(1)) if shared else 0, spilled))
    return found


class Kernels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with concurrent.futures.ThreadPoolExecutor(2) as threads:
            cls.used = [one for all_of in threads.map(usages, commands(BUILD)) for one in all_of]
        cls.rows = tomllib.loads(TABLE.read_text())["kernel"]

    def rows_of(self, used):
        return [row for row in self.rows if re.search(row["name"], used.name)]

    def test_every_kernel_has_one_row_and_every_row_a_kernel(self):
        for used in self.used:
            self.assertEqual(len(self.rows_of(used)), 1, f"{used.name}: expected one row of {TABLE.name}")
        for row in self.rows:
            self.assertTrue(any(re.search(row["name"], used.name) for used in self.used), f"{row['name']}: no such kernel")

    def test_no_kernel_spills_registers(self):
        for used in self.used:
            self.assertEqual(used.spilled, 0, f"{used.name} keeps {used.spilled} bytes of registers in memory")

    def test_as_many_blocks_fit_a_multiprocessor_as_the_launch_assumes(self):
        for used in self.used:
            row = self.rows_of(used)[0]
            fit = used.blocks(row["threads"], row.get("dynamic_shared", 0))
            self.assertGreaterEqual(fit, row["blocks_per_sm"], f"{used.name}: {used.registers} registers, {used.shared} bytes shared")

    def test_loads_over_links_are_in_flight_together(self):
        wanted = [row for row in self.rows if "loads_in_flight" in row]
        found = {}
        for entry in commands(BUILD):
            if any(row["name"].split("::")[-1] in pathlib.Path(entry["file"]).read_text() for row in wanted):
                found |= loads_before_a_store(compiled(entry, 90, to="ptx")[0].decode())
        for row in wanted:
            loads = [count for name, count in found.items() if re.search(row["name"], name)]
            self.assertTrue(loads, row["name"])
            self.assertGreaterEqual(min(loads), row["loads_in_flight"], row["name"])


class Reading(unittest.TestCase):
    TEXT = """ptxas info    : Compiling entry function 'void assay::(anonymous namespace)::triad<float>(float*)' for 'sm_90'
    8 bytes stack frame, 4 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 2048 bytes smem
"""

    def test_spills_shared_memory_and_occupancy_are_seen(self):
        (used,) = read(self.TEXT.replace("(anonymous namespace)::", ""))
        self.assertEqual((used.name, used.registers, used.shared, used.spilled), ("assay::triad<float>(float*)", 40, 2048, 24))
        self.assertEqual(used.blocks(256, 0), 6)  # 40 registers: 1,280 a warp, 8 warps, 65,536 in all
        self.assertEqual(used.blocks(32, 100000), 2)


if __name__ == "__main__":
    BUILD = pathlib.Path(sys.argv[1])
    if not commands(BUILD):
        print("skipped: this build has no device code")
        sys.exit(SKIPPED)
    if "--print" in sys.argv:
        for one in (used for entry in commands(BUILD) for used in usages(entry)):
            print(f"{one.registers:4} registers {one.shared:6} bytes shared {one.spilled:4} spilled  {one.name}")
        sys.exit(0)
    unittest.main(argv=sys.argv[:1])
