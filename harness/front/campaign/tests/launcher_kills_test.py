#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What a campaign under a real srun or mpirun consists of is killed at seeded moments of a stage: nothing that was measured is
# lost, nothing stays behind, and a resume completes the points of an undisturbed run. ASSAY_KILLS: how many moments, 1 by default.
import collections
import os
import pathlib
import random
import signal
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "suite" / "tests"))
import loopback_cluster  # noqa: E402
from launched_campaign import Launched  # noqa: E402
from loopback_cluster import BIN  # noqa: E402
from simulated_cluster import bad_units  # noqa: E402
from simulated_node import PROGRAMS, lacking  # noqa: E402

KILLS = HERE / "campaigns" / "kills.toml"
NODE_STAGES, PAIRS, WHOLE = "node", "pairs", "whole"
PLAIN = '#!/bin/sh\nexec {mpirun} "$@"\n'  # a signal to it reaches mpirun
POLITE = {"OMPI_MCA_mpi_yield_when_idle": "1"}  # to other tests on this host
ENDS_WITHIN_S = 200


class Process:
    """One of those that a test started, with all that it starts."""

    def __init__(self, pid):
        folder = pathlib.Path(f"/proc/{pid}")
        self.pid, self.program = pid, pathlib.Path(os.readlink(folder / "exe")).name
        self.parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        self.words = (folder / "cmdline").read_bytes().split(b"\0")
        self.variables = dict(one.split(b"=", 1) for one in (folder / "environ").read_bytes().split(b"\0") if b"=" in one)


def processes_of(folder):
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (one := Process(int(entry.name))).variables.get(b"ASSAY_TEST_FOLDER") == str(folder).encode():
                found.append(one)
        except OSError:
            continue  # it has ended, or is not ours to look at
    return found


def is_victim(one, kind, host, everyone):
    """A node is all that its host runs."""
    programs = {other.pid: other.program for other in everyone}
    on_host = host.encode() in (one.variables.get(b"ASSAY_CAMPAIGN_NODE"), one.variables.get(b"SLURMD_NODENAME"))
    return {"launcher": one.program in ("orterun", "srun") and programs.get(one.parent) != one.program,
            "rank": on_host and one.program in ("assay-rdma", "assay-collectives") and b"--count" not in one.words,
            "agent": on_host and one.program == "assay" and b"--on-node" in one.words,
            "node": on_host,
            "run": one.program == "assay" and one.words[1:2] == [b"run"] and not on_host,
            "coordinator": one.program == "assay" and one.words[1:2] == [b"campaign"] and not on_host}[kind]


def send(pid, how):
    try:
        os.kill(pid, how)
    except ProcessLookupError:
        pass  # it has ended


