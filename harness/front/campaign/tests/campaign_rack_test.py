#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A burn-in of a pretended rack, four nodes of eight GPUs: with nothing planted it passes (ASSAY_HEALTHY: how often, with other
# noise), with a planted fault it names exactly that unit and what to do about it (ASSAY_FAULTS=1: each fault in a rack of its own).
import contextlib
import os
import pathlib
import signal
import sys
import tempfile
import time
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "suite" / "tests"))
from simulated_cluster import NODE, SimulatedCluster, may_mount, processes_below  # noqa: E402
from simulated_node import address_of, lacking  # noqa: E402

SMALL, MILLION = (HERE / "campaigns" / f"{name}.toml" for name in ("small", "million"))
GPUS, HOSTS = 8, ("n1", "n2", "n3", "n4")


def gpu(host, slot, missing=False):
    return f"{host}/GPU {'' if missing else f'{slot} '}{address_of(slot)}"


# Verdict and action of each unit that does not pass, by what is planted on which node.
FAULTS = {
    ("n2", "slow:5:4"): {gpu("n2", 5): ("FAIL", "drain")},
    ("n3", "throttles_together:2"): {gpu("n3", 2): ("FAIL", "drain")},
    ("n1", "wrong_once_in:3:40"): {gpu("n1", 3): ("FAIL", "replace"), "n1/gemm": ("FAIL", "retest")},
    ("n4", "missing:1"): {gpu("n4", 1, missing=True): ("FAIL", "reboot"), "n4": ("FAIL", "configure")},
    ("n1", "pcie_width:2:8"): {gpu("n1", 2): ("FAIL", "reseat")},
    ("n3", "driver:581.1.2"): {"n3": ("FAIL", "configure")},
    ("n4", "lost"): {"n4": ("NOT_RUN", "retest")},
    ("n2", "full disk"): {"n2": ("NOT_RUN", "retest")},
}
TOGETHER = [("n1", "pcie_width:2:8"), ("n1", "wrong_once_in:3:40"), ("n2", "slow:5:4"), ("n3", "throttles_together:2"), ("n4", "lost")]


class Rack(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix="assay-rack-")
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)

    def burn_in(self, name, planted=(), seed=1):
        """Exit status and verdicts of a rack with these faults."""
        faults = {host: ",".join(fault for on, fault in planted if on == host and ":" in fault) for host in HOSTS}
        cluster = SimulatedCluster(self.folder / name, {host: {"gpus": GPUS, "faults": faults[host]} for host in HOSTS}, seed=seed)
        lost = [host for host, fault in planted if fault == "lost"]
        for host, fault in planted:
            if fault == "full disk":
                cluster.give_little_room(host, "t")
        dead = cluster.folder / "dead"
        cluster.on_start("".join(f"[[ {NODE} == {host} && -e {dead} ]] && kill -KILL $$\n" for host in lost))
        process = cluster.start(SMALL, "--campaign-id", "t")
        if lost:
            self.lose(cluster, lost[0], dead, process)
        ended = process.wait(600)
        return ended, cluster.verdicts("t")["rows"], (cluster.folder / "said").read_text()

    def lose(self, cluster, host, dead, process):
        """All that runs there, once it has measured something, and for good."""
        folder = cluster.folder / "campaigns" / "t" / "nodes" / host
        while process.poll() is None and not any('"record":"point"' in file.read_text() for file in folder.glob("*/r*.jsonl")):
            time.sleep(0.01)
        dead.touch()
        for pid in processes_below(cluster.nodes[host].folder):
            with contextlib.suppress(ProcessLookupError):  # it has ended
                os.kill(pid, signal.SIGKILL)

    def expect(self, planted, ended, rows, said):
        """Exactly the units of these faults, and a pass of every other GPU."""
        wanted = {unit: answer for fault in planted for unit, answer in FAULTS[fault].items()}
        counted = [row for row in rows if not row.get("excused")]
        bad = {}
        for row in counted:
            if row["verdict"] in ("FAIL", "NOT_RUN"):
                bad.setdefault(row["unit"], set()).add((row["verdict"], row["action"]))
        self.assertEqual(bad, {unit: {answer} for unit, answer in wanted.items()}, said)
        doubted = {row["unit"] for row in counted if row["verdict"] not in ("PASS", "FAIL", "NOT_RUN")}
        self.assertLessEqual(doubted, set(bad), said)
        sound = {gpu(host, slot) for host in HOSTS for slot in range(GPUS)}
        passed = {row["unit"] for row in counted if row["verdict"] == "PASS"}
        # Of a GPU behind a missing one the index is one less; of a node that is not there nothing is known.
        gone = {unit.partition("/")[0] for unit in bad if "/" not in unit and bad[unit] == {("NOT_RUN", "retest")}}
        moved = {unit for unit in sound if ("n4", "missing:1") in planted and unit.startswith("n4/")}
        sound = {unit for unit in sound - set(bad) - moved if unit.partition("/")[0] not in gone}
        self.assertLessEqual(sound, passed, said)
        self.assertEqual(ended, 0 if not planted else 1 if any(one[0] == "FAIL" for one in wanted.values()) else 3, said)

    def test_a_soak_finds_one_wrong_product_in_a_million(self):
        if "ASSAY_FAULTS" not in os.environ:
            self.skipTest("takes minutes: set ASSAY_FAULTS to run it")
        planted = ("n2", "wrong_once_in:3:1000000")
        cluster = SimulatedCluster(self.folder / "million", {host: {"gpus": GPUS, "faults": planted[1] if host == planted[0] else ""}
                                                             for host in HOSTS})
        ended = cluster.campaign(MILLION, "--campaign-id", "t", timeout=3600)
        bad = {(row["unit"], row["verdict"], row["action"]) for row in cluster.verdicts("t")["rows"]
               if row["verdict"] != "PASS" and not row.get("excused")}
        self.assertEqual(bad, {(gpu("n2", 3), "FAIL", "replace"), ("n2/gemm", "FAIL", "retest")}, ended.stdout)
        self.assertEqual(ended.returncode, 1)

    def test_a_rack_with_nothing_planted_passes_each_time(self):
        for seed in range(2, 2 + int(os.environ.get("ASSAY_HEALTHY", "1"))):
            with self.subTest(seed=seed):
                self.expect((), *self.burn_in(f"h{seed}", seed=seed))

    def test_faults_in_one_rack_are_named_with_their_actions_and_nothing_else(self):
        self.expect(TOGETHER, *self.burn_in("together", TOGETHER))

    def test_each_fault_in_a_rack_of_its_own_is_named_with_its_action_and_nothing_else(self):
        if "ASSAY_FAULTS" not in os.environ:
            self.skipTest("takes minutes, and another test has most of them in one rack: set ASSAY_FAULTS to run it")
        for number, planted in enumerate(FAULTS):
            if planted[1] == "full disk" and not may_mount():
                continue
            with self.subTest(planted=planted):
                self.expect([planted], *self.burn_in(f"f{number}", [planted]))


if __name__ == "__main__":
    if lacking():
        print("skipped: not built here:", ", ".join(lacking()))
        sys.exit(77)
    unittest.main()
