#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Every operation, transport, way to notice completions and kind of memory between two virtual hosts, with the bytes that
# arrived looked at; and what soft RoCE cannot do, with its reason.
import collections
import re
import subprocess
import sys

import virtual_hosts
from virtual_hosts import HERE, conditions_of, metric, quoted, summary

NO_SUCH = r"(UC|UD) has no (write|write_imm|read|fetch_add|compare_swap) \(InfiniBand specification"
NO_EVENT = r"a write completes nothing at its target"
NO_CUDA = r"no CUDA|built without CUDA|no GPU|CUDA driver|cannot register|dma-buf|peer memory"
NOT_SO_LONG = r"a datagram of 8192 bytes does not fit the path MTU of 4096"
ONLY_RC = r"rdma_cm connects rc only"
NO_INLINE = r"1024 inline bytes\): Invalid argument \(errno 22\): lower inline_bytes"
REASONS = (NO_SUCH, NO_EVENT, NO_CUDA, NOT_SO_LONG, NO_INLINE, ONLY_RC)


class Operations(virtual_hosts.VirtualHosts):
    @classmethod
    def setUpClass(cls):
        cls.play_on_sound_hosts()

    @classmethod
    def play(cls):
        cls.make_folder()
        journal = cls.out / "operations.jsonl"
        cls.columns = cls.out / "perftest.txt"
        cls.start([quoted("assay-rdma", "h1", "--plan", HERE / "operations.toml", "--journal", journal, "--style", "perftest") +
                   " > " + quoted(cls.columns), "assay-rdma serve"])
        cls.all = virtual_hosts.records_of(journal)

    def having(self, case, **axes):
        return [one for one in self.all if one["case"] == f"rdma.verbs.{case}" and
                all(one["point"].get(name) == value for name, value in axes.items())]

    def test_nothing_fails_and_nothing_is_wrong(self):
        self.assertEqual(self.status, 0, self.said[-2000:])
        self.assertEqual([summary(one) for one in self.all if one["status"] not in ("ok", "unsupported")], [])

    def test_what_is_unsupported_says_why(self):
        reasons = collections.Counter()
        for one in self.all:
            if one["status"] == "unsupported":
                found = re.search("|".join(f"({reason})" for reason in
                                           REASONS), one["reason"])
                self.assertTrue(found, summary(one))
                reasons[next(reason for reason in REASONS
                             if re.search(reason, one["reason"]))] += 1
        # 8 of 18 pairs of transport and operation do not exist; each stands in 2 sizes x 2 completions x 2 cases.
        self.assertEqual(reasons, {NO_SUCH: 64, NO_EVENT: 4, NO_CUDA: 12, NOT_SO_LONG: 1, NO_INLINE: 2, ONLY_RC: 1})

    def test_every_operation_was_verified(self):
        unverified = [summary(one) for one in self.all
                      if one["status"] == "ok" and one["verification"]["result"] != "right"]
        # A write over UC that is lost leaves no trace: then nothing can be said of it.
        self.assertEqual([line for line in unverified if "'uc'" not in line or "'write'" not in line], [])
        for operation in ("write", "write_imm", "send", "read", "fetch_add", "compare_swap"):
            for case in ("latency", "bandwidth"):
                right = [one for one in self.having(case, operation=operation, transport="rc")
                         if one["status"] == "ok" and one["verification"]["result"] == "right"]
                self.assertGreaterEqual(len(right), 2, f"{case} {operation}")

    def test_columns_of_perftest_are_what_show_prints_of_the_journal(self):
        store, assay = self.out / "store.sqlite", virtual_hosts.BIN + "/assay"
        subprocess.run([assay, "import", self.out / "operations.jsonl", "--store", store], check=True, capture_output=True)
        shown = subprocess.run([assay, "show", "--store", store, "--style", "perftest"], check=True, capture_output=True, text=True)
        printed = self.columns.read_text()
        self.assertEqual(printed, shown.stdout)
        rows = [line for line in printed.splitlines() if line.split()[:1] and line.split()[0].isdigit()]
        measured = [one for one in self.all if one["status"] == "ok"]
        self.assertEqual(len(rows), len(measured))

    def test_each_point_tells_its_path(self):
        for one in self.all:
            if one["status"] == "ok":
                for name in ("device", "gid", "mtu_bytes"):
                    self.assertIn(name, one["conditions"], summary(one))
                self.assertIn("device", conditions_of(one, 1), summary(one))
                self.assertEqual([link["rank"] for link in one["links"]], [0, 1], summary(one))
        self.assertEqual([one["conditions"]["mtu_bytes"] for one in self.having("bandwidth", mtu=1024)], [1024])
        (link_local,) = self.having("bandwidth", gid_index=0)
        self.assertRegex(link_local["conditions"]["gid"], r"^fe80::.* \(RoCE v2, index 0\)$")
        (labelled,) = self.having("bandwidth", flow_label=77)
        # 0xC000 + label: two queue pairs, two labels (rdma-core, ibv_flow_label_to_udp_sport).
        self.assertEqual(labelled["conditions"]["udp_source_ports"], f"{0xC000 + 77} {0xC000 + 78}")
        self.assertEqual(labelled["flows"][0]["source_ports"], [0xC000 + 77, 0xC000 + 78])

    def test_rdma_cm_connects_what_carries_messages(self):
        connected = self.having("bandwidth", connect="rdma_cm", transport="rc") + self.having("latency", connect="rdma_cm")
        self.assertEqual([(one["status"], one["verification"]["result"]) for one in connected], 4 * [("ok", "right")],
                         [summary(one) for one in connected])
        for one in connected:
            self.assertEqual([conditions_of(one, rank)["connected_by"] for rank in (0, 1)], 2 * ["rdma_cm"])

    def test_streams_know_what_a_gigabyte_costs_both_hosts(self):
        for one in self.having("bandwidth", transport="rc"):
            if one["status"] != "ok":
                continue
            self.assertGreater(metric(one, "cpu_s_per_gb"), 0, summary(one))

    def test_inline_sizes_are_granted(self):
        for size in (0, 64):
            for one in self.having("bandwidth", inline_bytes=size):
                self.assertGreaterEqual(one["conditions"]["inline_bytes_granted"], size)

    def test_latencies_and_bandwidths_are_there(self):
        for one in self.all:
            if one["status"] == "ok":
                name = {"rdma.verbs.latency": "latency_us",
                        "rdma.verbs.message_rate": "message_rate_m_per_s"}.get(one["case"], "bandwidth_gb_per_s")
                self.assertGreater(metric(one, name), 0, summary(one))


if __name__ == "__main__":
    sys.exit(virtual_hosts.main())
