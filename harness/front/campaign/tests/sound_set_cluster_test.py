#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The largest sound set of simulated nodes under a real mpirun. Groups with a planted bad node or bad pair do not start; all others
# measure. The campaign is killed on its way and continues.
import json
import pathlib
import re
import signal
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "suite" / "tests"))
import loopback_cluster  # noqa: E402
from launched_campaign import Launched  # noqa: E402
from loopback_cluster import BIN  # noqa: E402
from simulated_cluster import bad_units  # noqa: E402
from simulated_node import lacking  # noqa: E402

GROW = HERE / "campaigns" / "grow.toml"
HOSTS = ("n1", "n2", "n3", "n4", "n5", "n6")
# n1 is bad, and n4 with n6.
FAULTY_MPIRUN = """\
#!/bin/sh
for word; do [ "$last" = --host ] && hosts=,$word,; last=$word; done
case "$*" in *--on-node*|*--count*) exec {mpirun} "$@" ;; esac
echo "$*" >>STARTED
case $hosts in *,n1:*) echo "n1: planted fault" >&2; exit 1 ;; *,n4:*,n6:*) echo "n4, n6: planted fault" >&2; exit 1 ;; esac
exec {mpirun} "$@"
"""


class SoundSet(Launched):
    def setUp(self):
        super().setUp()
        self.need_mpirun()
        if lacking("rdma") or not (BIN / "assay-collectives").exists():
            self.skipTest("not built here: assay-rdma or assay-collectives")
        self.cluster_ = self.nodes(*HOSTS)
        self.cluster_.programs = BIN
        self.started, self.folder_ = self.out / "started", self.out / "c" / "campaigns" / "t"
        self.words, self.surroundings = self.by_mpirun(*HOSTS, program=FAULTY_MPIRUN.replace("STARTED", str(self.started)))

    def kept(self):
        kept = self.folder_ / "grow" / "grow.jsonl"
        return [json.loads(line) for line in kept.read_text().splitlines()] if kept.exists() else []

    def runs_started(self):
        return set(re.findall(r"--run-id (\S+)", self.started.read_text()))

    def wait_for_tests(self, count, process):
        limit = time.monotonic() + 120
        while process.poll() is None and len(self.kept()) < count:
            self.assertLess(time.monotonic(), limit, (self.simulated.folder / "said").read_text())
            time.sleep(0.02)

    def test_a_bad_node_and_a_bad_pair_are_told_apart_and_what_was_tested_before_a_kill_is_not_tested_again(self):
        process = self.simulated.start(GROW, "--campaign-id", "t", *self.words, environment=self.surroundings)
        self.wait_for_tests(4, process)
        process.send_signal(signal.SIGKILL)
        process.wait(60)
        before, began = self.kept(), self.runs_started()
        self.started.write_text("")
        ended = self.simulated.campaign("--resume", "--campaign-id", "t", *self.words, environment=self.surroundings)
        self.assertEqual(self.kept()[:len(before)], before, ended.stdout)
        self.assertLessEqual(len(self.runs_started() & began), 1, "only what ran at the kill runs again")
        self.assertEqual(ended.returncode, 1, ended.stdout)
        self.assertEqual(bad_units(self.simulated.verdicts("t")), {("n1", "FAIL"), ("n4 - n6", "FAIL")}, ended.stdout)
        hosts = (self.folder_ / "grow.hosts").read_text().split()
        self.assertIn(hosts, (["n2", "n3", "n4", "n5"], ["n2", "n3", "n5", "n6"]), ended.stdout)
        for said in ("grow: 4 of 6 nodes pass together, 1 times in a row, after ", "grow: without n1: fails with each of ",
                     "n1: planted fault", "fail as a pair, and both pass with others: ", f"mpirun -n 4 --hostfile {self.folder_}/grow.hosts",
                     f"srun --nodes=4 --nodelist={','.join(hosts)}"):
            self.assertIn(said, ended.stdout)
        self.assertLessEqual(len(self.kept()), 1 + 2 * 4 * 2.585, "4 log2 n tests a defect")

    def test_a_least_bus_bandwidth_that_nothing_reaches_is_no_set_and_says_what_was_reached(self):
        campaign = self.out / "fast.toml"
        campaign.write_text(GROW.read_text().replace("fabric_plan.toml", str(HERE / "campaigns" / "fabric_plan.toml")) + "least_busbw_gb_per_s = 1e6\n")
        ended = self.simulated.campaign(campaign, "--campaign-id", "t", "--nodes", "n2,n3", *self.words[:2], environment=self.surroundings)
        self.assertEqual(ended.returncode, 3, ended.stdout)
        self.assertIn("GB/s, expected at least 1e+06", ended.stdout)
        self.assertIn("no set passed 1 times in a row", ended.stdout)
        self.assertEqual((self.folder_ / "grow.hosts").read_text(), "")


if __name__ == "__main__":
    sys.exit(loopback_cluster.run_tests())
