#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# `assay run --launcher srun` in a real Slurm on loopback: a whole run, and one whose rank 2 is killed in mid-sweep.
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from loopback_slurm import LoopbackSlurm, why_not

RANKS = 4
LIMIT_S = 120
PLAN = """name = "cluster"
[measure]
max_seconds = 0.4
max_warmup_seconds = 0.01
relative_width = 0.0001
[[sweep]]
cases = ["collectives.*.all_gather"]
axes = { bytes = "1200" }
"""


def rank_of(process):
    try:
        words = pathlib.Path("/proc", process, "environ").read_bytes().split(b"\0")
    except OSError:
        return None
    return next((int(word.split(b"=")[1]) for word in words if word.startswith(b"SLURM_PROCID=")), None)


def runs(process, program):
    try:
        return os.readlink(f"/proc/{process}/exe") == str(program)
    except OSError:  # it has ended, or is not ours
        return False


def processes_of(program):
    return [entry.name for entry in pathlib.Path("/proc").iterdir() if entry.name.isdigit() and runs(entry.name, program)]


class SlurmRun(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.slurm = LoopbackSlurm(RANKS)
        cls.bin = pathlib.Path(os.environ["ASSAY_BIN_DIR"]).resolve()

    @classmethod
    def tearDownClass(cls):
        cls.slurm.close()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "plan.toml").write_text(PLAN)

    def start(self):
        words = [self.bin / "assay", "run", "--plan", self.folder / "plan.toml", "--out", self.folder / "runs", "--launcher", "srun",
                 "--ranks", str(RANKS), f"--launcher-args=-N{RANKS}", "--launcher-args=--mpi=pmix"]
        environment = {**self.slurm.environment, "OMPI_MCA_btl": "tcp,self", "OMPI_MCA_btl_tcp_if_include": "lo",
                       "ASAN_OPTIONS": "detect_leaks=0"}
        return subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def points(self):
        journals = list((self.folder / "runs").glob("*/journal.jsonl"))
        lines = journals[0].read_text().splitlines() if journals else []
        return [record for line in lines if (record := json.loads(line)).get("record") == "point"]

    def kill_rank(self, rank):
        end = time.monotonic() + LIMIT_S
        while not self.points() and time.monotonic() < end:
            time.sleep(0.05)
        victims = [process for process in processes_of(self.bin / "assay-collectives") if rank_of(process) == rank]
        self.assertEqual(len(victims), 1)
        os.kill(int(victims[0]), signal.SIGKILL)

    def test_a_whole_run_is_measured_by_the_ranks_of_srun(self):
        run = self.start()
        said, _ = run.communicate(timeout=LIMIT_S)
        self.assertEqual(run.returncode, 0, said)
        self.assertEqual([point["status"] for point in self.points()], ["ok"] * 4, said)

    def test_a_killed_rank_costs_its_point_which_names_it_or_srun_does(self):
        run = self.start()
        self.kill_rank(2)
        said, _ = run.communicate(timeout=LIMIT_S)
        states = [point["status"] for point in self.points()]
        self.assertEqual(run.returncode, 1, said)
        self.assertEqual(states.count("ok"), 3, said)
        lost = next(point for point in self.points() if point["status"] != "ok")
        self.assertIn(lost["status"], ("timeout", "failed"))
        self.assertTrue("rank 2 (" in lost["reason"] or "task 2: Killed" in said, said)


if __name__ == "__main__":
    if reason := why_not():
        print(f"skipped: {reason}", file=sys.stderr)
        sys.exit(77)
    unittest.main()
