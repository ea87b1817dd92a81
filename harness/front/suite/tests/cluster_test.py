#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# `assay run` under a real Slurm: ranks started by srun and mpirun, ranks that die or stop in mid-sweep, interrupts, resume.
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

sys.dont_write_bytecode = True
import loopback_cluster  # noqa: E402
from loopback_cluster import BIN, SOURCE, latest_points, records_in  # noqa: E402

SRUN = ["--launcher", "srun"]
MPIRUN = ["--launcher", "mpirun", "--ranks", "4", "--launcher-args=--oversubscribe"]


class Launchers(loopback_cluster.LoopbackCluster):
    def expect_all_of_four_ranks(self):
        points = latest_points(self.journal)
        self.assertEqual(self.statuses(), ["ok"] * 12, self.said())
        self.assertEqual({point["conditions"]["ranks"] for point in points.values()}, {4})
        self.assertEqual(len(records_in(self.journal, "context")), 1)

    def test_srun_starts_the_ranks_of_the_allocation(self):
        self.assertEqual(self.run_assay(*SRUN, *self.plan()), 0, self.said())
        self.expect_all_of_four_ranks()
        self.assertEqual(sorted(path.name for path in self.journal.parent.iterdir()),
                         ["flags.txt", "journal.jsonl", *(f"journal.jsonl.rank{rank}" for rank in (1, 2, 3)), "plan.toml", "report.html"])

    def proven_keys(self):
        return {point["conditions"]["team_key"] for point in latest_points(self.journal).values()}

    def test_ranks_of_srun_prove_their_user_by_munge(self):
        self.assertEqual(self.run_assay(*SRUN, *self.plan()), 0, self.said())
        self.expect_all_of_four_ranks()
        self.assertEqual(self.proven_keys(), {"MUNGE"})

    def test_without_munge_ranks_of_srun_prove_a_key_of_the_run(self):
        no_munge = ["env", "ASSAY_MUNGE_SOCKET=/nowhere/munge.socket", "salloc", "--quiet", "--immediate=60", "--nodes=4",
                    "--ntasks=4"]
        self.assertEqual(self.run_assay(*SRUN, *self.plan(), outside=no_munge), 0, self.said())
        self.expect_all_of_four_ranks()
        self.assertEqual(self.proven_keys(), {"environment"})

    def test_srun_with_pmix_makes_a_team_over_mpi(self):
        self.need_mpirun()
        self.assertEqual(self.run_assay(*SRUN, "--launcher-args=--mpi=pmix", *self.plan()), 0, self.said())
        self.expect_all_of_four_ranks()

    def test_mpirun_starts_as_many_ranks_as_it_is_told(self):
        self.need_mpirun()
        self.assertEqual(self.run_assay(*MPIRUN, *self.plan(), outside=["env"]), 0, self.said())
        self.expect_all_of_four_ranks()

    def test_local_runs_the_module_as_it_starts_by_itself(self):
        self.assertEqual(self.run_assay(*self.plan(), outside=["env"]), 0, self.said())
        self.assertEqual(self.statuses(), ["ok"] * 12)

    def test_srun_outside_of_an_allocation_is_refused(self):
        self.assertEqual(self.run_assay(*SRUN, "--ranks", "4", *self.plan(), outside=["env"]), 2)
        self.assertEqual(self.said(), "assay: --launcher srun: no allocation here, SLURM_JOB_ID is not set (start it inside "
                                      "salloc or sbatch)\n")


