#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Strangers at the door of `assay-rdma serve`, as programs of others see it: no device is needed, for none of them comes so
# far. Usage: strangers_test.py ASSAY_RDMA TEAM_TESTS
import contextlib
import os
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from door_program import INTRODUCTION, KEY, PROGRAM, free_port, key_file
from door_client import Door, TYPES, frame, mac, pack, unpack


class Serving(unittest.TestCase):
    """One server for all strangers: whatever one of them does, the next leader is served."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.log = pathlib.Path(cls.folder.name, "log")
        cls.log_file = cls.log.open("w")
        cls.port = free_port()
        cls.server = subprocess.Popen([PROGRAM, "serve", "--port", str(cls.port), "--interface", "127.0.0.1",
                                       "--key-file", str(key_file(cls.folder.name))],
                                      stderr=cls.log_file, env={"PATH": os.environ["PATH"]})
        deadline = time.monotonic() + 10
        while True:
            try:
                Door(cls.port).close()
                return
            except ConnectionRefusedError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    @classmethod
    def tearDownClass(cls):
        cls.server.send_signal(signal.SIGTERM)
        cls.server.wait(10)
        cls.log_file.close()
        cls.folder.cleanup()

    def tearDown(self):
        self.assertIsNone(self.server.poll(), "the server runs on")
        self.assertLess(self.served_after_s(), 5)

    def door(self, key=KEY, **options):
        return Door(self.port, key, **options)

    def served_after_s(self, source="127.0.0.1"):
        """How long a member needs until it is answered, called again while it is hung up on."""
        begin = time.monotonic()
        while True:
            try:
                with self.door(source=source) as member:
                    member.enter()
                    member.send_bytes(member.sealed("hello", INTRODUCTION.replace(b"0.1.0", b"0.0.9")))
                    self.assertEqual(member.read_sealed()[0], "hello")
                    return time.monotonic() - begin
            except (ConnectionError, EOFError):
                self.assertLess(time.monotonic() - begin, 10)
                time.sleep(0.02)

    def assert_turned_away(self, door, within_s=5):
        with self.assertRaises((PermissionError, EOFError, ConnectionError)):
            while True:
                kind, payload = door.read_frame()
                if kind == "turned away":
                    raise PermissionError(unpack(payload))
                self.assertEqual(kind, "challenge")
        self.assertTrue(door.is_closed(within_s))

    def test_a_silent_one_is_closed_after_five_seconds(self):
        with self.door() as silent:
            begin = time.monotonic()
            self.assertTrue(silent.is_closed(10))
            self.assertLess(time.monotonic() - begin, 7)

    def test_a_slow_one_is_closed_after_five_seconds_whatever_it_sends(self):
        with self.door() as slow:
            slow.hail_payload = pack("assay-door", "1", "lead", "", -1, -1, os.urandom(32))
            begin = time.monotonic()
            with self.assertRaises(OSError):
                for byte in frame("hail", slow.hail_payload):
                    slow.send_bytes(bytes([byte]))
                    time.sleep(0.25)
            self.assertLess(time.monotonic() - begin, 8)

    def test_garbage_is_closed_at_once(self):
        for garbage in (b"GET / HTTP/1.1\r\nHost: x\r\n\r\n", b"SSH-2.0-OpenSSH_9.2\r\n", b"\x16\x03\x01\x02\x00\x01", b"\xff" * 4096,
                        os.urandom(4096) + b"\xff" * 8):
            with self.door() as stranger:
                stranger.send_bytes(garbage)
                self.assertTrue(stranger.is_closed(6))

    def test_a_huge_length_is_closed_at_once_and_costs_no_memory(self):
        before = self.resident_kib()
        for size in (4097, 65536, 2**31, 2**32 - 1):
            with self.door() as stranger:
                stranger.send_bytes(struct.pack(">IB", size, TYPES.index("hail") + 1))
                self.assertTrue(stranger.is_closed(2), size)
        for length in (2**31, 2**32 - 1):  # inside a frame of the right size
            with self.door() as stranger:
                stranger.send_bytes(frame("hail", struct.pack(">I", length) + b"assay-door"))
                self.assert_turned_away(stranger)
        self.assertLess(self.resident_kib() - before, 4096)

    def test_a_cut_off_handshake_is_closed(self):
        hail = frame("hail", pack("assay-door", "1", "lead", "", -1, -1, b"n" * 32))
        for size in range(0, len(hail), 7):
            with self.door() as stranger:
                stranger.send_bytes(hail[:size])
                stranger.socket.shutdown(socket.SHUT_WR)
                self.assertTrue(stranger.is_closed(2), size)

    def test_another_key_is_turned_away(self):
        with self.door(b"another key of sixteen bytes") as stranger:
            stranger.hail()
            stranger.take_challenge()
            stranger.prove()
            self.assert_turned_away(stranger)

    def test_an_empty_key_is_turned_away(self):
        with self.door(b"") as stranger:
            stranger.hail()
            stranger.take_challenge()
            stranger.prove()
            self.assert_turned_away(stranger)

    def test_a_proof_for_the_other_direction_is_turned_away(self):
        for label in ("listener", "frames of the caller", "frames of the listener", ""):
            with self.door() as stranger:
                stranger.hail()
                stranger.take_challenge()
                stranger.prove(label)
                self.assert_turned_away(stranger)

    def test_its_own_words_sent_back_are_turned_away(self):
        with self.door() as stranger:
            stranger.hail()
            stranger.take_challenge()
            stranger.send_bytes(frame("challenge", stranger.challenge_payload))
            self.assert_turned_away(stranger)
        with self.door() as stranger:
            stranger.hail()
            stranger.take_challenge()
            stranger.send_bytes(frame("hail", stranger.challenge_payload))
            self.assert_turned_away(stranger)

    def test_a_recorded_conversation_is_turned_away(self):
        with self.door().enter() as member:
            recorded = [frame("hail", member.hail_payload), frame("proof", member.secret_of("caller")),
                        member.sealed("hello", INTRODUCTION)]
        for parts in (recorded, recorded[:2], recorded[1:], recorded[2:]):
            with self.door() as stranger:
                stranger.send_bytes(b"".join(parts))
                self.assert_turned_away(stranger)

    def test_two_listeners_nonces_differ(self):
        challenges = set()
        for _ in range(16):
            with self.door() as stranger:
                stranger.hail()
                stranger.take_challenge()
                challenges.add(unpack(stranger.challenge_payload)[-1])
        self.assertEqual(len(challenges), 16)

    def test_a_stranger_hears_nothing_but_challenge_and_refusal(self):
        with self.door(b"") as stranger:
            stranger.hail()
            stranger.take_challenge()
            self.assertEqual(unpack(stranger.challenge_payload)[:4], [b"assay-door", b"1", b"shared", b""])
            stranger.send_bytes(frame("hello", INTRODUCTION))
            kind, payload = stranger.read_frame()
            self.assertEqual((kind, unpack(payload)[1]), ("turned away", b"a 'proof' was due"))
            self.assertTrue(stranger.is_closed())

    def members_frame_is_refused(self, *frames_of):
        with self.door().enter() as member:
            member.send_bytes(b"".join(make(member) for make in frames_of))
            self.assertTrue(member.is_closed(6))

    def test_frames_that_are_not_a_members_next_one_end_the_connection(self):
        hello = INTRODUCTION
        self.members_frame_is_refused(lambda m: frame("hello", hello))  # without a seal
        self.members_frame_is_refused(lambda m: m.sealed("hello", hello, number=1))
        self.members_frame_is_refused(lambda m: m.sealed("hello", hello, number=2**64 - 1))
        self.members_frame_is_refused(lambda m: m.sealed("hello", hello)[:-1] + b"\0")
        self.members_frame_is_refused(lambda m: m.sealed("gather", hello)[:4] + b"\1" + m.sealed("gather", hello, 0)[5:])

        def of_the_other_direction(member):
            numbered = struct.pack(">Q", 0) + hello
            return frame("hello", numbered + mac(member.receiving_key, numbered + b"\1"))
        self.members_frame_is_refused(of_the_other_direction)

    def leading(self):
        """A member that the server takes for its leader, as soon as the run before has ended."""
        version = b"?"
        deadline = time.monotonic() + 15
        while True:
            member = self.door().enter()
            member.send_bytes(member.sealed("hello", INTRODUCTION.replace(b"\x050.1.0", bytes([len(version)]) + version)))
            kind, payload = member.read_sealed()
            if kind == "hello" and unpack(payload)[2] == version:
                return member
            member.close()
            if kind == "hello":
                version = unpack(payload)[2]
            self.assertLess(time.monotonic(), deadline, (kind, payload))
            time.sleep(0.1)

    def test_a_frame_sent_again_or_out_of_order_ends_a_run(self):
        for numbers in ((0, 0), (1, 0), (0, 2)):
            with self.leading() as member:
                first = member.sent
                for number in numbers:
                    with contextlib.suppress(ConnectionError):
                        member.send_bytes(member.sealed("welcome", pack("1", "2", "2147483647", "4", "", "0", ""), first + number))
                self.assertTrue(member.is_closed(6), numbers)
        log = self.log.read_text()
        self.assertIn("it was sent again, or others are lost", log)

    def test_a_storm_from_another_address_costs_members_and_log_nothing(self):
        self.storm("127.0.0.2", most_s=3)

    def test_a_storm_from_a_members_own_address_keeps_it_out_for_moments_only(self):
        self.storm("127.0.0.1", most_s=9)

    def storm(self, source, most_s):
        before = len(self.log.read_text().splitlines()), self.resident_kib()
        over = threading.Event()
        calls = [0]

        def call_and_go():
            while not over.is_set():
                with contextlib.suppress(OSError), socket.socket() as stranger:
                    stranger.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    stranger.bind((source, 0))
                    stranger.connect(("127.0.0.1", self.port))
                    calls[0] += 1
        thread = threading.Thread(target=call_and_go)
        thread.start()
        try:
            time.sleep(0.3)
            waits = [self.served_after_s() for _ in range(5)]
        finally:
            over.set()
            thread.join()
        self.assertGreater(calls[0], 1000)
        self.assertLess(max(waits), most_s)
        self.assertLessEqual(len(self.log.read_text().splitlines()) - before[0], 60)
        self.assertLess(self.resident_kib() - before[1], 8192)

    def test_those_who_stay_take_no_more_than_their_places(self):
        strangers = []
        with contextlib.ExitStack() as stack:
            for _ in range(700):
                with contextlib.suppress(OSError):
                    strangers.append(stack.enter_context(self.door(source="127.0.0.3")))
            self.assertLess(self.served_after_s(), 3)
            self.assertLessEqual(len(os.listdir(f"/proc/{self.server.pid}/fd")), 256 + 24)

    def resident_kib(self):
        return next(int(line.split()[1]) for line in pathlib.Path(f"/proc/{self.server.pid}/status").read_text().splitlines()
                    if line.startswith("VmRSS"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
