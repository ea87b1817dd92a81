#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A rank that waits for its team ends with exit code 4 when it is asked to stop: by Ctrl-C, by a scheduler, by the end of its
# terminal. Without the signal it would wait for a minute.
import os
import pathlib
import signal
import socket
import subprocess
import time
import unittest

BIN = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "bin"
INTERRUPTED = 4


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def listens(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


class Signals(unittest.TestCase):
    def waiting_rank(self, rank, ignored=()):
        port = free_port()
        process = subprocess.Popen([BIN / "assay-collectives"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, "RANK": str(rank), "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)},
                                   preexec_fn=lambda: [signal.signal(one, signal.SIG_IGN) for one in ignored])
        self.addCleanup(process.kill)
        if rank == 0:
            while not listens(port):
                self.assertIsNone(process.poll(), "it ended before it waited")
        return process

    def stopped(self, process, sent):
        process.send_signal(sent)
        began = time.monotonic()
        said = process.communicate(timeout=30)[1]
        return process.returncode, time.monotonic() - began, said

    def test_rank_0_ends_at_once_whatever_asks_it_to(self):
        for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            code, seconds, said = self.stopped(self.waiting_rank(0), sent)
            self.assertEqual(code, INTERRUPTED, said)
            self.assertIn("asked to stop while it waited for the other ranks", said)
            print(f"{signal.Signals(sent).name}: ended after {seconds:.2f} s")

    def test_the_end_of_a_terminal_is_ignored_under_nohup(self):
        process = self.waiting_rank(0, ignored=(signal.SIGHUP,))
        process.send_signal(signal.SIGHUP)
        with self.assertRaises(subprocess.TimeoutExpired):
            process.wait(timeout=1)
        self.assertEqual(self.stopped(process, signal.SIGTERM)[0], INTERRUPTED)


unittest.main()
