#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What lldpd and Slurm themselves print, read by `assay fabric read`: lldpd in network namespaces, which needs root or
# user namespaces, and a slurmctld without nodes.
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

ASSAY = pathlib.Path(os.environ.get("ASSAY_BUILD_DIR", "build")) / "bin" / "assay"
PATH = f"{os.environ.get('PATH', '')}:/usr/local/sbin:/usr/sbin:/sbin"
LIMIT_S = 20
# A daemon that starts while its links come up hears nothing in one run of twenty: all systems then start anew.
ATTEMPTS, UNHEARD = 3, 75

# Two leaves with a host each, two cables between each leaf and the spine. A tmpfs, because `ip netns` and lldpd write below
# /run. Leaves and the spine forward, so lldpd calls them routers.
NAMESPACES = """\
set -e
mount -t tmpfs tmpfs /run
mkdir -p /run/netns /run/lldpd
for system in leaf1 leaf2 spine1 node1 node2; do ip netns add $system; done
cable() { ip link add $2 netns $1 type veth peer name $4 netns $3; ip -n $1 link set $2 up; ip -n $3 link set $4 up; }
cable leaf1 swp1 node1 eth0
cable leaf2 swp1 node2 eth0
cable leaf1 swp49 spine1 swp1
cable leaf1 swp50 spine1 swp2
cable leaf2 swp49 spine1 swp3
cable leaf2 swp50 spine1 swp4
for system in leaf1 leaf2 spine1; do ip netns exec $system sysctl -qw net.ipv4.ip_forward=1; done
for system in leaf1 leaf2 spine1 node1 node2; do
  ip netns exec $system unshare -u sh -c "hostname $system; exec lldpd -d -u /run/$system.socket" 2>/dev/null &
done
ask() { system=$1; shift; lldpcli -u /run/$system.socket "$@" 2>/dev/null; }
for try in $(seq 60); do
  heard=0
  for system in leaf1 leaf2 spine1 node1 node2; do
    ask $system configure lldp tx-interval 1 >/dev/null || true
    heard=$((heard + $(ask $system -f keyvalue show neighbors | grep -c 'port.descr=' || true)))
  done
  [ $heard -ge 12 ] && break
  sleep 0.1
done
[ $heard -ge 12 ] || exit 75
for format in json json0 keyvalue; do
  for system in leaf1 leaf2 spine1 node1 node2; do ask $system -f $format show neighbors >"$1/$format/$system.$format"; done
done
"""

SLURM = """\
ClusterName=sites
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
AuthType=auth/none
CredType=cred/none
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/pid
SlurmctldLogFile={folder}/log
TopologyPlugin=topology/tree
NodeName=n[1-5] NodeAddr=127.0.0.1 CPUs=1
PartitionName=all Nodes=ALL
"""
TOPOLOGY = """\
Include parts/all.conf
SwitchName = leaf2 Nodes = "n[3-4]"
SwitchName=spine1 Switches=leaf[1-2],leaf1
SwitchName=spine2 Switches=leaf[1-2],
"""


def missing(*programs):
    return [program for program in programs if not shutil.which(program, path=PATH)]


class RealTools(unittest.TestCase):
    def setUp(self):
        if not ASSAY.exists():
            self.skipTest("not built here: assay")
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)

    def read(self, topology, *flags):
        out = self.folder / "site.toml"
        done = subprocess.run([ASSAY, "fabric", "read", "--topology", topology, "-o", out, *flags], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return sorted(line.strip(' ",') for line in out.read_text().splitlines() if line.startswith('  "'))


class Lldpd(RealTools):
    def test_every_format_of_a_folder_is_the_same_fabric(self):
        if lacking := missing("lldpd", "lldpcli", "ip", "unshare"):
            self.skipTest(f"not installed: {', '.join(lacking)}")
        for name in ("json", "json0", "keyvalue"):
            (self.folder / name).mkdir()
        own = [] if os.getuid() == 0 else ["--map-root-user"]
        for _ in range(ATTEMPTS):
            done = subprocess.run(["unshare", *own, "--mount", "--net", "--pid", "--fork", "--mount-proc", "--kill-child", "sh", "-c",
                                   NAMESPACES, "sh", self.folder], env={**os.environ, "PATH": PATH}, stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=50, check=False)
            if done.returncode != UNHEARD:
                break
        if done.returncode == UNHEARD:
            self.skipTest(f"lldpd did not hear all its neighbours, {ATTEMPTS} times")
        if done.returncode != 0:
            self.skipTest(f"namespaces cannot be made here: {done.stderr.strip()[-200:]}")
        expected = ["host0>leaf0", "host1>leaf1"] + ["leaf0>spine0"] * 2 + ["leaf1>spine0"] * 2
        for name in ("json", "json0", "keyvalue"):
            self.assertEqual(self.read(f"lldp={self.folder / name}"), expected, name)
            chosen = self.read(f"lldp={self.folder / name}", "--ports", "node1 eth?")
            self.assertEqual(chosen, ["host0>leaf0", *["leaf0>spine0"] * 2, *["spine0>core0"] * 2], name)  # core0: leaf2


class Slurm(RealTools):
    def test_the_file_and_what_scontrol_shows_are_one_fabric(self):
        if lacking := missing("slurmctld", "scontrol"):
            self.skipTest(f"not installed: {', '.join(lacking)}")
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        (self.folder / "state").mkdir()
        (self.folder / "parts").mkdir()
        (self.folder / "parts/all.conf").write_text("include leaf.conf\n")
        (self.folder / "parts/leaf.conf").write_text("SwitchName=leaf1 Nodes=n1,n1,n2\n")
        (self.folder / "topology.conf").write_text(TOPOLOGY)
        conf = self.folder / "slurm.conf"
        conf.write_text(SLURM.format(host=socket.gethostname().split(".")[0], port=port, user=getpass.getuser(), folder=self.folder))
        environment = {**os.environ, "PATH": PATH, "SLURM_CONF": str(conf)}
        daemon = subprocess.Popen(["slurmctld", "-D", "-c", "-f", conf], env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(daemon.wait)
        self.addCleanup(daemon.send_signal, signal.SIGKILL)
        shown = self.shown(daemon, environment)
        (self.folder / "shown.txt").write_text(shown)
        expected = ["host0>leaf0", "host1>leaf0", "host2>leaf1", "host3>leaf1",
                    "leaf0>spine0", "leaf0>spine1", "leaf1>spine0", "leaf1>spine1"]
        self.assertEqual(self.read(f"slurm={self.folder / 'topology.conf'}"), expected)
        self.assertEqual(self.read(f"slurm={self.folder / 'shown.txt'}"), expected)

    def shown(self, daemon, environment):
        limit = time.monotonic() + LIMIT_S
        while time.monotonic() < limit and daemon.poll() is None:
            done = subprocess.run(["scontrol", "show", "topology"], env=environment, capture_output=True, text=True, check=False)
            if done.stdout.startswith("SwitchName="):
                return done.stdout
            time.sleep(0.1)
        log = self.folder / "log"
        return self.skipTest(f"slurmctld does not run here: {log.read_text()[-300:] if log.exists() else 'no log'}")


class Result(unittest.TextTestResult):
    """A skipped test says why."""

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        print(f"skipped: {test.id()}: {reason}")


if __name__ == "__main__":
    result = unittest.main(exit=False, testRunner=unittest.TextTestRunner(resultclass=Result)).result
    sys.exit(77 if result.wasSuccessful() and len(result.skipped) == result.testsRun else not result.wasSuccessful())
