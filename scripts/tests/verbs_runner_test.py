#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# scripts/verbs-vm with real virtual hosts: statuses, limits, output, verbs traffic, faults; and nothing is
# left over.
import hashlib
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(SCRIPTS))

from verbs_vm import time_stamp_counter  # needs the line above

RUNNER = SCRIPTS / "verbs-vm"
LIMIT_S = 420  # of one run: more than verbs-vm gives it to boot (240) and to run commands (120)
# perftest's client asks once: this one asks until the server listens.
CLIENT = ("for try in $(seq 100); do {0} >/tmp/said 2>&1; status=$?; grep -qE 'connect|init' /tmp/said || break; sleep 0.1; "
          "done; cat /tmp/said; exit $status")
# A host that can be reached refuses (1); otherwise there is no answer (124).
ASK = "ask() { timeout 3 bash -c '</dev/tcp/h0/22' 2>/dev/null; echo h0 $?; }"
WRITE = "ib_write_bw -d rxe0 -s 65536"


class Runner(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name).resolve()
        self.environment = {**os.environ, "TMPDIR": str(self.folder)}

    def run_hosts(self, *words, status=0):
        """What a run wrote, as bytes; its status must be the expected one."""
        done = subprocess.run([str(RUNNER), "run", *words], env=self.environment, capture_output=True, timeout=LIMIT_S,
                              check=False)
        said = done.stdout.decode(errors="replace")[-3000:] + done.stderr.decode(errors="replace")[-3000:]
        self.assertEqual(done.returncode, status, said)
        self.assertEqual(list(self.folder.glob("verbs-vm-*")), [], "a folder of the run is left over")
        return done

    def test_output_arrives_intact_and_apart(self):
        done = self.run_hosts("--", "sh", "-c", "seq 200000; seq 50000 >&2; printf 'no line end'; exit 42", status=42)
        expected = "".join(f"{number}\n" for number in range(1, 200001)) + "no line end"
        self.assertEqual(hashlib.md5(done.stdout).hexdigest(), hashlib.md5(expected.encode()).hexdigest())
        self.assertEqual(done.stderr.decode(), "".join(f"{number}\n" for number in range(1, 50001)))

    def test_the_first_host_that_failed_gives_the_status(self):
        done = self.run_hosts("--hosts", "3", "--on", "h0", "true", "--on", "h1", "sleep 0.5; exit 3", "--on", "h2", "exit 7",
                              status=3)
        self.assertEqual(done.stdout, b"")

    def test_a_command_that_does_not_end_meets_the_time_limit(self):
        # h1, killed by the clock, is not waited for and so not named.
        began = time.monotonic()
        done = self.run_hosts("--time-limit", "1", "--hosts", "2", "--at", "0.2", "h1", "kill", "--", "sleep", "1000",
                              status=124)
        self.assertEqual(done.stderr, b"verbs-vm: time limit: h0 still running after 1 s (--time-limit)\n")
        self.assertLess(time.monotonic() - began, 60)

    def test_a_kernel_panic_is_noticed_at_once(self):
        began = time.monotonic()
        done = self.run_hosts("--", "sh", "-c", "echo c >/proc/sysrq-trigger", status=125)
        self.assertIn(b"verbs-vm: h0 died: its kernel crashed\n", done.stderr)
        self.assertIn(b"Kernel panic - not syncing: sysrq triggered crash", done.stderr)
        self.assertLess(time.monotonic() - began, 60)

    def test_two_hosts_write_by_verbs_and_results_come_out(self):
        results = self.folder / "results"
        results.mkdir()
        out = shlex.quote(str(results))
        done = self.run_hosts(
            "--rw", str(results), "--env", "WORD=a 'b", "--mtu", "h1=1500", "--loss", "h0=0.1%",
            "--on", "h0", f"ibv_devinfo >{out}/h0; tc qdisc show dev eth0 >>{out}/h0; {WRITE} -n 50",
            "--on", "h1", f"ibv_devinfo >{out}/h1; echo \"$WORD\" >>{out}/h1; touch {shlex.quote(str(RUNNER))}.new; " +
            CLIENT.format(f"{WRITE} -n 50 h0"))
        self.assertRegex(done.stdout.decode(), r"\[h1\]  65536 +50 +\d+\.\d+ +\d+\.\d+")
        server, client = (results / "h0").read_text(), (results / "h1").read_text()
        self.assertIn("PORT_ACTIVE", server)
        self.assertRegex(server, r"active_mtu:\s+4096")
        self.assertIn("netem", server)
        self.assertIn("loss 0.1%", server)
        self.assertRegex(client, r"active_mtu:\s+1024")
        self.assertTrue(client.endswith("a 'b\n"), client)
        self.assertFalse(pathlib.Path(f"{RUNNER}.new").exists(), "a guest wrote into the build machine's files")

    def test_a_cable_pulled_in_mid_transfer_carries_nothing_until_it_is_put_back(self):
        script = f"""
            port=/sys/class/infiniband/rxe0/ports/1
            wait_for() {{ until grep -q "$1" $port/state; do sleep 0.1; done; cat $port/state; }}
            more_than() {{ until [ "$(cat $port/hw_counters/$1)" -gt "$2" ]; do sleep 0.05; done; echo many $1; }}
            {ASK}
            {{ {CLIENT.format(f"{WRITE} -D 100 h0")}; }} >/dev/null &
            more_than sent_pkts 2000
            verbs-vm-fault cut; wait_for DOWN; more_than completer_retry_err 2; ask
            verbs-vm-fault restore h1; wait_for ACTIVE; ask"""
        done = self.run_hosts("--background", "h0", "--on", "h0", f"{WRITE} -D 100 >/dev/null", "--on", "h1", script)
        said = [" ".join(line.split()[1:]) for line in done.stdout.decode().splitlines()]
        self.assertEqual(said, ["many sent_pkts", "1: DOWN", "many completer_retry_err", "h0 124", "4: ACTIVE", "h0 1"])

    def test_a_host_that_is_killed_leaves_the_others_connected(self):
        script = f"""
            {ASK}
            ask; verbs-vm-fault kill h0; ask
            {CLIENT.format(f"{WRITE} -n 50 h1")}"""
        done = self.run_hosts("--on", "h0", "sleep 1000", "--on", "h1", f"{WRITE} -n 50 >/dev/null", "--on", "h2", script)
        said = [line.split()[1:3] for line in done.stdout.decode().splitlines() if " h0 " in line or " 65536 " in line]
        self.assertEqual(said, [["h0", "1"], ["h0", "124"], ["65536", "50"]])

    def test_the_clocks_of_all_hosts_run_as_this_machines(self):
        # The kernel says last what it takes the counter's rate for.
        done = self.run_hosts("--hosts", "2", "--", "sh", "-c", "dmesg | grep -o 'tsc: Detected .* MHz' | tail -n 1")
        rates = [float(line.split()[-2]) for line in done.stdout.decode().splitlines()]
        self.assertEqual(len(rates), 2)
        for rate in rates:
            self.assertAlmostEqual(rate * 1000 / time_stamp_counter.kilohertz(), 1, delta=1e-4)

    def test_virtual_time_repeats_itself(self):
        pair = f"({WRITE} -n 100 >/dev/null &); sleep 0.5; {WRITE} -n 100 localhost | grep '^ 65536'; "
        done = self.run_hosts("--icount", "--", "bash", "-c", 2 * pair)
        first, second = (float(line.split()[3]) for line in done.stdout.decode().splitlines())
        self.assertAlmostEqual(first / second, 1.0, delta=0.02)

    def test_the_hosts_die_with_a_runner_that_is_killed(self):
        with subprocess.Popen([str(RUNNER), "run", "--hosts", "3", "--", "sh", "-c", "echo up; sleep 1000"],
                              env=self.environment, stdout=subprocess.PIPE) as runner:
            self.assertTrue(runner.stdout.readline().endswith(b"up\n"))
            children = pathlib.Path(f"/proc/{runner.pid}/task/{runner.pid}/children").read_text().split()
            self.assertEqual(len(children), 4, "three hosts and a switch")
            runner.send_signal(signal.SIGKILL)
        deadline = time.monotonic() + 10
        while any(pathlib.Path(f"/proc/{child}").exists() for child in children) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.assertEqual([child for child in children if is_running(child)], [])

    def test_a_runner_that_is_ended_tidies_up(self):
        with subprocess.Popen([str(RUNNER), "run", "--", "sh", "-c", "echo up; sleep 1000"], env=self.environment,
                              stdout=subprocess.PIPE) as runner:
            self.assertTrue(runner.stdout.readline().endswith(b"up\n"))
            runner.send_signal(signal.SIGTERM)
            self.assertEqual(runner.wait(10), 128 + signal.SIGTERM)
        self.assertEqual(list(self.folder.iterdir()), [])


def is_running(process):
    try:
        state = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def main():
    for program, package in (("ib_write_bw", "perftest"), ("ibv_devinfo", "ibverbs-utils")):
        if not shutil.which(program):
            print(f"skipped: {package} is not installed (scripts/setup --for verbs)")
            return 77
    available = subprocess.run([str(RUNNER), "image"], capture_output=True, text=True, check=False)
    if available.returncode != 0:
        print(available.stderr, end="")
        return available.returncode
    return 0 if unittest.main(exit=False, verbosity=2).result.wasSuccessful() else 1


sys.exit(main())
