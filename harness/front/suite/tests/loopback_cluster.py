# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What tests on a Slurm of this host alone start from: one cluster for all of them, `assay run` in an allocation of it,
# its ranks among this host's processes, and the records it wrote.
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[4]
BUILD = pathlib.Path(os.environ.get("ASSAY_BUILD_DIR", SOURCE / "build"))
BIN = BUILD / "bin"
FAKE_MODULES = BUILD / "fake_rank_modules"
FAKE_PROGRAM = FAKE_MODULES / "fake_rank_module"  # what assay-collectives there is a link to
RUNNER = SOURCE / "scripts" / "slurm-loopback"
# Debian's Open MPI would use shared memory between nodes that share a host by pretence only. It asks for the addresses of
# hosts that no name server knows.
MPI_SETTINGS = {"OMPI_MCA_btl": "tcp,self", "OMPI_MCA_btl_tcp_if_include": "lo", "OMPI_ALLOW_RUN_AS_ROOT": "1",
                "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "RES_OPTIONS": "timeout:1 attempts:1"}

PLAN = """\
[measure]
max_seconds = 0.2
max_warmup_seconds = 0.02
[[sweep]]
cases = ["{cases}"]
axes = {{ {axes} }}
"""


def records_in(journal, kind):
    if not journal.exists():
        return []
    whole = [line for line in journal.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return [record for record in map(json.loads, whole) if record["record"] == kind]


def latest_points(journal):
    """By key: the last record of a point counts."""
    return {record["key"]: record for record in records_in(journal, "point")}


def pids_of(program, **variables):
    """Processes of this program that were started with these environment variables."""
    wanted = {f"{name}={value}".encode() for name, value in variables.items()}
    pids = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(folder / "exe") == str(program) and wanted <= set((folder / "environ").read_bytes().split(b"\0")):
                pids.append(int(folder.name))
        except OSError:
            continue  # it has ended, or is not ours to look at
    return pids


def run_tests():
    """Exit code of the calling program's tests: 77, with each reason, where all were skipped."""
    result = unittest.main(module="__main__", exit=False, verbosity=2).result
    for _, why in result.skipped:
        print(f"skipped: {why}")
    if result.wasSuccessful() and result.testsRun == 0:
        return 77
    return 0 if result.wasSuccessful() else 1


def folder_of_class(cls, prefix):
    """That Slurm's daemons can enter, until the tests of this class have ended."""
    made = tempfile.TemporaryDirectory(prefix=prefix)
    cls.addClassCleanup(made.cleanup)
    folder = pathlib.Path(made.name).resolve()
    folder.chmod(0o755)
    return folder


class LoopbackCluster(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.folder = folder_of_class(cls, "assay-cluster-")
        cls.cluster = cls.folder / "slurm"
        done = subprocess.run([RUNNER, "up", cls.cluster], capture_output=True, text=True, check=False)
        if done.returncode == 77:
            raise unittest.SkipTest(done.stderr.strip().removeprefix("skipped: "))
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.addClassCleanup(subprocess.run, [RUNNER, "down", cls.cluster], check=True)
        cls.environment = {**os.environ, **MPI_SETTINGS, "SLURM_CONF": str(cls.cluster / "slurm.conf"),
                           "ASSAY_MUNGE_SOCKET": str(cls.cluster / "munge" / "socket")}

    def setUp(self):
        self.out = self.folder / self.id().rsplit(".", 1)[1]
        self.out.mkdir()
        (self.out / "tmp").mkdir()
        self.environment = {**self.environment, "TMPDIR": str(self.out / "tmp")}  # Open MPI's launchers of one folder may collide
        self.journal = self.out / "runs" / "r" / "journal.jsonl"

    def plan(self, cases="collectives.fake.waits", axes="n = '1:12:1'"):
        (self.out / "plan.toml").write_text(PLAN.format(cases=cases, axes=axes))
        return ["--plan", str(self.out / "plan.toml")]

    def start(self, *words, modules=FAKE_MODULES, ranks=4, outside=()):
        """`assay run` in an allocation of `ranks` nodes with a task each; what it says goes into a file."""
        allocation = list(outside) or ["salloc", "--quiet", "--immediate=60", f"--nodes={ranks}", f"--ntasks={ranks}"]
        command = [*allocation, BIN / "assay", "run", "--programs", modules, "--out", self.out / "runs", "--run-id", "r", *words]
        with open(self.out / "said", "a", encoding="utf-8") as said:
            return subprocess.Popen(command, env=self.environment, cwd=self.out, stdout=said, stderr=subprocess.STDOUT)

    def end_of(self, process, limit_s):
        """Its exit status. A run that takes longer than it may is a failure."""
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGTERM)
            process.wait(30)
            self.fail(f"the run did not end within {limit_s} s:\n{self.said()}")

    def run_assay(self, *words, limit_s=60, **how):
        return self.end_of(self.start(*words, **how), limit_s)

    def said(self):
        return (self.out / "said").read_text(errors="replace")[-6000:]

    def wait_for_points(self, count, limit_s=30):
        limit = time.monotonic() + limit_s
        while len(records_in(self.journal, "point")) < count:
            self.assertLess(time.monotonic(), limit, f"no {count} points within {limit_s} s:\n{self.said()}")
            time.sleep(0.02)

    def rank(self, number, variable="SLURM_PROCID", program=FAKE_PROGRAM):
        """The process of that rank of the step that runs now; mpirun tells ranks theirs in OMPI_COMM_WORLD_RANK."""
        pids = pids_of(program, SLURM_CONF=self.environment["SLURM_CONF"], **{variable: number})
        self.assertEqual(len(pids), 1, f"rank {number}: {pids}\n{self.said()}")
        return pids[0]

    def need_mpirun(self):
        if not shutil.which("mpirun") or not (BUILD / "lib" / "assay" / "assay_team_mpi.so").exists():
            self.skipTest("mpirun is not installed, or this build has no MPI (scripts/setup --for build,cluster)")

    def statuses(self):
        return sorted(record["status"] for record in latest_points(self.journal).values())
