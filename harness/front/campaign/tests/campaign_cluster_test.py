#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Campaigns on simulated nodes that a real srun or mpirun starts, from an allocation and from a hostfile, with a folder
# that all nodes see and with a folder of each.
import json
import os
import pathlib
import subprocess
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "suite" / "tests"))
import loopback_cluster  # noqa: E402
from launched_campaign import EXPECT, Launched  # noqa: E402
from simulated_cluster import NODE, SimulatedCluster, bad_units, may_mount  # noqa: E402
from loopback_cluster import BIN, SOURCE  # noqa: E402
from simulated_node import PROGRAMS, lacking  # noqa: E402

MINUTE, FABRIC, RAILS, FIT = (HERE / "campaigns" / f"{name}.toml" for name in ("minute", "fabric", "rails", "fit"))


# A fabric of two nodes is measured, and judged by nothing: no such campaign passes.
NOTHING_JUDGED = (3, {("", "INCONCLUSIVE")})


class Srun(Launched):
    def allocated(self, *words, launcher="srun", campaign=MINUTE):
        """By the nodes of an allocation, which no flag names. Waits for these: others may be free earlier."""
        count = len(self.simulated.nodes)
        return self.simulated.campaign(campaign, "--campaign-id", "t", "--launcher", launcher, *words, timeout=240,
                                       outside=["salloc", "--quiet", "--immediate=60", f"--nodes={count}", f"--ntasks={count}",
                                                f"--nodelist={','.join(self.simulated.nodes)}"],
                                       environment=self.environment)

    def test_the_nodes_of_an_allocation_pass(self):
        self.nodes("127.0.0.1", "127.0.0.2")
        self.expect_all_but(self.allocated())

    def test_a_pair_that_the_allocation_has_too_few_processors_for_is_not_run(self):
        self.nodes("127.0.0.1", "127.0.0.2", rails=2)
        ended = self.allocated(campaign=RAILS)
        self.assertEqual(bad_units(self.simulated.verdicts("t")), {("127.0.0.1 - 127.0.0.2", "NOT_RUN")}, ended.stdout)
        self.assertIn("assay run ended with 1: srun: error: Unable to create step", ended.stdout)
        self.assertEqual(ended.returncode, 3)

    def test_mpirun_takes_the_nodes_of_an_allocation(self):
        self.need_mpirun()
        self.nodes("127.0.0.1", "127.0.0.2")
        ended = self.allocated("--dry-run", launcher="mpirun")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        self.assertIn("\nnodes: 127.0.0.1 127.0.0.2\n", ended.stdout)

    def test_without_a_shared_folder_the_records_come_through_srun(self):
        if not may_mount():
            self.skipTest("no mount namespaces here")
        self.nodes("127.0.0.1", "127.0.0.2").give_each_its_own_folder()
        self.expect_all_but(self.allocated())


    def test_records_of_the_fabric_come_through_srun_and_are_those_of_a_shared_folder(self):
        if not may_mount():
            self.skipTest("no mount namespaces here")
        measured = []
        for name in ("shared", "apart"):
            self.out = self.out / name
            self.out.mkdir()
            cluster = self.nodes("127.0.0.1", "127.0.0.2")
            cluster.programs = BIN
            if name == "apart":
                cluster.give_each_its_own_folder()
            ended = self.allocated(campaign=FABRIC)
            self.assertEqual((ended.returncode, bad_units(cluster.verdicts("t"))), NOTHING_JUDGED, ended.stdout)
            measured.append(self.fabric_points())
        self.assertEqual(len(measured[0]), 6)
        self.assertEqual(measured[0], measured[1])
        self.assertTrue(list(self.out.glob("c/local-127.0.0.1/t/fabric/*/journal.jsonl")), "they did not come from the node")


