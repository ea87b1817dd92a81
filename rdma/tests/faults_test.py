#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Faults on virtual hosts (fault_scenarios.py): each ends in a record that names what happened, within its limit, and the
# next point is measured. `faults_test.py --table` prints the table of docs/evidence/data/verbs-faults.txt.
import re
import sys

import virtual_hosts
from virtual_hosts import HERE, conditions_of, link_text, metric, summary

RETRIES = r"IBV_WC_RETRY_EXC_ERR \(12\): the peer did not answer within all retries"
GAVE_UP = r"faulty: .*retry_exceeded_err \+1"
REFUSED = r"IBV_WC_REM_ACCESS_ERR \(10\): the peer refused the access"
SENT_AGAIN = r"rcvd_seq_err|completer_retry_err|out_of_seq_request"
OK = ("ok", r"^$")
NEW_HOSTS = 75  # exit status of fault_scenarios.py

# scenario: (what is done, status, reason, what both ends' counters say, most seconds of the point)
EXPECTED = {
    "none": ("nothing", *OK, "", 10),
    "loss": ("1 % of the packets lost", *OK, SENT_AGAIN, 10),
    "delay": ("10 ms of delay, one way; send latency", *OK, "", 10),
    "reorder": ("packets 2 ms late, 1 % of them not", *OK, SENT_AGAIN, 15),
    "duplicate": ("1 % of the packets twice", *OK, "duplicate_request", 10),
    "corrupt": ("1 % of the packets with a wrong bit", *OK, SENT_AGAIN, 10),
    "cable": ("own cable pulled in mid-transfer, then put back", "failed",
              f"^(?=.*(port error|carrier_down_count \\+)).*{RETRIES}.*{GAVE_UP}", "", 30),
    "peer_cable": ("peer's cable pulled in mid-transfer, then put back", "failed", f"{RETRIES}.*{GAVE_UP}", "", 30),
    "peer_killed": ("peer's process killed", "failed",
                    f"{RETRIES}.*rank 1 \\(h1\\) closed the connection: its process ended.*{GAVE_UP}", "", 30),
    "host_killed": ("peer's host killed", "failed", f"{RETRIES}.*rank 1 \\(h1\\) (was silent|did not answer) for 10 s.*{GAVE_UP}",
                    "", 40),
    "peer_paused": ("peer's process stopped for 1.5 s", *OK, "", 15),
    "peer_stopped": ("peer's process stopped for good; write latency", "failed",
                     r"did not come within 5 s|IBV_WC_RETRY_EXC_ERR|rank 1 \(h1\) was silent for", "", 55),
    "after_leader_killed": ("leader killed, another leads", *OK, "", 10),
    "mtu_mismatch": ("peer's interface at MTU 1500", *OK, "", 10),
    "mtu_asked": ("the same, mtu = 4096 asked", "failed",
                  r"mtu=4096: the ports' active MTUs are 4096 here and 1024 at the peer; raise", "", 10),
    "larger_mtu": ("the same, fault = larger_mtu", "failed", r"IBV_WC_(REM_INV_REQ|RETRY_EXC|REM_OP)_ERR \(\d+\): ", "", 15),
    "wrong_gid": ("fault = wrong_gid", "failed", r"towards GID 192\.0\.2\.1 .*\(errno \d+\)|" + RETRIES, "", 15),
    "wrong_key": ("fault = wrong_key", "failed", REFUSED, "", 10),
    "wrong_address": ("fault = wrong_address", "failed", REFUSED, "", 10),
    "empty_receive_queue": ("fault = empty_receive_queue", "failed",
                            r"IBV_WC_RNR_RETRY_EXC_ERR \(13\): the peer had no receive posted.*rcvd_rnr_err \+", "", 10),
    "locked_memory": ("1 MiB to register, 64 KiB allowed", "failed",
                      r"register 1048576 bytes of host memory \(the limit of locked memory is 64 KiB: raise it.*errno 12", "", 10),
    "uc_all_lost": ("UC send, all packets lost", "wrong", r"none of \d+ messages arrived", "", 10),
    "ud_some_lost": ("UD send, 20 % of the packets lost", *OK, "", 10),
    "uc_answer_lost": ("UC send latency, all packets lost", "failed", r"an answer did not come within 5 s", "", 15),
    "ud_answer_lost": ("UD send latency, all packets lost", "failed", r"an answer did not come within 5 s", "", 15),
}


