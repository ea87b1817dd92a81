#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The command line of scripts/verbs-vm: what it means, and what is refused with one line.
import os
import pathlib
import sys
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

# The import needs the line above.
from verbs_vm import arguments
from verbs_vm.outcome import UsageError


def plan_of(*words):
    return arguments.run_plan(arguments.parse(["run", *words]))


class CommandLine(unittest.TestCase):
    def refused(self, *words):
        """The line that a wrong command line ends with."""
        with self.assertRaises(UsageError) as caught:
            plan_of(*words)
        self.assertNotIn("\n", str(caught.exception))
        return str(caught.exception)

    def test_a_command_runs_on_one_host_with_three_processors(self):
        plan = plan_of("--", "echo", "two words")
        self.assertEqual([host.command for host in plan.hosts], ["echo 'two words'"])
        self.assertEqual((plan.processors, plan.has_prefix, plan.time_limit_s), (3, False, 120))

    def test_lines_for_single_hosts_say_how_many_there_are(self):
        plan = plan_of("--on", "h0", "serve", "--on", "h1", "ask h0")
        self.assertEqual([host.command for host in plan.hosts], ["serve", "ask h0"])
        self.assertEqual((plan.processors, plan.has_prefix), (1, True))

    def test_one_host_may_differ_from_the_others(self):
        plan = plan_of("--hosts", "3", "--on", "h2", "other", "--background", "h0", "--", "all")
        self.assertEqual([host.command for host in plan.hosts], ["all", "all", "other"])
        self.assertEqual([host.is_waited_for for host in plan.hosts], [False, True, True])

    def test_an_mtu_of_one_host_makes_a_mismatch(self):
        self.assertEqual([host.mtu for host in plan_of("--hosts", "2", "--mtu", "h1=1500", "--", "x").hosts], [4200, 1500])
        self.assertEqual([host.mtu for host in plan_of("--hosts", "2", "--mtu", "9000", "--", "x").hosts], [9000, 9000])

    def test_faults_of_the_wire_may_hold_for_one_host(self):
        plan = plan_of("--hosts", "2", "--loss", "1%", "--delay", "h1=10ms 2ms", "--", "x")
        self.assertEqual([host.netem for host in plan.hosts],
                         [("limit 10000 loss 1%",), ("limit 10000 delay 10ms 2ms loss 1%",)])

    def test_faults_of_the_wire_may_hold_for_one_rail(self):
        plan = plan_of("--hosts", "2", "--rails", "2", "--rate", "h0=9mbit", "--rate", "h0.1=8mbit", "--loss", "h1.0=1%", "--", "x")
        self.assertEqual([host.netem for host in plan.hosts],
                         [("limit 10000 rate 9mbit", "limit 10000 rate 8mbit"), ("limit 10000 loss 1%", "")])

    def test_every_impairment_has_its_place(self):
        plan = plan_of("--rate", "20mbit", "--reorder", "1% 50%", "--duplicate", "2%", "--corrupt", "0.5%", "--loss", "1%",
                       "--delay", "2ms", "--", "x")
        self.assertEqual(plan.hosts[0].netem,
                         ("limit 10000 delay 2ms loss 1% corrupt 0.5% duplicate 2% reorder 1% 50% rate 20mbit",))

    def test_actions_have_a_time_a_host_and_a_name(self):
        action = plan_of("--hosts", "2", "--at", "1.5", "h1", "kill", "--", "x").actions[0]
        self.assertEqual((action.after_s, action.host, action.what), (1.5, 1, "kill"))

    def test_variables_come_with_a_value_or_from_here(self):
        with mock.patch.dict(os.environ, {"HERE": "a b"}):
            self.assertEqual(plan_of("--env", "HERE", "--env", "X=1=2", "--", "x").environment, {"HERE": "a b", "X": "1=2"})

    def test_what_cannot_be_meant_is_refused(self):
        for words, said in (
                (["--hosts", "9", "--", "x"], "--hosts takes 1 to 8; got 9"),
                (["--hosts", "0", "--", "x"], "--hosts takes 1 to 8; got 0"),
                (["--hosts", "2", "--on", "h0", "x"], "h1 has no command: give --on h1 LINE or -- COMMAND"),
                ([], "h0 has no command: give --on h0 LINE or -- COMMAND"),
                (["--on", "first", "x"], "expected a host of h0 to h7, got 'first'"),
                (["--hosts", "2", "--mtu", "h2=1500", "--", "x"], "expected a host of h0 to h1, got 'h2'"),
                (["--mtu", "big", "--", "x"], "--mtu takes a number of bytes; got 'big'"),
                (["--mtu", "100", "--", "x"], "--mtu takes 576 to 65535; got 100"),
                (["--rails", "5", "--", "x"], "--rails takes 1 to 4; got 5"),
                (["--rails", "2", "--rate", "h0.2=1mbit", "--", "x"], "expected a rail of 0 to 1, got 'h0.2'"),
                (["--rate", "h1.0=1mbit", "--", "x"], "expected a host of h0 to h0, got 'h1'"),
                (["--memory", "64", "--", "x"], "--memory takes 256 to 65536; got 64"),
                (["--loss", "1", "--", "x"], "--loss takes a value like 1%; got '1'"),
                (["--delay", "10", "--", "x"], "--delay takes a value like 10ms; got '10'"),
                (["--rate", "fast", "--", "x"], "--rate takes a value like 20mbit; got 'fast'"),
                (["--reorder", "1%", "--", "x"], "--reorder needs --delay: the packets that overtake are those not delayed"),
                (["--at", "soon", "h0", "cut", "--", "x"], "--at takes seconds from the start; got 'soon'"),
                (["--at", "1", "h0", "burn", "--", "x"], "--at takes cut, restore, kill; got 'burn'"),
                (["--env", "1X=2", "--", "x"], "--env takes NAME or NAME=VALUE; got '1X=2'"),
                (["--env", "NO_SUCH", "--", "x"], "--env NO_SUCH: no such variable here; give --env NO_SUCH=VALUE"),
                (["--rw", "/no/such", "--", "x"], "--rw /no/such: no such folder"),
                (["--time-limit", "-1", "--", "x"], "--time-limit takes 0 to 86400; got -1.0"),
                (["--background", "h0", "--", "x"], "--background names every host: there is nothing to wait for"),
                (["--icount", "--hosts", "2", "--", "x"],
                 "--icount works with one host of one processor: two clocks of this kind are unrelated"),
                (["--hosts", "two", "--", "x"], "argument --hosts: invalid int value: 'two' (see verbs-vm --help)"),
                (["--no-such", "--", "x"], "unknown argument '--no-such' (see verbs-vm --help)")):
            with self.subTest(words):
                self.assertEqual(self.refused(*words), said)

    def test_nothing_to_do_is_refused(self):
        with self.assertRaisesRegex(UsageError, "expected available, image or run"):
            arguments.parse([])
        with self.assertRaisesRegex(UsageError, "image takes no command"):
            arguments.parse(["image", "--", "x"])


if __name__ == "__main__":
    unittest.main()
