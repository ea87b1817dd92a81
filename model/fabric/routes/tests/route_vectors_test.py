#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Loads of cables by tables of opensm against counts that another program made (vectors, in a folder that is the argument).
import csv
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ASSAY = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "bin" / "assay"


def text_of(name):
    plain, packed = GIVEN / name, GIVEN / (name + ".gz")
    return plain.read_text() if plain.exists() else gzip.decompress(packed.read_bytes()).decode()


class Vectors(unittest.TestCase):
    def loads(self, folder, name, patterns):
        net, engine = name
        (folder / "list").write_text(text_of(f"{net}.ibnetdiscover"))
        (folder / "dump").write_text(text_of(f"{net}.{engine}.lfts"))
        subprocess.run([ASSAY, "fabric", "read", "--topology", "ibnetdiscover=list", "--routes", "dump", "-o", "site.toml"],
                       cwd=folder, check=True, capture_output=True)
        words = [word for pattern in patterns for word in ("--pattern", pattern)]
        subprocess.run([ASSAY, "fabric", "routes", "site.toml", "--permutations", "0", "--loads", "loads.csv", *words],
                       cwd=folder, check=True, capture_output=True)
        return list(csv.DictReader((folder / "loads.csv").read_text().splitlines()))

    def test_loads_of_every_cable(self):
        names = sorted({tuple(file.name.split(".")[:2]) for file in GIVEN.glob("*.lfts*")})
        self.assertTrue(names)
        for name in names:
            with self.subTest(name=name), tempfile.TemporaryDirectory() as folder:
                rows = [row for row in csv.DictReader(text_of(".".join(name) + ".loads.csv").splitlines())
                        if not row["pattern"].startswith("random")]
                found = self.loads(pathlib.Path(folder), name, sorted({row["pattern"] for row in rows}))
                key = json.dumps
                self.assertTrue(rows)
                self.assertEqual(sorted(found, key=key), sorted(rows, key=key))


GIVEN = pathlib.Path(sys.argv.pop() if len(sys.argv) > 1 and sys.argv[1] else "missing") / "given"
if not GIVEN.is_dir():
    print("skipped: no InfiniBand route vectors (ASSAY_IB_ROUTE_VECTORS_DIR)")
    sys.exit(77)
if not ASSAY.exists():
    print(f"skipped: {ASSAY} is not built")
    sys.exit(77)
unittest.main()
