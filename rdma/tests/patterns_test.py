#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Patterns over four virtual hosts, and over three: which flows there are, and that their figures agree.
import sys

import virtual_hosts
from virtual_hosts import HERE, metric, quoted, summary

SERVE = "assay-rdma serve"


def flows(record):
    """{(from, to): GB/s}"""
    return {(one["from"], one["to"]): one["gb_per_s"] for one in record.get("flows", ())}


class Patterns(virtual_hosts.VirtualHosts):
    @classmethod
    def setUpClass(cls):
        cls.play_on_sound_hosts()

    @classmethod
    def play(cls):
        cls.make_folder()
        plan = ["--plan", HERE / "patterns.toml", "--journal"]
        odd = ["--filter", "rdma.verbs.pairs", "--filter", "rdma.verbs.bisection"]
        cls.start([quoted("assay-rdma", "h1", "h2", "h3", *plan, cls.out / "four.jsonl") + " ; " +
                   quoted("assay-rdma", "h1", "h2", *plan, cls.out / "three.jsonl", *odd), SERVE, SERVE, SERVE])

    def one(self, journal, case, **axes):
        (found,) = [one for one in self.records(journal) if one["case"] == f"rdma.verbs.{case}" and
                    all(one["point"][name] == value for name, value in axes.items())]
        self.assertEqual((found["status"], found["verification"]["result"]), ("ok", "right"), summary(found))
        return found

    def assert_flows(self, record, expected):
        found = flows(record)
        self.assertEqual(set(found), set(expected))
        self.assertAlmostEqual(metric(record, "sum_gb_per_s") / sum(found.values()), 1, places=6)
        self.assertEqual(metric(record, "slowest_flow_gb_per_s"), min(found.values()))
        self.assertTrue(1 / len(found) <= metric(record, "flow_jain_index") <= 1)

    def test_pairs_meet_once_in_each_direction(self):
        for journal, ranks in (("four", 4), ("three", 3)):
            record = self.one(journal, "pairs")
            self.assert_flows(record, {(a, b) for a in range(ranks) for b in range(ranks) if a != b})
            self.assertEqual(record["conditions"]["ranks"], ranks)
            queue_pairs = {(flow["to"], qpn) for flow in record["flows"] for qpn in flow["destination_qpns"]}
            self.assertEqual(len(queue_pairs), len(record["flows"]))

    def test_incast_shows_shares_and_its_victim(self):
        for senders, count in ((0, 3), (2, 2)):
            record = self.one("four", "incast", senders=senders)
            self.assert_flows(record, {(rank, 0) for rank in range(1, count + 1)})
            self.assertGreater(metric(record, "victim_messages"), 0)
            self.assertGreater(metric(record, "victim_latency_us"), 0)
            self.assertGreaterEqual(metric(record, "victim_max_latency_us"), metric(record, "victim_latency_us"))

    def test_shifts_permutations_and_halves(self):
        self.assert_flows(self.one("four", "ring_shift"), {(0, 1), (1, 2), (2, 3), (3, 0)})
        self.assert_flows(self.one("four", "bisection"), {(0, 2), (2, 0), (1, 3), (3, 1)})
        self.assert_flows(self.one("three", "bisection"), {(0, 1), (1, 0)})
        permuted = flows(self.one("four", "permutation"))
        self.assertEqual(sorted(a for a, _ in permuted), [0, 1, 2, 3])
        self.assertEqual(sorted(b for _, b in permuted), [0, 1, 2, 3])
        self.assertFalse([pair for pair in permuted if pair[0] == pair[1]])

    def test_paths_are_predicted_and_measured(self):
        record = self.one("four", "path_entropy")
        ports = record["conditions"]["udp_source_ports"].split()
        self.assertEqual(len(ports), 8)
        (flow,) = record["flows"]
        self.assertEqual(flow["source_ports"], [int(port) for port in ports])
        self.assertEqual(len(set(flow["destination_qpns"])), 8)
        self.assertEqual(metric(record, "ideal_hash_median_max_over_mean"), 1.5)
        self.assertTrue(1 <= metric(record, "simulated_crc32_max_over_mean") <= 4)
        self.assertTrue(1 <= metric(record, "qp_max_over_mean") <= 8)
        self.assertIn(record["conditions"]["measured_spread"], ("worse", "within", "better"))

    def test_load_is_a_share_of_the_closed_loop(self):
        record = self.one("four", "latency_under_load")
        share = metric(record, "offered_message_rate_m_per_s") / metric(record, "closed_loop_message_rate_m_per_s")
        self.assertAlmostEqual(share, 0.5, places=6)
        self.assertGreater(metric(record, "latency_us"), 0)


if __name__ == "__main__":
    sys.exit(virtual_hosts.main())