class Mpirun(Launched):
    def test_of_a_hostfile_one_host_that_is_down_and_one_that_dies_once_cost_the_others_nothing(self):
        self.need_mpirun()
        cluster, died = self.nodes("n1", "n2", "n3"), self.out / "died"
        (self.out / "n2-is-down").write_text("")
        look_ended = cluster.folder / "campaigns" / "t" / "nodes" / "n3" / "look-1.outcome.json"
        cluster.on_start(f"[[ {NODE} == n3 && -e {look_ended} && ! -e {died} ]] && touch {died} && kill -KILL $$")
        ended = self.launched(MINUTE, "n1 slots=8", "n2 slots=8 # down", "n3 slots=8")
        self.assertTrue(died.exists(), ended.stdout)
        self.expect_all_but(ended, ("n2", "NOT_RUN"))
        self.assertIn("n2: no answer: ssh: connect to host n2 port 22: No route to host\n", ended.stdout)

    def test_a_group_whose_launch_fails_once_is_measured_again(self):
        self.need_mpirun()
        cluster, fails = self.nodes("n1", "n2"), self.out / "n2-fails-once"
        cluster.programs = BIN
        fails.write_text("")
        ended = self.launched(FABRIC, "n1", "n2")
        self.assertFalse(fails.exists(), ended.stdout)
        self.assertIn("n1 - n2 again: assay run ended with 3", ended.stdout)
        self.assertEqual((ended.returncode, bad_units(cluster.verdicts("t"))), NOTHING_JUDGED, ended.stdout)
        self.assertEqual({status for _, _, status in self.fabric_points()}, {"ok"})

    def test_records_of_the_fabric_come_through_mpirun(self):
        self.need_mpirun()
        if not may_mount():
            self.skipTest("no mount namespaces here")
        cluster = self.nodes("n1", "n2")
        cluster.programs = BIN
        cluster.give_each_its_own_folder()
        ended = self.launched(FABRIC, "n1", "n2")
        self.assertEqual((ended.returncode, bad_units(cluster.verdicts("t"))), NOTHING_JUDGED, ended.stdout)
        self.assertEqual({status for _, _, status in self.fabric_points()}, {"ok"})


class Rails(Launched):
    """Acceptance of hosts with two adapters each; ASSAY_TEST_HOSTS=16 for more than the fewest that are compared."""

    FAULTS = {"n2": "cable_errors:0:5000", "n5": "rail_slow:1:3", "n7": "crosswise:0:1"}

    FABRIC_FILE = "preset = 'rail'\ngroups = 1\nnodes_per_group = {hosts}\ngpus_per_node = 2\nspines = 2\nhost = {{ gpus = 2 }}\nnodes = 'n[1-{hosts}]'\n"

    def accept(self, faults, name="c", seed=1):
        self.need_mpirun()
        if lacking("gemm", "rdma"):
            self.skipTest(f"not built here: {', '.join(lacking('gemm', 'rdma'))}")
        hosts = [f"n{number}" for number in range(1, int(os.environ.get("ASSAY_TEST_HOSTS", "8")) + 1)]
        self.simulated = SimulatedCluster(self.out / name, {host: {"gpus": 1, "rails": 2, "faults": faults.get(host, "")} for host in hosts},
                                          seed=seed, expect=EXPECT)
        fabric = self.out / "rails.toml"
        fabric.write_text(self.FABRIC_FILE.format(hosts=len(hosts)))
        ended = self.launched(RAILS, *(f"{host} slots=2" for host in hosts), flags=["--fabric", fabric], timeout=3000)
        return ended, bad_units(self.simulated.verdicts("t"))

    def test_a_slow_rail_a_bad_cable_and_a_crossed_host_are_named_and_nothing_else(self):
        ended, bad = self.accept(self.FAULTS)
        self.assertEqual(bad, {("n2/rail0", "FAIL"), ("n5/rail1", "FAIL"), ("n7", "FAIL")}, ended.stdout)
        self.assertEqual(ended.returncode, 1, ended.stdout)
        located = [row for row in self.simulated.verdicts("t")["rows"] if row["kind"] == "host" and "of its rate" in row["because"]]
        self.assertEqual([row["unit"] for row in located], ["n5/rail1"], ended.stdout)
        self.assertAlmostEqual(located[0]["value"]["value"], 97, delta=0.5)

    def test_two_sound_clusters_pass_and_are_equivalent(self):
        if "ASSAY_TEST_HOSTS" not in os.environ:
            self.skipTest("takes minutes, and the other test has sound hosts too: set ASSAY_TEST_HOSTS to run it")
        stores = []
        for name, seed in (("ib", 1), ("roce", 2)):
            ended, bad = self.accept({}, name, seed)
            self.assertEqual((ended.returncode, bad), (0, set()), ended.stdout)
            stores.append(self.out / name / "campaigns" / "t" / "store.sqlite")
        compared = subprocess.run([BIN / "assay", "compare", "--populations", *stores, "--filter", "rdma.*"], capture_output=True, text=True)
        self.assertEqual(compared.returncode, 0, compared.stdout + compared.stderr)
        self.assertIn("1 equivalent, 0 better, 0 worse", compared.stdout)


