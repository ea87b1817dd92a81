#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Campaigns on a pretended cluster, by the command that a user gives: sound nodes pass, each planted fault ends in a
# verdict that names exactly its unit, and what is stopped in the middle continues.
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "suite" / "tests"))
from simulated_cluster import NODE, SimulatedCluster, bad_units, may_mount, processes_below  # noqa: E402
from simulated_node import address_of, lacking  # noqa: E402

SMALL, STAGES = HERE / "campaigns" / "small.toml", HERE / "campaigns" / "stages.toml"


class Campaigns(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="assay-campaign-")
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)

    def cluster(self, nodes, gpus=2, folder="c", **how):
        expect = f'source = "the test"\ngpus = {gpus}\nnvlinks = 18\n'
        return SimulatedCluster(self.folder / folder, {name: {"gpus": gpus, **node} for name, node in nodes.items()}, expect=expect, **how)

    def folder_of(self, cluster, campaign="t"):
        return cluster.folder / "campaigns" / campaign

    def test_sound_nodes_pass_and_all_evidence_is_in_one_folder(self):
        cluster = self.cluster({"n1": {}, "n2": {}}, gpus=4)
        ended = cluster.campaign(SMALL, "--campaign-id", "t")
        self.assertEqual((ended.returncode, bad_units(cluster.verdicts("t"))), (0, set()), ended.stdout)
        for name in ("verdicts.json", "report.html", "bundle.tar", "store.sqlite"):
            self.assertTrue((self.folder_of(cluster) / name).exists(), name)
        units = {row["unit"] for row in cluster.verdicts("t")["rows"]}
        self.assertEqual(sum(unit.startswith("n2/GPU") and "NVLink" not in unit for unit in units), 4, units)
        again = cluster.campaign(SMALL, "--campaign-id", "t")
        self.assertEqual(again.returncode, 2)
        self.assertIn("this campaign exists", again.stdout)

    def test_each_planted_fault_is_named_and_nothing_else(self):
        cluster = self.cluster({"n1": {}, "n2": {"faults": "slow:1:4"}, "n3": {"faults": "driver:581.1.2"}, "n4": {},
                                "n5": {"faults": "pcie_width:2:8"}, "n6": {}}, gpus=4)
        cluster.on_start(f'[[ {NODE} == n4 && -e "{self.folder_of(cluster)}/nodes/n4/look-1.outcome.json" ]] && kill -KILL $$')
        if may_mount():
            cluster.give_little_room("n6", "t")
        ended = cluster.campaign(SMALL, "--campaign-id", "t")
        bad = bad_units(cluster.verdicts("t"))
        wanted = {("n2/GPU 1 0000:20:00.0", "FAIL"), ("n3", "FAIL"), ("n4", "NOT_RUN")}
        self.assertEqual({one for one in bad if not one[0].startswith(("n5", "n6"))}, wanted, ended.stdout)
        self.assertTrue(all("0000:30:00.0" in unit and verdict == "FAIL" for unit, verdict in bad if unit.startswith("n5")), bad)
        self.assertTrue(any(unit.startswith("n5") for unit, _ in bad), bad)
        if may_mount():
            self.assertEqual({verdict for unit, verdict in bad if unit.startswith("n6")}, {"NOT_RUN"}, ended.stdout)
            self.assertIn("space", ended.stdout)
        self.assertEqual(ended.returncode, 1)

    def test_faults_that_show_only_under_load_or_by_their_absence_are_named_and_nothing_else(self):
        cluster = self.cluster({"n1": {"faults": "throttles_together:2"}, "n2": {"faults": "wrong_once_in:3:40"},
                                "n3": {"faults": "missing:1"}}, gpus=4)
        ended = cluster.campaign(SMALL, "--campaign-id", "t")
        self.assertEqual(ended.returncode, 1, ended.stdout)
        bad = bad_units(cluster.verdicts("t"))
        gpus = {(unit.partition("/")[0], unit.rpartition(" ")[2]) for unit, _ in bad if "/GPU " in unit}
        self.assertEqual(gpus, {("n1", address_of(2)), ("n2", address_of(3)), ("n3", address_of(1))}, ended.stdout)
        # The module that met the wrong result, and the node that has fewer GPUs than the others.
        self.assertEqual({one for one in bad if "/GPU " not in one[0]}, {("n2/gemm", "FAIL"), ("n3", "FAIL")}, ended.stdout)

    def test_without_a_shared_folder_the_records_come_through_the_launcher(self):
        if not may_mount():
            self.skipTest("no mount namespaces here")
        cluster = self.cluster({"n1": {}, "n2": {}})
        cluster.give_each_its_own_folder()
        ended = cluster.campaign(SMALL, "--campaign-id", "t")
        self.assertEqual((ended.returncode, bad_units(cluster.verdicts("t"))), (0, set()), ended.stdout)
        self.assertEqual(set(cluster.points("t")), {"n1", "n2"})

    def test_a_campaign_that_is_killed_at_any_moment_continues_to_the_same_points(self):
        whole = self.cluster({"n1": {}, "n2": {}})
        begin = time.monotonic()
        self.assertEqual(whole.campaign(STAGES, "--campaign-id", "t").returncode, 0)
        whole_s = time.monotonic() - begin
        moments = random.Random(22)
        for kill in range(int(os.environ.get("ASSAY_KILLS", "3"))):
            cluster = self.cluster({"n1": {}, "n2": {}}, folder=f"k{kill}")
            victim = ("coordinator", "agent", "module")[kill % 3]
            with self.subTest(kill=kill, victim=victim):
                process = cluster.start(STAGES, "--campaign-id", "t")
                time.sleep(moments.uniform(0.2, 1.2 * whole_s))
                if victim == "coordinator":
                    self.kill_and_resume(cluster, process, moments.choice([signal.SIGKILL, signal.SIGTERM]))
                else:
                    self.kill_on_a_node(cluster, process, victim, moments)
                if victim != "module":  # a point that it had begun is a failure, and counts
                    self.assertEqual(cluster.points("t"), whole.points("t"))

    def kill_on_a_node(self, cluster, process, victim, moments):
        """The campaign asks again where an agent is lost. A lost module is a failure of its point, and no pass."""
        pids = [pid for pid in processes_below(cluster.folder) if victim_at(pid) == victim]
        if pids:
            os.kill(moments.choice(pids), signal.SIGKILL)
        ended = process.wait(120)
        said = (cluster.folder / "said").read_text()
        self.assertIn(ended, (0,) if victim == "agent" else (0, 1, 3), said)
        self.assertEqual(ended == 0, not bad_units(cluster.verdicts("t")), said)
        if ended == 1:
            self.assertRegex(said, r"1 of \d+ points: gemm\.cuda\.corruption failed: the module's process was ended by signal 9")

    def kill_and_resume(self, cluster, process, how):
        process.send_signal(how)
        ended = process.wait(60)
        if not (self.folder_of(cluster) / "nonce").exists():
            self.assertEqual(cluster.campaign(STAGES, "--campaign-id", "t").returncode, 0)
            return
        self.assertIn(ended, (0, 4, -how), (cluster.folder / "said").read_text())
        resumed = cluster.campaign("--resume", "--campaign-id", "t")
        self.assertEqual((resumed.returncode, bad_units(cluster.verdicts("t"))), (0, set()), resumed.stdout)

    def test_a_node_that_is_gone_at_the_resume_keeps_what_it_measured_and_a_new_one_starts_from_nothing(self):
        cluster = self.cluster({"n1": {}, "n2": {}, "n3": {}})
        first = cluster.campaign(STAGES, "--campaign-id", "t", "--nodes", "n1,n2")
        self.assertEqual(first.returncode, 0, first.stdout)
        cluster.campaign("--resume", "--campaign-id", "t", "--nodes", "n1,n3")
        self.assertEqual(bad_units(cluster.verdicts("t")), {("n2", "NOT_RUN")})
        points = cluster.points("t")
        self.assertEqual(set(points), {"n1", "n2", "n3"})
        self.assertEqual(points["n3"], points["n1"])

    def test_a_dry_run_prints_commands_and_time_and_leaves_no_folder(self):
        cluster = self.cluster({"n1": {}, "n2": {}, "n3": {}, "n4": {}})
        ended = cluster.campaign("acceptance", "--dry-run")
        self.assertEqual(ended.returncode, 0, ended.stdout)
        for text in ("on each node: ", "round 3: ", "node-hours", "first verdict after at most", "judge all of it; 6 retests"):
            self.assertIn(text, ended.stdout)
        self.assertFalse((cluster.folder / "campaigns").exists())

    def test_smoke_takes_two_minutes_and_burn_in_has_a_verdict_within_fifteen_by_their_plans(self):
        cluster = self.cluster({"n1": {"gpus": 8}})
        for campaign, limit_s in (("smoke", 120), ("burn-in", 900)):
            words = cluster.words(campaign, "--dry-run")
            said = subprocess.run(list(map(str, words)), env=cluster.nodes["n1"].environment, capture_output=True, text=True, check=True).stdout
            line = next(line for line in said.splitlines() if line.startswith("first verdict after at most "))
            self.assertLessEqual(seconds_in(line.removeprefix("first verdict after at most ")), limit_s, said)
            self.assertNotIn(" no GPU", said)

    def test_bad_input_is_one_line_and_exit_2(self):
        cluster = self.cluster({"n1": {}})
        (cluster.folder / "hosts").mkdir(exist_ok=True)
        (cluster.folder / "doubled").write_text("n1\nn2\nn1\n")
        (cluster.folder / "big.toml").write_text("[[stage]]\nname = 'a'\non = 'groups'\nsize = 8\nplan = 'quick'\n")
        cases = {("burnin",): "no campaign 'burnin'", (): "expected a campaign, or --resume",
                 ("smoke", "--nodes", "n1,n1"): "node 'n1' is there twice",
                 ("smoke", "--nodes", "", "--hostfile", cluster.folder / "doubled"): "doubled: node 'n1' is there twice",
                 (cluster.folder / "big.toml",): "groups of 8 nodes, and there are 1",
                 ("acceptance", "--fabric", cluster.folder / "big.toml"): "big.toml:1: preset: missing",
                 ("acceptance", "--topology", "lldp=x"): "expected --fabric FILE with it, or a fabric of stage 'verdict'",
                 ("--resume", "--campaign-id", "none"): "no campaign to resume"}
        for words, wanted in cases.items():
            ended = cluster.campaign(*words)
            self.assertEqual(ended.returncode, 2, ended.stdout)
            self.assertEqual(len(ended.stdout.splitlines()), 1, ended.stdout)
            self.assertIn(wanted, ended.stdout)


def victim_at(pid):
    try:
        words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return None
    program = words[0].rpartition(b"/")[2]
    return "agent" if b"--on-node" in words and program == b"assay" else "module" if program.startswith(b"assay-") else None


def seconds_in(text):
    """Of "5 days", "1 h 03 min", "2 min 05 s", "41.3 s"."""
    factors = {"days": 86400, "h": 3600, "min": 60, "s": 1}
    words = text.split()
    return sum(float(number) * factors[unit] for number, unit in zip(words[::2], words[1::2]))


if __name__ == "__main__":
    if lacking():
        print("skipped: not built here:", ", ".join(lacking()))
        sys.exit(77)
    unittest.main()
