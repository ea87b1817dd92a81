#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# `assay run` with the rdma module over two virtual hosts: the store shows it and the report holds it like any other module's.
import json
import subprocess
import sys

import virtual_hosts
from virtual_hosts import BIN, metric, quoted

CASES = {"rdma.verbs.latency": "latency_us", "rdma.verbs.bandwidth": "bandwidth_gb_per_s",
         "rdma.verbs.bidirectional": "bandwidth_gb_per_s", "rdma.verbs.message_rate": "message_rate_m_per_s",
         "rdma.verbs.connection_rate": "destroy_rate_per_s"}
POINTS = 9  # of plan quick, from host memory
OF_GPUS = 2  # which these hosts lack


class Campaign(virtual_hosts.VirtualHosts):
    @classmethod
    def setUpClass(cls):
        cls.play_on_sound_hosts()

    @classmethod
    def play(cls):
        cls.make_folder()
        # A store is locked, which a folder of another machine's does not allow: it is made here, from the journals.
        run = quoted("assay", "run", "--plan", "quick", "--filter", "rdma.*", "--axis", "tx_depth=16", "--out", "/tmp/results")
        copy = quoted("cp", "-r", "/tmp/results", cls.out)
        cls.start([f"{run}; status=$?; {copy}; exit $status", "assay-rdma serve"], "--env", "ASSAY_RDMA_HOSTS=h1")
        cls.store = cls.out / "results" / "store.sqlite"

    @classmethod
    def all_records(cls):
        return [one for journal in (cls.out / "results").rglob("*.jsonl") for one in virtual_hosts.records_of(journal)]

    def show(self, table):
        done = subprocess.run([f"{BIN}/assay", "show", table, "--store", self.store, "--format", "json"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        table = json.loads(done.stdout)
        return [dict(zip((column["name"] for column in table["columns"]), row)) for row in table["rows"]]

    def test_the_campaign_succeeds(self):
        self.assertEqual(self.status, 0, self.said[-3000:])

    def test_points_are_in_the_store(self):
        points = self.show("points")
        self.assertEqual(sorted(one["status"].split(":")[0] for one in points), ["ok"] * POINTS + ["unsupported"] * OF_GPUS, points)
        self.assertEqual({one["case"] for one in points}, set(CASES))
        self.assertEqual([one["status"] for one in self.show("problems")], ["unsupported"] * OF_GPUS)

    def test_records_are_of_two_hosts(self):
        records = self.all_records()
        self.assertEqual(len(records), POINTS + OF_GPUS)
        for one in records:
            if one["status"] == "unsupported":
                continue
            self.assertEqual([virtual_hosts.conditions_of(one, rank)["host"] for rank in (0, 1)], ["h0", "h1"])
            self.assertGreater(metric(one, CASES[one["case"]]), 0)

    def test_the_report_holds_the_module(self):
        report = self.out / "report.html"
        done = subprocess.run([f"{BIN}/assay", "report", "--store", self.store, "-o", report], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("rdma.verbs.bandwidth", report.read_text())


if __name__ == "__main__":
    sys.exit(virtual_hosts.main())
