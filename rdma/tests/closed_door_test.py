#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What `assay-rdma serve` does not begin with, and what a leader gives an impostor. Usage: closed_door_test.py ASSAY_RDMA
# TEAM_TESTS
import contextlib
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import unittest

from door_program import INTRODUCTION, PROGRAM, free_port, key_file, run
from door_client import Door, frame, pack


class Refusals(unittest.TestCase):
    """What `serve` does not begin with, and what it says where it does."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def assert_refused(self, *arguments, saying):
        ended = run("serve", "--port", free_port(), *arguments)
        self.assertEqual(ended.returncode, 2, ended.stderr)
        self.assertIn(saying, ended.stderr)
        self.assertEqual(len(ended.stderr.splitlines()), 1, ended.stderr)

    def test_a_key_that_others_can_read_or_make(self):
        folder = self.folder.name
        self.assert_refused("--key-file", key_file(folder, mode=0o644), saying="mode 0644 lets others at it")
        self.assert_refused("--key-file", key_file(folder, mode=0o620), saying="mode 0620 lets others at it")
        self.assert_refused("--key-file", key_file(folder, data=b""), saying="a key of 0 bytes")
        self.assert_refused("--key-file", key_file(folder, data=b"short"), saying="a key of 5 bytes")
        self.assert_refused("--key-file", key_file(folder, data=b"\n" * 40), saying="a key of 0 bytes")
        self.assert_refused("--key-file", pathlib.Path(folder, "none"), saying="No such file")
        self.assert_refused("--key-file", folder, saying="not a regular file")
        pipe = pathlib.Path(folder, "pipe")
        os.mkfifo(pipe, 0o600)
        self.assert_refused("--key-file", pipe, saying="not a regular file")

    def test_a_key_behind_a_symbolic_link(self):
        link = pathlib.Path(self.folder.name, "link")
        link.symlink_to(key_file(self.folder.name))
        self.assert_refused("--key-file", link, saying="a symbolic link")

    def test_another_users_key(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a file away")
        key = key_file(self.folder.name)
        os.chown(key, 12345, 0)
        self.assert_refused("--key-file", key, saying="belongs to user 12345")

    def test_other_than_loopback_without_a_key(self):
        self.assert_refused("--interface", "0.0.0.0", saying="0.0.0.0 is not a loopback address, and there is no key")
        self.assert_refused("--interface", "::", saying=":: is not a loopback address, and there is no key")

    def test_open_is_said_loudly(self):
        server = subprocess.Popen([PROGRAM, "serve", "--port", str(free_port()), "--interface", "0.0.0.0", "--open"],
                                  stderr=subprocess.PIPE, text=True, env={"PATH": os.environ["PATH"]})
        self.addCleanup(server.stderr.close)
        line = server.stderr.readline()
        server.terminate()
        server.wait(10)
        self.assertRegex(line, r"^warning: --open: port \d+ without a key: anyone who reaches it can join")


class Output(unittest.TestCase):
    def test_that_cannot_be_written_ends_with_an_error(self):
        for arguments in (["serve", "--help"], ["entropy", "--help"], ["--list"]):
            with open("/dev/full", "w") as full:
                ended = subprocess.run([PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=20)
            self.assertEqual(ended.returncode, 3, arguments)
            self.assertIn("standard output could not be written", ended.stderr)


class Leading(unittest.TestCase):
    """A leader gives an impostor its hail and nothing else: no name, no option, no address or key of the fabric."""

    def heard_by_an_impostor(self, answers):
        with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as listening:
            leader = subprocess.Popen([PROGRAM, f"127.0.0.1:{listening.getsockname()[1]}", "--key-file", str(key_file(folder)),
                                       "--connect-limit", "1"],
                                      stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                      env={"PATH": os.environ["PATH"]})
            listening.settimeout(20)
            heard = []
            caller = Door.__new__(Door)
            caller.socket = listening.accept()[0]
            caller.socket.settimeout(5)
            with caller.socket, contextlib.suppress(EOFError, OSError):
                for answer in answers:
                    heard.append(caller.read_frame())
                    caller.send_bytes(answer)
                while True:
                    heard.append(caller.read_frame())
            listening.close()
            said = leader.communicate(timeout=20)[1]
            return [kind for kind, _ in heard], leader.returncode, said

    def test_without_a_key(self):
        challenge = frame("challenge", pack("assay-door", "1", "none", "", os.urandom(32)))
        kinds, status, said = self.heard_by_an_impostor([challenge])
        self.assertEqual((kinds, status), (["hail", "turned away"], 2), said)
        self.assertIn("has no key, and this host has one", said)

    def test_that_wants_its_proof_back(self):
        challenge = frame("challenge", pack("assay-door", "1", "shared", "", os.urandom(32)))
        for last in (frame("accepted", b"m" * 32), frame("accepted", b""), frame("hello", INTRODUCTION)):
            kinds, status, said = self.heard_by_an_impostor([challenge, last])
            self.assertEqual((kinds[:2], status), (["hail", "proof"], 2), said)
            self.assertNotIn("hello", kinds)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
