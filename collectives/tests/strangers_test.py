#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Ranks that meet, measure over sockets and watch each other, while strangers call at every port that they listen at:
# the rendezvous of rank 0, the socket mesh of each point and the posts of the watch. Usage: strangers_test.py
# ASSAY_COLLECTIVES TEAM_TESTS
import contextlib
import json
import os
import pathlib
import random
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

PROGRAM = sys.argv[1]
sys.path.insert(0, sys.argv[2])
from door_client import Door, frame, pack  # noqa: E402

LISTENING = "0A"
RANKS = 3


def listening_ports(processes):
    """Where these processes listen, by the system's tables."""
    inodes = set()
    for process in processes:
        with contextlib.suppress(OSError):
            for descriptor in pathlib.Path(f"/proc/{process}/fd").iterdir():
                with contextlib.suppress(OSError):
                    inodes.add(os.readlink(descriptor))
    ports = set()
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in pathlib.Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == LISTENING and f"socket:[{fields[9]}]" in inodes:
                    ports.add(int(fields[1].split(":")[1], 16))
    return ports


class Strangers:
    """Threads that call at every door they find: some go, some stay, some talk."""

    def __init__(self, processes):
        self.processes = processes
        self.calls = {}
        self.over = threading.Event()
        self.threads = [threading.Thread(target=self.call, args=(seed,)) for seed in range(2)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        for thread in self.threads:
            thread.join()

    def call(self, seed):
        chance = random.Random(seed)
        staying = []
        while not self.over.is_set():
            ports = listening_ports(self.processes)
            for port in ports:
                for _ in range(20):
                    with contextlib.suppress(OSError):
                        staying.append(self.misbehave(port, chance))
                        self.calls[port] = self.calls.get(port, 0) + 1
            while len(staying) > 150:
                staying.pop(chance.randrange(len(staying))).close()
            time.sleep(0.002)
        for stranger in staying:
            stranger.close()

    def misbehave(self, port, chance):
        stranger = Door(port, b"not the key of these ranks", source=chance.choice(("127.0.0.1", "127.0.0.2")), limit_s=1)
        purpose = chance.choice(("data", "join", "watch", "lead"))
        hail = frame("hail", pack("assay-door", "1", purpose, "", 1, 0, os.urandom(32)))
        stranger.send_bytes(chance.choice((
            b"", b"\0", hail, hail[:chance.randrange(len(hail))], hail + frame("proof", b"m" * 32), frame("hello", b"?"),
            os.urandom(64), b"GET / HTTP/1.1\r\n\r\n", struct.pack(">IB", 2**32 - 1, 12), hail + hail)))
        if chance.random() < 0.5:
            stranger.close()
        return stranger


class RanksAmongStrangers(unittest.TestCase):
    def run_ranks(self, folder, *arguments):
        key = pathlib.Path(folder, "key")
        key.write_bytes(b"a key of more than sixteen bytes")
        key.chmod(0o600)
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
        ranks = []
        for rank in range(RANKS):
            environment = {"PATH": os.environ["PATH"], "RANK": str(rank), "WORLD_SIZE": str(RANKS), "MASTER_ADDR": "127.0.0.1",
                           "MASTER_PORT": str(port)}
            if rank == 1:
                time.sleep(1)  # so that strangers find rank 0 while it waits
            ranks.append(subprocess.Popen([PROGRAM, *arguments, "--key-file", str(key), "--journal", f"{folder}/journal.jsonl"],
                                          env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True))
            if rank == 0:
                self.strangers = Strangers([ranks[0].pid])
                self.strangers.__enter__()
                self.addCleanup(self.strangers.__exit__)
            self.strangers.processes = [one.pid for one in ranks]
        return port, [one.communicate(timeout=120)[0] for one in ranks], [one.returncode for one in ranks]

    def test_meet_and_measure_as_if_there_were_none(self):
        with tempfile.TemporaryDirectory() as folder:
            rendezvous, said, statuses = self.run_ranks(
                folder, "--filter", "collectives.assay.all_reduce", "--axis", "algorithm=ring", "--axis", "bytes=8B,64KiB,1MiB")
            self.assertEqual(statuses, [0] * RANKS, said)
            lines = pathlib.Path(folder, "journal.jsonl").read_text().splitlines()
            points = [json.loads(line) for line in lines]
            statuses = [point["status"] for point in points if point.get("kind") == "point" or "status" in point]
            self.assertTrue(statuses and set(statuses) == {"ok"}, statuses)
            self.assertGreater(self.strangers.calls.get(rendezvous, 0), 20, "at the rendezvous")
            self.assertGreater(len(self.strangers.calls), RANKS, "at posts and meshes, too")
            refused = [line for line in "".join(said).splitlines() if "refused" in line]
            self.assertLess(len(refused), 400)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