class Faults(loopback_cluster.LoopbackCluster):
    def break_rank(self, number, how, *words):
        """The exit status of a run whose rank got this signal after its second point; how long it went on for."""
        process = self.start(*SRUN, *words, *self.plan())
        self.wait_for_points(2)
        os.kill(self.rank(number), how)
        broken = time.monotonic()
        status = self.end_of(process, 120)
        return status, time.monotonic() - broken

    def expect_one_failure_that_says(self, text):
        """Every other point was measured, before the fault or by the ranks that were started anew."""
        points = latest_points(self.journal).values()
        faulty = [point for point in points if point["status"] != "ok"]
        self.assertEqual((len(points), len(faulty)), (12, 1), self.said())
        self.assertIn(text, faulty[0]["reason"])
        return faulty[0]

    def expect_resume_to_complete(self):
        self.assertEqual(self.run_assay(*SRUN, "--resume"), 0, self.said())
        self.assertEqual(self.statuses(), ["ok"] * 12, self.said())

    def test_a_rank_that_dies_is_named_and_a_resume_completes_the_run(self):
        status, took_s = self.break_rank(2, signal.SIGKILL)
        self.assertEqual(status, 1, self.said())
        self.assertLess(took_s, 60)
        self.assertEqual(self.expect_one_failure_that_says("rank 2 (")["status"], "failed")
        self.expect_resume_to_complete()

    def test_rank_0_that_dies_is_named_and_nothing_measured_is_lost(self):
        status, took_s = self.break_rank(0, signal.SIGKILL)
        self.assertEqual(status, 1, self.said())
        self.assertLess(took_s, 60)
        self.expect_one_failure_that_says("task 0: Killed")
        self.expect_ranks_to_have_kept_their_journals()
        self.expect_resume_to_complete()

    def expect_ranks_to_have_kept_their_journals(self):
        """Of the first start, which rank 0 did not live to end; they go into one store as runs of their own."""
        journals = sorted(self.journal.parent.glob("journal.jsonl.rank*"))
        self.assertEqual([path.name[-1] for path in journals], ["1", "2", "3"])
        for rank, journal in enumerate(journals, 1):
            points = records_in(journal, "point")
            self.assertGreaterEqual(len([one for one in points if one["status"] == "ok" and one["samples_s"]]), 2)
            self.assertEqual({one["run_id"] for one in points}, {f"r.rank{rank}"})
        store = self.out / "store.sqlite"
        merged = subprocess.run([BIN / "assay", "import", "--store", store, self.journal, *journals], capture_output=True,
                                text=True, check=False)
        self.assertEqual(merged.returncode, 0, merged.stderr)
        shown = subprocess.run([BIN / "assay", "show", "runs", "--store", store, "--format", "csv"], capture_output=True,
                               text=True, check=True).stdout
        for run in ("r", "r.rank1", "r.rank2", "r.rank3"):
            self.assertIn(f"{run},", shown)

    def test_a_rank_of_mpirun_that_dies_is_named_and_a_resume_completes_the_run(self):
        self.need_mpirun()
        process = self.start(*MPIRUN, *self.plan(), outside=["env"])
        self.wait_for_points(2)
        os.kill(self.rank(2, "OMPI_COMM_WORLD_RANK"), signal.SIGKILL)
        self.assertEqual(self.end_of(process, 60), 1, self.said())
        self.expect_one_failure_that_says("rank 2 ")
        self.assertEqual(self.run_assay(*MPIRUN, "--resume", outside=["env"]), 0, self.said())
        self.assertEqual(self.statuses(), ["ok"] * 12, self.said())

    def test_a_rank_that_stops_is_named_when_its_limit_is_over(self):
        status, took_s = self.break_rank(1, signal.SIGSTOP)
        self.assertEqual(status, 1, self.said())
        self.assertLess(took_s, 110)  # 20 s until it is given up, 30 s until srun ends it, and the rest of the sweep
        self.expect_one_failure_that_says("rank 1 (")

    def test_a_stopped_rank_0_is_ended_by_the_supervisor(self):
        status, took_s = self.break_rank(0, signal.SIGSTOP, "--silence", "4")
        self.assertEqual(status, 1, self.said())
        self.assertLess(took_s, 60)
        self.assertEqual(self.expect_one_failure_that_says("no answer for")["status"], "timeout")

    def test_an_interrupt_finishes_the_sample_and_resume_completes_the_run(self):
        process = self.start(*SRUN, *self.plan())
        self.wait_for_points(2)
        for pid in loopback_cluster.pids_of(BIN / "assay", SLURM_CONF=self.environment["SLURM_CONF"]):
            os.kill(pid, signal.SIGINT)
        self.assertEqual(self.end_of(process, 30), 4, self.said())
        ends = records_in(self.journal, "end")
        self.assertEqual([end["interrupted"] for end in ends], [True], self.said())
        self.assertLess(len(latest_points(self.journal)), 12)
        self.expect_resume_to_complete()

    def test_a_second_interrupt_ends_every_rank(self):
        process = self.start(*SRUN, *self.plan())
        self.wait_for_points(2)
        os.kill(self.rank(1), signal.SIGSTOP)
        for _ in range(2):
            for pid in loopback_cluster.pids_of(BIN / "assay", SLURM_CONF=self.environment["SLURM_CONF"]):
                os.kill(pid, signal.SIGINT)
            time.sleep(0.3)
        self.assertEqual(self.end_of(process, 30), 4, self.said())
        self.expect_no_ranks()

    def expect_no_ranks(self):
        limit = time.monotonic() + 15
        while loopback_cluster.pids_of(loopback_cluster.FAKE_PROGRAM, SLURM_CONF=self.environment["SLURM_CONF"]):
            self.assertLess(time.monotonic(), limit, "ranks are left behind")
            time.sleep(0.1)