class Fit(Launched):
    """Calibration of two hosts with two adapters each."""

    def test_one_file_has_the_coefficients_of_a_node_and_of_its_links_and_predicts_a_block(self):
        self.need_mpirun()
        needed = ("gemm", "memory", "offload", "rdma")
        if lacking(*needed):
            self.skipTest(f"not built here: {', '.join(lacking(*needed))}")
        cluster = self.nodes("n1", "n2", rails=2)
        cluster.add_between_nodes(BIN / "assay-collectives")
        if may_mount():
            cluster.give_its_node_s_name(BIN / "assay-collectives")
        ended = self.launched(FIT, "n1 slots=2", "n2 slots=2", timeout=850)
        self.assertEqual((ended.returncode, bad_units(self.simulated.verdicts("t"))), (0, set()), ended.stdout)
        coefficients = json.loads((self.out / "c/campaigns/t/coefficients.json").read_text())
        self.assertLessEqual({"gemm", "memory", "vector", "links", "loggp", "collectives"}, set(coefficients["sections"]), ended.stdout)
        if may_mount():
            families = coefficients["sections"]["collectives"]["models"]
            self.assertEqual({(name.split(",")[-2], family["nodes"]) for name, family in families.items()}, {("2 on 1", 1), ("4 on 2", 2)})
            networks = coefficients["system"]["networks"]
            self.assertEqual([(network["tier"], network["size"]) for network in networks], [("within a node", 2), ("over nodes", 4)],
                             coefficients["not_measured"])
        rows = {row["metric"]: row["because"] for row in self.simulated.verdicts("t")["rows"] if row["unit"] == "coefficients"}
        self.assertEqual(rows["fit"], "fitted to 2 runs with n1")
        self.assertIn("predicted +0.0 % off", rows["block"])


class Batch(Launched):
    """The files of scripts/slurm, by sbatch."""

    def submit(self, script, *words, **settings):
        """Its exit status. `assay` is a wrapper that finds the simulated nodes."""
        cluster, wrapper = self.simulated, self.out / "assay"
        wrapper.write_text(f'#!/bin/sh\nexec {BIN}/assay "$@" --node-program {cluster.program} --programs {PROGRAMS}\n')
        wrapper.chmod(0o755)
        done = subprocess.run(["sbatch", "--wait", f"--nodes={len(cluster.nodes)}", f"--output={self.out}/said",
                               SOURCE / "scripts" / "slurm" / script, *map(str, words)],
                              env={**self.environment, "ASSAY": str(wrapper), "ASSAY_OUT": str(cluster.folder / "campaigns"),
                                   "ASSAY_ID": "t", **settings},
                              cwd=self.out, capture_output=True, text=True, timeout=240, check=False)
        self.assertIn("Submitted batch job", done.stdout, done.stderr)
        return done.returncode

    def test_burn_in_judges_every_node_and_a_second_job_with_its_id_continues(self):
        cluster = self.nodes("127.0.0.1", "127.0.0.2")
        expect = ("--expect", cluster.expect)
        self.assertEqual(self.submit("burn-in.sbatch", *expect, ASSAY_CAMPAIGN=str(MINUTE)), 0, self.said())
        self.assertEqual(set(cluster.points("t")), {"127.0.0.1", "127.0.0.2"}, self.said())
        before = cluster.points("t")
        self.assertEqual(self.submit("burn-in.sbatch", *expect, ASSAY_CAMPAIGN="no such campaign"), 0, self.said())
        self.assertEqual(cluster.points("t"), before, self.said())

    def test_both_files_start_the_campaign_that_they_are_named_for(self):
        self.nodes("127.0.0.1")
        for script, campaign in (("burn-in.sbatch", "burn-in"), ("accept.sbatch", "acceptance")):
            self.assertEqual(self.submit(script, "--dry-run"), 0, self.said())
            self.assertIn(f"campaign {campaign}: ", self.said())

    def test_a_campaign_that_there_is_not_is_refused(self):
        self.nodes("127.0.0.1")
        self.assertEqual(self.submit("accept.sbatch", ASSAY_CAMPAIGN="acceptance-2"), 2, self.said())
        self.assertIn("no campaign 'acceptance-2'", self.said())


def main():
    if lacking():
        print("skipped: not built here:", ", ".join(lacking()))
        return 77
    return loopback_cluster.run_tests()


if __name__ == "__main__":
    sys.exit(main())