class Kills(Launched):
    HOSTS, FIRST = (), 0  # of the moments
    MOMENTS = (("launcher", PAIRS), ("rank", WHOLE), ("launcher", NODE_STAGES), ("rank", PAIRS), ("coordinator", PAIRS),
               ("agent", NODE_STAGES), ("launcher", WHOLE), ("run", WHOLE), ("coordinator", NODE_STAGES), ("node", NODE_STAGES), ("node", PAIRS))

    def setUp(self):
        super().setUp()
        if lacking("gemm", "rdma") or not (BIN / "assay-collectives").exists():
            self.skipTest(f"not built here: {', '.join(lacking('gemm', 'rdma')) or 'assay-collectives'}")
        self.root = self.out

    def start_anew_in(self, name):
        self.out = self.root / name
        self.out.mkdir()
        cluster = self.nodes(*self.HOSTS, rails=1)
        (cluster.programs / "assay-collectives").symlink_to(BIN / "assay-collectives")
        return cluster

    def start(self, *words):
        raise NotImplementedError

    def said(self):
        return (self.simulated.folder / "said").read_text(errors="replace")[-6000:]

    def end_of(self, process):
        """Its exit status, once nothing that it started is there any more."""
        limit = time.monotonic() + ENDS_WITHIN_S
        while process.poll() is None or processes_of(self.out):
            if time.monotonic() > limit:
                left = [(one.program, one.words) for one in processes_of(self.out)]
                for one in processes_of(self.out):
                    send(one.pid, signal.SIGKILL)
                self.fail(f"not ended within {ENDS_WITHIN_S} s: {left}\n{self.said()}")
            time.sleep(0.02)
        return process.returncode

    def journals(self):
        return sorted(self.out.glob("c/campaigns/t/nodes/*/*/r*.jsonl")) + sorted(self.out.glob("c/campaigns/t/*/**/journal.jsonl"))

    def measured(self):
        """The lines of points that were measured, as they are in the journals."""
        return collections.Counter((journal.relative_to(self.out), line) for journal in self.journals()
                                   for line in journal.read_text().splitlines(keepends=True)
                                   if '"record":"point"' in line and '"status":"ok"' in line and line.endswith("\n"))

    def points(self):
        """The last record of each point, without what is measured."""
        return {(journal.relative_to(self.out), key, one["case"], one["repetition"], one["status"])
                for journal in self.journals() for key, one in loopback_cluster.latest_points(journal).items()}

    def points_of(self, stage):
        """How many points of this stage have a record."""
        return sum(journal.read_text().count('"record":"point"') for journal in self.journals() if f".{stage}-" in journal.parent.name)

    def undisturbed(self):
        """Its points, and how many each stage has."""
        self.start_anew_in("whole")
        self.assertEqual((self.end_of(self.start(KILLS)), bad_units(self.simulated.verdicts("t"))), (0, set()), self.said())
        return self.points(), {stage: self.points_of(stage) for stage in (NODE_STAGES, PAIRS, WHOLE)}

    def kill(self, process, kind, stage, points, after_s, how, host):
        """The first victim that there is so long after this point of a stage. What was measured before."""
        while process.poll() is None and (f"\n{stage}" not in self.said() or self.points_of(stage) < points):
            time.sleep(0.005)
        time.sleep(after_s)
        while process.poll() is None:
            everyone = processes_of(self.out)
            victims = [one for one in everyone if is_victim(one, kind, host, everyone)]
            if victims:
                before = self.measured()
                for one in victims if kind == "node" else victims[:1]:
                    send(one.pid, how)
                return before
            time.sleep(0.005)
        return self.measured()

    def test_nothing_is_lost_and_a_resume_completes_whatever_is_killed(self):
        whole, counts = self.undisturbed()
        moments = random.Random(22)
        for number in range(self.FIRST, self.FIRST + int(os.environ.get("ASSAY_KILLS", "1"))):
            kind, stage = self.MOMENTS[number % len(self.MOMENTS)]
            points, after_s = moments.randrange(counts[stage]), moments.uniform(0, 0.4)
            host = moments.choice(self.HOSTS)
            how = moments.choice([signal.SIGKILL, signal.SIGTERM]) if kind in ("coordinator", "launcher") else signal.SIGKILL
            with self.subTest(number=number, kind=kind, stage=stage, points=points, how=how.name):
                began = time.monotonic()
                self.start_anew_in(f"k{number}")
                process = self.start(KILLS)
                before = self.kill(process, kind, stage, points, after_s, how, host)
                ended = self.end_of(process)
                print(f"{number}: {kind} after {points} of {counts[stage]} points of {stage} by {how.name}: exit {ended}, "
                      f"{time.monotonic() - began:.1f} s", flush=True)
                self.expect_end(kind, ended, how)
                if ended != 0 or kind == "coordinator":
                    resumed = self.end_of(self.start("--resume"))
                    self.assertEqual((resumed, bad_units(self.simulated.verdicts("t"))), (0, set()), self.said())
                self.assertEqual(self.points(), whole, self.said())
                self.assertFalse(before - self.measured(), "measured, and lost")

    def expect_end(self, kind, ended, how):
        """By itself it goes on where it can. A point that a rank had begun is a failure."""
        if kind == "coordinator":  # salloc ends with 0 where its program is killed
            return self.assertIn(ended, (0, 4, -how, 128 + how), self.said())
        self.assertIn(ended, (0,) if kind == "agent" else (0, 1, 3), self.said())
        self.assertEqual(ended == 0, not bad_units(self.simulated.verdicts("t")), self.said())
        if ended == 1:
            self.assertRegex(self.said(), r"assay run ended with 1: \d+ of \d+ points: \S+ failed: ")


class Mpirun(Kills):
    HOSTS = ("n1", "n2")

    def setUp(self):
        super().setUp()
        self.need_mpirun()

    def start(self, *words):
        launcher, environment = self.by_mpirun(*self.HOSTS, program=PLAIN)
        return self.simulated.start(*words, "--campaign-id", "t", *launcher, environment={**environment, **POLITE, "ASSAY_TEST_FOLDER": str(self.out)})


class Srun(Kills):
    HOSTS, FIRST = ("127.0.0.1", "127.0.0.2"), 1

    def start(self, *words):
        return self.simulated.start(*words, "--campaign-id", "t", "--launcher", "srun",
                                    outside=["salloc", "--quiet", "--immediate=60", "--nodes=2", "--ntasks=2", f"--nodelist={','.join(self.HOSTS)}"],
                                    environment={**self.environment, "ASSAY_TEST_FOLDER": str(self.out)})


if __name__ == "__main__":
    sys.exit(loopback_cluster.run_tests())