class Modules(loopback_cluster.LoopbackCluster):
    """The modules themselves, as far as they go on a host without devices."""

    def run_module(self, module, cases, axes):
        if not (BIN / f"assay-{module}").exists():
            self.skipTest(f"assay-{module} is not built")
        status = self.run_assay(*SRUN, *self.plan(cases, axes), modules=BIN, limit_s=120)
        return status, list(latest_points(self.journal).values())

    def test_collectives(self):
        status, points = self.run_module("collectives", "collectives.assay.all_reduce", "bytes = '1KiB:64KiB:x8'")
        self.assertEqual(status, 0, self.said())
        self.assertEqual({point["status"] for point in points}, {"ok"}, self.said())

    def test_collectives_that_lose_a_rank_in_mid_sweep_are_completed_by_a_resume(self):
        program = BIN / "assay-collectives"
        if not program.exists():
            self.skipTest("assay-collectives is not built")
        plan = self.plan("collectives.assay.all_reduce", "bytes = '1KiB:32KiB:x2', algorithm = ['ring', 'binomial_tree']")
        process = self.start(*SRUN, *plan, modules=BIN)
        self.wait_for_points(2)
        os.kill(self.rank(2, program=program), signal.SIGKILL)
        self.assertEqual(self.end_of(process, 60), 1, self.said())
        faulty = [point for point in latest_points(self.journal).values() if point["status"] != "ok"]
        self.assertEqual((len(self.statuses()), len(faulty)), (12, 1), self.said())
        self.assertIn("rank 2", faulty[0]["reason"], self.said())
        self.assertEqual(self.run_assay(*SRUN, "--resume", modules=BIN), 0, self.said())
        self.assertEqual(self.statuses(), ["ok"] * 12, self.said())

    def test_rdma_records_of_every_point_that_there_is_no_adapter(self):
        if any(pathlib.Path("/sys/class/infiniband").glob("*")):
            self.skipTest("this host has an RDMA device: see the tests labelled verbs")
        status, points = self.run_module("rdma", "rdma.verbs.latency", "bytes = 8, operation = ['write', 'read']")
        self.assertEqual(status, 3, self.said())
        self.assertEqual([point["status"] for point in points], ["unsupported"] * 2, self.said())
        self.assertEqual(points[0]["reason"], "no RDMA adapter")


if __name__ == "__main__":
    sys.exit(loopback_cluster.run_tests())
