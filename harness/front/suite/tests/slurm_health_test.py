#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# scripts/slurm/health-check, prolog and epilog under a real Slurm, on simulated nodes: a planted fault drains, and nothing else does.
import os
import pathlib
import re
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import loopback_cluster  # noqa: E402
from loopback_cluster import BIN, BUILD, RUNNER, SOURCE  # noqa: E402

os.environ["ASSAY_BUILD_DIR"] = str(BUILD)
import simulated_node  # noqa: E402

SCRIPTS = SOURCE / "scripts" / "slurm"
# Slurm starts its programs with an empty environment; each node of this host has settings of its own.
PROGRAM = """\
#!/bin/sh
export ASSAY_NODE_CHECK_CONF={folder}/$SLURMD_NODENAME.conf
exec {scripts}/{name}
"""


def shell_line(name, value):
    return f"{name}='{value}'\n"


def command_of(process):
    try:
        return (process / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""  # it has ended


class SiteCluster(unittest.TestCase):
    """A cluster whose slurm.conf names a program of scripts/slurm."""
    NODES, SETTINGS = 0, ""
    DEADLINE_S = 30

    @classmethod
    def setUpClass(cls):
        lacking = [path.name for path in (simulated_node.ASSAY, simulated_node.NVML) if not path.exists()]
        if lacking:
            raise unittest.SkipTest(f"not built here: {', '.join(lacking)}")
        cls.folder = loopback_cluster.folder_of_class(cls, "assay-health-")
        cls.cluster = cls.folder / "slurm"
        cls.names = [f"127.0.0.{number + 1}" for number in range(cls.NODES)]
        for name in ("health-check", "prolog", "epilog"):
            program = cls.folder / name
            program.write_text(PROGRAM.format(folder=cls.folder, scripts=SCRIPTS, name=name))
            program.chmod(0o755)
        cls.write_nodes()
        (cls.folder / "settings").write_text(cls.SETTINGS.format(folder=cls.folder))
        done = subprocess.run([RUNNER, "up", "--nodes", str(cls.NODES), "--settings", cls.folder / "settings", cls.cluster],
                              capture_output=True, text=True, check=False)
        if done.returncode == 77:
            raise unittest.SkipTest(done.stderr.strip().removeprefix("skipped: "))
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.addClassCleanup(cls.expect_no_check_left)
        cls.addClassCleanup(subprocess.run, [RUNNER, "down", cls.cluster], check=True)
        cls.environment = {**os.environ, "SLURM_CONF": str(cls.cluster / "slurm.conf")}

    @classmethod
    def write_node(cls, name, faults="", program=BIN / "assay"):
        node = simulated_node.SimulatedNode(cls.folder / name, host=name.replace(".", "-"), faults=faults)
        told = {key: value for key, value in node.environment.items() if key.startswith("ASSAY_")}
        lines = {**told, "ASSAY": program, "ASSAY_STATE": cls.folder / f"state-{name}", "ASSAY_DEADLINE_S": cls.DEADLINE_S,
                 "ASSAY_LOG": cls.folder / f"log-{name}", "ASSAY_CHECK_ARGS": "--window 0.1",
                 "SLURM_CONF": cls.cluster / "slurm.conf"}
        (cls.folder / f"{name}.conf").write_text("".join(shell_line(*pair) for pair in lines.items()))

    @classmethod
    def expect_no_check_left(cls):
        """Once Slurm has ended: a checker that hangs was ended too."""
        limit = time.monotonic() + cls.DEADLINE_S + 10
        while left := [line for line in map(command_of, pathlib.Path("/proc").glob("[0-9]*")) if str(cls.folder) in line]:
            if time.monotonic() > limit:
                raise AssertionError(f"left behind: {left}")
            time.sleep(0.1)

    @classmethod
    def write_program(cls, name, text):
        program = cls.folder / name
        program.write_text(f"#!/bin/sh\n{text}\n")
        program.chmod(0o755)
        return program

    def log(self, name):
        file = self.folder / f"log-{name}"
        return file.read_text() if file.exists() else ""

    def described(self, name):
        return subprocess.run(["scontrol", "show", "node", name], env=self.environment, capture_output=True, text=True,
                              check=True).stdout

    def wait_for(self, what, limit_s=60):
        limit = time.monotonic() + limit_s
        while not what():
            self.assertLess(time.monotonic(), limit, "\n".join(self.described(name) + self.log(name) for name in self.names))
            time.sleep(0.2)

    def run_on(self, name, *words):
        return subprocess.run(["srun", "--immediate=30", f"--nodelist={name}", *words], env=self.environment, cwd=self.folder,
                              capture_output=True, text=True, timeout=90, check=False)

    def jobs_on_nodes(self):
        states = "configuring,running,completing"
        return subprocess.run(["squeue", "--noheader", f"--states={states}"], env=self.environment, capture_output=True, text=True,
                              check=True).stdout.splitlines()

    def is_drained(self, name):
        return "DRAIN" in re.search(r"State=(\S+)", self.described(name)).group(1)


class HealthCheck(SiteCluster):
    NODES = 5
    DEADLINE_S = 3  # of the checker that hangs
    # The interval is the least that Slurm takes.
    SETTINGS = "HealthCheckProgram={folder}/health-check\nHealthCheckInterval=1\nHealthCheckNodeState=ANY\n"

    @classmethod
    def write_nodes(cls):
        healthy, faulty, hangs, broken, unknown = cls.names
        cls.write_node(healthy)
        cls.write_node(faulty, "pcie_width:3:8")
        cls.write_node(hangs, program=cls.write_program("hangs", f"trap '' TERM INT\ntouch {cls.folder}/hung\nsleep 1000\nsleep 1000"))
        cls.write_node(broken, program=cls.folder / "no-such-program")
        cls.write_node(unknown)
        (cls.folder / unknown / "root" / "dev" / "kmsg").unlink()

    def test_a_fault_drains_its_node_with_the_reason_and_nothing_else_drains(self):
        healthy, faulty, hangs, broken, unknown = self.names
        self.wait_for(lambda: self.is_drained(faulty))
        self.wait_for(lambda: f"no answer within {self.DEADLINE_S} s: not judged" in self.log(hangs))
        self.wait_for(lambda: "the checker failed" in self.log(broken))
        self.wait_for(lambda: "not judged: INCONCLUSIVE: " in self.log(unknown))
        self.wait_for((self.folder / f"state-{healthy}" / "assay.prom").exists)
        reason = re.search(r"Reason=(.*)", self.described(faulty)).group(1)
        self.assertTrue(reason.startswith("assay: FAIL: "), reason)
        self.assertIn("pcie.width", reason)
        self.assertIn(simulated_node.address_of(3), reason)
        self.assertIn(f"(see {self.folder}/state-{faulty}/check.json)", reason)
        for name in (healthy, hangs, broken, unknown):
            self.assertFalse(self.is_drained(name), self.described(name))
        self.assertEqual(self.log(healthy), "")
        self.assertIn('assay_check_verdict{node="127-0-0-1"} 0\n', (self.folder / f"state-{healthy}" / "assay.prom").read_text())
        self.assertTrue((self.folder / "hung").exists())

    def test_the_reason_of_an_operator_stays(self):
        faulty = self.names[1]
        self.wait_for(lambda: self.is_drained(faulty))
        subprocess.run(["scontrol", "update", f"nodename={faulty}", "state=drain", "reason=ticket 4711"], env=self.environment, check=True)
        before = self.log(faulty).count("is drained already")
        self.wait_for(lambda: self.log(faulty).count("is drained already") > before + 1)
        self.assertIn("Reason=ticket 4711", self.described(faulty))


class Prolog(SiteCluster):
    NODES = 2
    SETTINGS = "Prolog={folder}/prolog\nPrologFlags=Alloc\n"

    @classmethod
    def write_nodes(cls):
        cls.write_node(cls.names[0])
        cls.write_node(cls.names[1], "missing:2")

    def test_a_job_starts_on_a_healthy_node_and_never_on_a_faulty_one(self):
        healthy, faulty = self.names
        ran = self.run_on(healthy, "echo", "job ran")
        self.assertEqual((ran.returncode, ran.stdout), (0, "job ran\n"), ran.stderr)
        job = subprocess.Popen(["srun", f"--nodelist={faulty}", "touch", self.folder / "job-ran"], env=self.environment,
                               cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(job.wait, 30)
        self.addCleanup(job.kill)
        self.wait_for(lambda: self.is_drained(faulty))
        reason = re.search(r"Reason=(.*)", self.described(faulty)).group(1)
        self.assertTrue(reason.startswith("assay: FAIL: "), reason)
        self.assertIn("gpu.count", reason)
        self.wait_for(lambda: self.jobs_on_nodes() == [])
        self.assertFalse((self.folder / "job-ran").exists())
        self.assertFalse(self.is_drained(healthy))


class Epilog(SiteCluster):
    """A fault that appears between two jobs."""
    NODES, SETTINGS = 2, "Epilog={folder}/epilog\n"

    @classmethod
    def write_nodes(cls):
        for name in cls.names:
            cls.write_node(name)

    def test_the_job_ends_as_it_did_and_its_node_takes_no_other(self):
        healthy, faulty = self.names
        for name in self.names:
            ran = self.run_on(name, "echo", "first job ran")
            self.assertEqual((ran.returncode, ran.stdout), (0, "first job ran\n"), ran.stderr)
            self.wait_for((self.folder / f"state-{name}" / "check.json").exists)
            self.wait_for(lambda name=name: "State=IDLE " in self.described(name))
        settings = self.folder / f"{faulty}.conf"
        sound, broken = (shell_line("ASSAY_SIMULATED_FAULT", faults) for faults in ("", "missing:2"))
        self.assertIn(sound, settings.read_text())
        settings.write_text(settings.read_text().replace(sound, broken))
        ran = self.run_on(faulty, "echo", "second job ran")
        self.assertEqual((ran.returncode, ran.stdout), (0, "second job ran\n"), ran.stderr)
        self.wait_for(lambda: self.is_drained(faulty))
        reason = re.search(r"Reason=(.*)", self.described(faulty)).group(1)
        self.assertTrue(reason.startswith("assay: FAIL: "), reason)
        self.assertIn("gpu.count", reason)
        third = subprocess.run(["srun", "--immediate=2", f"--nodelist={faulty}", "touch", self.folder / "third-job-ran"],
                               env=self.environment, cwd=self.folder, capture_output=True, timeout=90, check=False)
        self.assertNotEqual(third.returncode, 0)
        self.assertFalse((self.folder / "third-job-ran").exists())
        self.assertFalse(self.is_drained(healthy), self.described(healthy))
        self.assertEqual(self.log(healthy), "")


class Words(unittest.TestCase):
    def test_a_role_that_is_none_is_one_line(self):
        said = subprocess.run([SCRIPTS / "node-check", "reboot"], capture_output=True, text=True, check=False)
        self.assertEqual((said.returncode, said.stderr),
                         (2, "node-check: expected one of health, prolog, epilog, got 'reboot'\n"))

    def test_a_folder_that_cannot_be_written_is_a_line_of_the_log(self):
        log = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"assay-node-check-{os.getpid()}"
        self.addCleanup(log.unlink, missing_ok=True)
        said = subprocess.run([SCRIPTS / "prolog"], capture_output=True, text=True, check=False,
                              env={**os.environ, "ASSAY_STATE": "/proc/none", "ASSAY_LOG": str(log), "ASSAY_NODE": "n1"})
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn("node-check prolog on n1: /proc/none: cannot be written: not judged\n", log.read_text())


if __name__ == "__main__":
    sys.exit(loopback_cluster.run_tests())
