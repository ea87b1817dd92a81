#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Tools that run here: what they print, read back by `assay import`, is their own number, and what assay measures as well.
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[4]
BIN = pathlib.Path(os.environ.get("ASSAY_BUILD_DIR", ROOT / "build")) / "bin"
COPIES, BYTES = 5, 1 << 26  # rounds that alternate; of both arrays


def wants(tool):
    return unittest.skipUnless(shutil.which(tool), f"no {tool} here")


class OfTools(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_of(self, *words, status=0):
        done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, cwd=self.folder, timeout=300)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def rows_of(self, file):
        said = self.run_of(BIN / "assay", "import", "--from", "auto", file, "--host", "h", "--dry-run", "--format", "json")
        return [json.loads(line) for line in said.splitlines()]

    def copy_of_assay(self):
        """GB/s of assay's own copy with stores that pass the caches by, as likwid-bench's copy_mem_* does."""
        journal = self.folder / "own.jsonl"
        journal.unlink(missing_ok=True)
        self.run_of(BIN / "assay-memory", "--filter", "memory.host.copy*", "--axis", f"bytes={BYTES}", "--axis", "threads=1",
                    "--axis", "store=nontemporal", "--journal", journal)
        points = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
        return next(point["metrics"][0]["value"] for point in points if point["record"] == "point")

    @wants("likwid-bench")
    def test_a_copy_of_likwid_bench_is_what_assay_measures(self):
        rates, own = [], []
        for number in range(COPIES):
            file = self.folder / f"{number}.txt"
            file.write_text(self.run_of("likwid-bench", "-t", "copy_mem_sse", "-s", "1", "-w", f"N:{BYTES // 1000}kB:1"),
                            encoding="utf-8")
            (row,) = self.rows_of(file)
            printed = float(re.search(r"MByte/s:\s+(\S+)", file.read_text(encoding="utf-8"))[1])
            self.assertAlmostEqual(row["value"], printed / 1000, places=9)
            self.assertEqual((row["case"], row["axes"]["threads"]), ("memory.host.copy", 1))
            self.assertAlmostEqual(row["axes"]["bytes"] / BYTES, 1, delta=0.01)
            rates.append(row["value"])
            own.append(self.copy_of_assay())
        best, best_own = max(rates), max(own)
        print(f"copy of {BYTES >> 20} MiB, best of {COPIES}: likwid-bench {best:.2f} GB/s, assay {best_own:.2f} GB/s")
        noise = max(statistics.pstdev(side) / max(side) for side in (rates, own))
        self.assertLess(abs(best / best_own - 1), 0.25 + 3 * noise, (rates, own))

    def test_a_google_benchmark_program_states_what_its_journal_does(self):
        self.run_of(BIN / "assay-memory", "--filter", "memory.host.copy*", "--axis", "bytes=1MiB", "--axis", "threads=1",
                    "--benchmark_out=b.json", "--journal", "j.jsonl")
        records = [json.loads(line) for line in (self.folder / "j.jsonl").read_text(encoding="utf-8").splitlines()]
        own = [record["time"]["value_s"] * 1e6 for record in records if record["record"] == "point"]
        rows = self.rows_of("b.json")
        self.assertGreaterEqual(len(own), 1)
        self.assertEqual(len(rows), len(own))
        for row, time_us in zip(rows, own):
            self.assertEqual((row["status"], row["unit"]), ("ok", "us"))
            self.assertAlmostEqual(row["value"] / time_us, 1, places=5)

    @wants("fio")
    def test_fio_has_its_own_rate(self):
        self.run_of("fio", "--name=reads", "--rw=read", "--bs=64k", "--size=8m", "--filename=data", "--output-format=json",
                    "--output=fio.json")
        job = json.loads((self.folder / "fio.json").read_text(encoding="utf-8"))["jobs"][0]["read"]
        (row,) = self.rows_of("fio.json")
        self.assertAlmostEqual(row["value"] / (job["io_bytes"] / job["runtime"] * 1e-6), 1, delta=0.2)
        self.assertAlmostEqual(row["value"], job["bw_bytes"] * 1e-9, places=9)
        self.assertEqual(row["executions"], job["total_ios"])


if __name__ == "__main__":
    unittest.main()
