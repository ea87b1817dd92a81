#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What a run shows in a terminal, here a pseudo-terminal of 100 columns, and in a pipe.
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import termios
import unittest

MODULE = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "fake_modules" / "assay-memory"
COLUMNS = 100
LIVE = "\r\033[K"
WORDS = (MODULE, "--filter", "memory.fake.slow", "--filter", "memory.fake.fails", "--progress-before=5",
         "--progress-total=20", "--progress-after=0")


def in_terminal(**environment):
    """All that the program writes, with both streams on one pseudo-terminal."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    surroundings = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    with subprocess.Popen(WORDS, stdin=theirs, stdout=theirs, stderr=theirs,
                          env={**surroundings, "TERM": "xterm", **environment}) as child:
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 65536):
                text += part
        except OSError:  # EIO: the other end is closed
            pass
        os.close(ours)
        assert child.wait() == 1, text
    return text.decode().replace("\r\n", "\n")


class Terminal(unittest.TestCase):
    def test_one_line_is_rewritten_with_the_point_its_interval_and_the_time_left(self):
        said = in_terminal()
        live = [part.split("\n")[0] for part in said.split(LIVE)[1:]]
        slow = [line for line in live if "fake.slow n=1" in line and not line.endswith(")")]
        self.assertRegex(slow[0], r"^\[6/20\] memory 1/4: memory[.]fake[.]slow n=1, about \d+ s left")
        looks = [line for line in slow if "n = " in line]
        self.assertTrue(looks, said)
        for line in looks:
            self.assertRegex(line, r"(interval [\d.e-]+ % \(2 % wanted\), )?n = \d+")
        self.assertLess(max(map(len, slow)), COLUMNS)

    def test_a_status_is_red_unless_no_color_is_set(self):
        self.assertIn("\033[31mfailed\033[0m: allocate", in_terminal())
        for refused in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            said = in_terminal(**refused)
            self.assertIn(": failed: allocate", said)
            self.assertNotIn("\033[31m", said)

    def test_a_pipe_gets_plain_lines(self):
        done = subprocess.run(WORDS, capture_output=True, text=True)
        self.assertNotIn("\033", done.stdout + done.stderr)
        self.assertNotIn("\r", done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"(?m)^\[6/20\] memory[.]fake[.]slow n=1: .* GB/s \[.*\), about")


if __name__ == "__main__":
    unittest.main(verbosity=2)
