#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A module's run in the columns of another program: the same as `assay show --style` prints of its journal.
import os
import pathlib
import subprocess
import tempfile
import unittest

PROGRAMS = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "bin"
PLAN = """name = "short"
[measure]
max_seconds = 0.05
max_warmup_seconds = 0.01
[[sweep]]
cases = ["*"]
"""


def run(program, *arguments):
    return subprocess.run([PROGRAMS / program, *arguments], capture_output=True, text=True)


class ModuleInAPeersStyle(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.plan = self.folder / "short.toml"
        self.plan.write_text(PLAN, encoding="utf-8")

    def collectives(self, *more):
        return run("assay-collectives", "--ranks", "2", "--plan", self.plan, "--axis", "bytes=8,1KiB",
                   "--filter", "collectives.assay.all_reduce/*ring*", *more)

    def test_standard_output_is_what_show_prints_of_the_journal(self):
        journal, store = self.folder / "journal.jsonl", self.folder / "store.sqlite"
        done = self.collectives("--style", "nccl-tests", "--journal", journal)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("[2/2] collectives.assay.all_reduce", done.stderr)
        self.assertIn("Avg bus bandwidth", done.stdout)
        rows = [line.split() for line in done.stdout.splitlines() if not line.startswith("#")]
        self.assertEqual([row[0] for row in rows], ["8", "1024"])
        self.assertEqual(run("assay", "import", journal, "--store", store).returncode, 0)
        shown = run("assay", "show", "--store", store, "--style", "nccl-tests")
        self.assertEqual(done.stdout, shown.stdout)

    def test_needs_no_journal(self):
        done = self.collectives("--style", "nccl-tests")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sum(not line.startswith("#") for line in done.stdout.splitlines()), 2)

    def test_refuses_what_it_cannot_print(self):
        for arguments, why in (
            (("--style", "perftest"), "perftest not in {nccl-tests}"),
            (("--style", "nccl-tests", "--resume"), "--resume excludes --style"),
            (("--style", "nccl-tests", "--benchmark_format=json"), "--style excludes --benchmark_format"),
        ):
            done = self.collectives(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(why, done.stderr)
        self.assertIn("nccl-tests not in {perftest}", run("assay-rdma", "--style", "nccl-tests").stderr)
        self.assertIn("unknown argument '--style'", run("assay-memory", "--style", "perftest").stderr)


if __name__ == "__main__":
    unittest.main()