def reason_of(record):
    """What the record says was not right, whichever of its fields says it."""
    return record["reason"] or (record["verification"]["why"] if record["status"] == "wrong" else "")


def counters(record):
    """What both ends' ports saw."""
    return "; ".join(map(link_text, record.get("links", ())))


class Faults(virtual_hosts.VirtualHosts):
    @classmethod
    def setUpClass(cls):
        cls.play_on_sound_hosts(lambda: cls.status == NEW_HOSTS)

    @classmethod
    def play(cls):
        cls.make_folder()
        serve = f"python3 -B {HERE}/serving_host.py"
        cls.start([f"python3 -B {HERE}/fault_scenarios.py", serve, serve], "--rails", "2")

    def played(self):
        """Those without a journal fail once, in the test of that, and not in every test."""
        return {path.stem for path in self.out.glob("*.jsonl")} - {"leader_killed"}

    def test_all_scenarios_were_played(self):
        self.assertEqual(self.status, 0, self.said[-4000:])
        self.assertEqual(self.played(), set(EXPECTED) | {"after_host_killed"}, self.said[-4000:])

    def test_each_fault_ends_in_a_record_that_names_it(self):
        played = self.played()
        for name, (_, status, reason, moved, limit_s) in EXPECTED.items():
            if name not in played:
                continue
            with self.subTest(name):
                record = self.records(name)[0]
                self.assertEqual(record["status"], status, summary(record))
                self.assertRegex(reason_of(record), reason)
                if moved:
                    self.assertRegex(counters(record), moved)
                self.assertLess(record["elapsed_s"], limit_s, summary(record))

    def test_the_next_point_is_measured(self):
        # With its only peer gone, a host can measure nothing; with another peer it can.
        for name in sorted(self.played() - {"host_killed"}):
            with self.subTest(name):
                record = self.records(name)[-1]
                self.assertEqual((record["point"]["bytes"], record["status"]), (4096, "ok"), summary(record))
        gone = self.records("host_killed")[-1]
        self.assertRegex(gone["reason"], r"^h1: no answer within 5 s: is `assay-rdma serve` running there\?")

    def test_figures_show_the_delay_the_losses_and_the_agreed_mtu(self):
        (record, *_) = self.records("delay")
        self.assertGreater(metric(record, "latency_us"), 5000)  # half of a round trip that is 10 ms longer
        arrived, sent = map(int, conditions_of(self.records("ud_some_lost")[0], 1)["messages_arrived"].split(" of "))
        # The wire loses a part. A receiver on a busy machine loses more: how many, the wire does not say.
        self.assertTrue(0.05 < arrived / sent < 0.95, f"{arrived} of {sent}")
        self.assertEqual(self.records("mtu_mismatch")[0]["conditions"]["mtu_bytes"], 1024)

    def test_no_run_is_left_over_at_a_server(self):
        ended = len(re.findall(r"\[h[12]\] the run led by h0 (?:is over|failed|was ended|went on)", self.said))
        self.assertEqual(len(re.findall(r"\[h[12]\] a run led by h0 begins", self.said)) - ended, 1, "h1, killed with its run")


def without_brackets(text):
    while (shorter := re.sub(r" \([^()]*\)", "", text)) != text:
        text = shorter
    return text


def row(name, record):
    reason = re.sub(r"; counters of.*|\((verbs|team|usage)[^()]*\)$", "", reason_of(record)).strip()
    reason = re.sub(r"(IBV_WC_\w+ \(\d+\)): [^;]*", r"\1", reason)
    seen = re.search(r"counters of \w+: ([^;]*(?:; (?:rxe|eth)1[^;]*)*)", without_brackets(reason_of(record)))
    seen = seen[1] if seen else without_brackets(counters(record))
    return f"| {EXPECTED[name][0]} | {record['status']} | {reason or '-'} | {seen or '-'} | {record['elapsed_s']:.1f} |"


def print_table():
    Faults.setUpClass()
    print("| what was done | status | reason | counters | seconds |\n|---|---|---|---|---|")
    for name in EXPECTED:
        print(row(name, virtual_hosts.records_of(Faults.out / f"{name}.jsonl")[0]))
    Faults.doClassCleanups()


if __name__ == "__main__":
    if sys.argv[1:] == ["--table"]:
        print_table()
    else:
        sys.exit(virtual_hosts.main())
