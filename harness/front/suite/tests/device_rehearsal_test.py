#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-device-check as on a node, with the programs on the simulated GPU, a plan of small points under the name of device,
# and a peer that prints numbers. Its times are worth nothing.
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
BUILD = pathlib.Path(os.environ["ASSAY_BUILD_DIR"])
MODULES = ("gemm", "memory", "offload", "collectives")
NEEDED = [BUILD / "bin/assay", BUILD / "bin/harness_cuda_simulated_test", *(BUILD / f"simulated/assay-{module}" for module in MODULES)]
LACKING = [path.name for path in NEEDED if not path.exists()]

PLAN = """\
[measure]
max_seconds = 0.02
max_warmup_seconds = 0.01
min_samples = 3
[[sweep]]
cases = ["offload.cuda.copy"]
axes = { numa = -1, bytes = "1MiB", direction = ["h2d", "d2h"], by = "engine", memory = "pinned" }
[[sweep]]
cases = ["memory.cuda.link_latency"]
axes = { memory = "host", bytes = "2MiB" }
[[sweep]]
cases = ["memory.cuda.copy_engine", "memory.cuda.read", "memory.cuda.write", "memory.cuda.copy", "memory.cuda.triad"]
axes = { bytes = "1MiB", cache_state = "hot" }
[[sweep]]
cases = ["gemm.cuda.matmul"]
axes = { m = 128, dtype = "bf16", cache = ["cold", "hot"] }
[[sweep]]
cases = ["memory.cuda.vector"]
axes = { kernel = "gelu", dtype = "bf16", elements = 65536 }
[[sweep]]
cases = ["collectives.nccl.all_reduce"]
axes = { bytes = 8 }
[[sweep]]
cases = ["offload.cuda.interference"]
axes = { m = 256, bytes = "3MiB", blocks = 4, round_ms = 1, victim = "gemm", aggressor = "spin" }
"""
# What a program of the tarball is here: the one on the simulated GPU, told of the small plan.
PROGRAM = """\
#!/usr/bin/env bash
words=("$@")
for i in "${!words[@]}"; do [[ ${words[i]} != device ]] || words[i]=PLAN; done
export ASSAY_NCCL=/nonexistent # that of this machine wants a real GPU
[[ $1 != run ]] || words=(run --programs SIMULATED "${words[@]:1}")
exec PROGRAM "${words[@]}"
"""
# Tests of few milliseconds are left to a GPU.
TESTS = """\
#!/usr/bin/env bash
[[ $1 != --gtest_list_tests ]] || set -- "$1" --gtest_filter='CudaOnDevice.*-*ASpin*:*Gate*'
exec PROGRAM "$@"
"""
NVBANDWIDTH = """\
#!/usr/bin/env bash
for name in host_to_device_memcpy_ce device_to_host_memcpy_ce; do printf '"name" : "%s",\\n"status" : "Passed",\\n"sum" : 10.5\\n' $name; done
"""


class Rehearsal(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="assay-rehearsal-")
        self.addCleanup(made.cleanup)
        self.root = pathlib.Path(made.name)
        (self.root / "plan.toml").write_text(PLAN)
        (self.root / "bin").mkdir()
        shutil.copy(ROOT / "scripts/assay-device-check", self.root / "bin")
        shutil.copytree(ROOT / "scripts/device_check", self.root / "libexec/assay/device-check")
        self.plant("bin/assay", PROGRAM, BUILD / "bin/assay")
        for module in MODULES:
            self.plant(f"bin/assay-{module}", PROGRAM, BUILD / f"simulated/assay-{module}")
        self.plant("libexec/assay/device-tests/harness_cuda_device_test", TESTS, BUILD / "bin/harness_cuda_simulated_test")
        self.plant("peers/nvbandwidth", NVBANDWIDTH, "")

    def plant(self, path, text, program):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text.replace("PROGRAM", str(program)).replace("PLAN", str(self.root / "plan.toml"))
                        .replace("SIMULATED", str(BUILD / "simulated")))
        file.chmod(0o755)

    def check(self, *arguments):
        ended = subprocess.run([self.root / "bin/assay-device-check", "--output", "out", "--pack-results", "back", "--peers", "peers", *arguments],
                               cwd=self.root, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.said = ended.stdout
        self.summary = (self.root / "back/summary.txt").read_text()
        return ended.returncode

    def packed(self):
        return sorted(path.name for path in (self.root / "back").iterdir())

    def journals(self):
        listed = subprocess.run(["tar", "-xJf", "back/results.tar.xz", "--wildcards", "--to-stdout", "*/journal.jsonl"], cwd=self.root, text=True,
                                capture_output=True, check=True).stdout
        return [json.loads(line) for line in listed.splitlines()]

    def test_a_whole_check_measures_compares_and_packs(self):
        code = self.check()
        self.assertEqual(code, 3, self.said)  # peers are missing
        for step in ("rank", "ranks"):
            self.assertRegex(self.summary, rf"(?m)^{step}: inconclusive ", self.said)
        for step in ("probe", "tests", "links", "products", "vectors", "streams", "power", "interference", "more-tests"):
            self.assertRegex(self.summary, rf"(?m)^{step}: ok ", self.said)
        self.assertIn("then cudaPeekAtLastError says cudaErrorNotReady", self.summary)
        self.assertRegex(self.summary, r"nvbandwidth host_to_device_memcpy_ce: .* peer 10\.5 GB/s, ratio \S+ \[\S+, \S+\] \(n = 4\)")
        self.assertIn("cuda-stream Copy: memory.cuda.copy/*bytes=2147483648,cache_state=hot,mover=sm: not measured: no program cuda-stream in peers",
                      self.summary)
        self.assertEqual(self.packed(), ["device-check.log", "results.tar.xz", "summary.txt"])
        points = [record for record in self.journals() if record["record"] == "point"]
        self.assertEqual({record["status"] for record in points if record["module"] != "collectives"}, {"ok"})
        self.assertGreaterEqual(len(points), 12)
        self.assertIn("memory.cuda.vector", self.summary)  # the table of points

    def test_a_minute_is_a_minute(self):
        begun = time.monotonic()
        code = self.check("--minutes", "1")
        self.assertLess(time.monotonic() - begun, 60, self.said)
        self.assertIn(code, (1, 3))
        self.assertEqual(self.packed(), ["device-check.log", "results.tar.xz", "summary.txt"])
        steps = subprocess.run([self.root / "bin/assay-device-check", "--steps"], capture_output=True, text=True, check=True).stdout
        for line in steps.splitlines():
            self.assertRegex(self.summary, rf"(?m)^{line.split()[0]}: (ok|failed|stopped|skipped|inconclusive|left out) ")


if __name__ == "__main__":
    if LACKING:
        print("skipped: not built here:", ", ".join(LACKING))
        sys.exit(77)
    unittest.main()
