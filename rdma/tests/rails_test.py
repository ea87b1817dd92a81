#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Two virtual hosts with two rails and a rank each: every rank has an adapter of its own, all pairs of a rail run at
# once, and the rail whose wire is slower is named.
import csv
import pathlib
import subprocess
import sys

import virtual_hosts
from virtual_hosts import BIN, HERE, conditions_of, metric, quoted, records_of, summary

WIRE, SLOWER = "8mbit", "2mbit"  # far below what loaded emulators reach: the wire decides, not the processor
LEAST_OF_ALONE = 40  # %: two wires of their own reach 100 but for loaded emulators
SERVE = "assay-rdma serve"
SECOND = "assay-rdma serve --port 18541"
RANKS = {0: ("h0", 0), 1: ("h0", 1), 2: ("h1", 0), 3: ("h1", 1)}  # host, rail


class Rails(virtual_hosts.VirtualHosts):
    @classmethod
    def setUpClass(cls):
        cls.play_on_sound_hosts(lambda: cls.gave_up() or cls.waited_for_retries())

    @classmethod
    def play(cls):
        cls.make_folder()
        lead = quoted("assay-rdma", "h0:18541", "h1", "h1:18541", "--plan", HERE / "rails.toml", "--journal", cls.out / "rails.jsonl")
        cls.start([f"{SECOND} & sleep 1; {lead}", f"{SECOND} & {SERVE}"], "--rails", "2",
                  "--rate", WIRE, "--rate", f"h0.1={SLOWER}", "--rate", f"h1.1={SLOWER}")

    @classmethod
    def waited_for_retries(cls):
        """Whether soft RoCE lost a packet unasked: the flow then waits for its timer, many times the message's own time."""
        ports = [one for one in records_of(cls.out / "rails.jsonl") if one["case"] == "rdma.verbs.ports"]
        return any((metric(one, "percent_of_alone") or 0) <= LEAST_OF_ALONE for one in ports)

    def one(self, case, **axes):
        found = [one for one in self.records("rails") if one["case"] == f"rdma.verbs.{case}" and
                 all(one["point"][name] == value for name, value in axes.items())]
        self.assertEqual(len(found), 1, self.said[-2000:])
        return found[0]

    def ok(self, case, **axes):
        found = self.one(case, **axes)
        self.assertEqual((found["status"], found["verification"]["result"]), ("ok", "right"), summary(found))
        return found

    def flows(self, record):
        return {(one["from"], one["to"]): one.get("gb_per_s") for one in record["flows"]}

    def test_each_rank_of_a_host_has_an_adapter_of_its_own(self):
        record = self.ok("bandwidth", device="auto", round=1)
        for rank, (host, rail) in RANKS.items():
            conditions = conditions_of(record, rank)
            self.assertEqual((conditions["host"], conditions["rail"], conditions["device"]), (host, rail, f"rxe{rail}:1"))
            self.assertIn("one of 2", conditions["device_choice"])
            self.assertIn(f"10.77.{rail}.", conditions["gid"])

    def test_all_pairs_of_same_rails_run_at_once_and_the_slow_rail_shows(self):
        self.assertEqual(set(self.flows(self.ok("pairs"))), {(0, 2), (2, 0), (1, 3), (3, 1)})
        rates = self.flows(self.ok("bandwidth", device="auto", round=1))
        self.assertEqual(set(rates), {(0, 2), (1, 3)})
        self.assertLess(rates[(1, 3)] / rates[(0, 2)], 0.6)

    def test_the_table_of_flows_names_the_slow_rail_first(self):
        store = self.out / "store.db"
        assay = pathlib.Path(BIN) / "assay"
        subprocess.run([assay, "import", "--store", store, self.out / "rails.jsonl"], check=True, capture_output=True)
        shown = subprocess.run([assay, "show", "rdma_pairs", "--store", store, "--format", "csv",
                                "--filter", "rdma.verbs.bandwidth"], check=True, capture_output=True, text=True).stdout
        rows = [row for row in csv.DictReader(shown.splitlines()) if row["device"] == "auto"]
        self.assertEqual([row["rail"] for row in rows], ["1", "0"], shown)

    def test_two_ports_of_a_host_run_at_once_and_each_alone(self):
        record = self.ok("ports", ports=2)
        self.assertEqual({(one["from"], one["to"]) for one in record["flows"]}, {(0, 2), (1, 3)})
        self.assertAlmostEqual(metric(record, "sum_gb_per_s"), sum(one["gb_per_s"] for one in record["flows"]), places=9)
        self.assertAlmostEqual(metric(record, "alone_sum_gb_per_s"), sum(one["alone_gb_per_s"] for one in record["flows"]),
                               places=9)
        self.assertLess(LEAST_OF_ALONE, metric(record, "percent_of_alone"))
        self.assertEqual([conditions_of(record, rank)["device"] for rank in RANKS], ["rxe0:1", "rxe1:1"] * 2)

    def test_a_rail_can_be_named(self):
        record = self.ok("bandwidth", device="rail:1")
        self.assertEqual({conditions_of(record, rank)["device"] for rank in RANKS}, {"rxe1:1"})

    def test_no_host_is_measured_against_itself(self):
        for case in ("latency", "connection_rate"):
            self.assertEqual(set(self.flows(self.ok(case))), {(0, 2)})

    def test_a_round_that_there_is_not_is_unsupported(self):
        record = self.one("bandwidth", round=2)
        self.assertEqual(record["status"], "unsupported")
        self.assertIn("round=2: there are 1", record["reason"])


if __name__ == "__main__":
    sys.exit(virtual_hosts.main())
