#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Twice the input takes at most 2.4 times the instructions (valgrind's callgrind counts them, whatever else the machine does),
# for the inputs whose time once grew with the square of their size.
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import hostile_inputs  # noqa: E402

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
ASSAY = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "bin/assay"
MOST_GROWTH = 2.4


def verdict_rows(count):
    row = '{"unit":"h","kind":"host","metric":"m","verdict":"PASS","k":' + hostile_inputs.wide_json(200) + "}"
    return ('{"schema":"x","rows":[' + ",".join([row] * count) + "]}").encode()


class LinearTime(unittest.TestCase):
    def instructions(self, command, data):
        with tempfile.TemporaryDirectory() as made:
            folder = pathlib.Path(made)
            (folder / "input").write_bytes(data)
            (folder / "sound").write_bytes(hostile_inputs.journal_line(hostile_inputs.context()))
            subprocess.run([ASSAY, "import", folder / "sound", "--store", folder / "sound-store"], check=True, stdout=subprocess.DEVNULL)
            words = [word.format(file=folder / "input", folder=folder) for word in command]
            done = subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind", ASSAY, *words], cwd=folder,
                                  capture_output=True, text=True, check=False)
        counted = re.search(r"Collected : (\d+)", done.stderr)
        self.assertTrue(counted, done.stderr[-500:])
        return int(counted[1])

    def expect_linear(self, command, make, size):
        nothing, once, twice = (self.instructions(command, make(number)) for number in (1, size, 2 * size))
        self.assertGreater(once - nothing, nothing / 4, "too small an input to show growth, or one that is not read")
        growth = (twice - nothing) / (once - nothing)
        print(f"{command[0]}, {make(size)[:20]!r}...: {growth:.2f} times the instructions for twice the input")
        self.assertLess(growth, MOST_GROWTH)

    def test_a_journal_of_one_line(self):
        self.expect_linear(["import", "{file}", "--store", "{folder}/s"], lambda size: b"x" * size, 2_000_000)

    def test_a_record_of_many_keys(self):
        self.expect_linear(["import", "{file}", "--store", "{folder}/s"],
                           lambda keys: hostile_inputs.journal_line(hostile_inputs.context(hostile_inputs.wide_json(keys))), 2000)

    def test_verdicts_of_many_keys(self):
        self.expect_linear(["bundle", "--store", "{folder}/sound-store", "--check", "{file}", "-o", "{folder}/b", "--no-accept"],
                           verdict_rows, 50)

    def test_elements_of_xml(self):
        self.expect_linear(["machine", "--root", str(SOURCE / "model/examples/node"), "--nccl-topology", "{file}"],
                           lambda count: b"<s>" + b"<a/>" * count + b"</s>", 20_000)


if not shutil.which("valgrind"):
    print("skipped: valgrind is not installed, instructions are not counted")
    sys.exit(77)
unittest.main()
