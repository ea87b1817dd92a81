#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Paths and loads by the tables that opensm computes on nets of ibsim, against a count of this script: several engines, LMC 0 to
# 2, cables lost, hosts missing, parallel cables, rails, a ring of switches; and every form of a dump.
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "site" / "tests"))
from opensm_nets import loads_of, net_text, read_net, read_tables, ring, three_levels, two_levels  # noqa: E402
from simulated_subnet import Simulated, library, skip  # noqa: E402

ASSAY = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "bin" / "assay"
TOOLS = {"ibsim": "ibsim-utils", "ibnetdiscover": "infiniband-diags", "opensm": "opensm"}


NETS = {  # cables, engine, LMC
    "plain": (two_levels(4, 4, 4), "minhop", 0),
    "lost": (two_levels(4, 4, 4, lost={(0, 1, 0), (2, 3, 0), (3, 3, 0)}), "updn", 1),
    "missing": (two_levels(4, 4, 4, missing={1, 2, 9}), "dfsssp", 2),
    "parallel": (two_levels(3, 2, 6, parallel=2, lost={(1, 0, 1)}), "minhop", 0),
    "one-way": (two_levels(4, 4, 4), "dor", 0),
    "layers": (two_levels(4, 3, 3), "lash", 1),
    "three levels": (three_levels(), "ftree", 0),
    "rails": (two_levels(4, 2, 3, adapters=2), "minhop", 1),
}


class Routes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))

    def assay(self, *words, status=0):
        done = subprocess.run([ASSAY, *map(str, words)], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def swept(self, name, cables, engine, lmc, forms=False):
        """The list and the dump after one sweep; with forms, those of every tool, too."""
        folder = self.folder / name.replace(" ", "-")
        folder.mkdir()
        simulated = Simulated(folder, f"assay-routes-{os.getpid()}", LIBRARY)
        with simulated.running(net_text(cables, name)):
            done = simulated.tool("opensm", "-o", "-D", "0x43", "-l", str(lmc), "-R", engine, "-f", str(folder / "opensm.log"))
            dump = folder / "opensm-lfts.dump"
            self.assertTrue(dump.exists(), done.stdout + done.stderr)
            (folder / "list").write_text(simulated.listed())
            if forms:
                (folder / "dump_lfts").write_text(simulated.tool("dump_lfts").stdout)
                lids = re.findall(r"^Switch.*port 0 lid (\d+) ", (folder / "list").read_text(), re.MULTILINE)
                (folder / "ibroute").write_text("".join(simulated.tool("ibroute", lid).stdout for lid in lids))
        return folder

    def judged(self, folder, dump="opensm-lfts.dump", status=0):
        self.assay("fabric", "read", "--topology", f"ibnetdiscover={folder / 'list'}", "--routes", folder / dump,
                   "-o", folder / "site.toml")
        done = self.assay("fabric", "routes", folder / "site.toml", "--format", "json", "--permutations", 50, status=status)
        return json.loads(done.stdout)

    def own_count(self, folder):
        peers, hosts = read_net((folder / "list").read_text())
        tables = read_tables((folder / "opensm-lfts.dump").read_text())
        n = len(hosts)
        patterns = {f"shift{by}": [(one, (one + by) % n) for one in range(n)] for by in range(1, n)}
        patterns["all_to_all"] = [(one, other) for one in range(n) for other in range(n) if one != other]
        return {name: loads_of(peers, hosts, tables, pairs) for name, pairs in patterns.items()}

    def loads(self, folder, patterns):
        words = [word for pattern in patterns for word in ("--pattern", pattern)]
        self.assay("fabric", "routes", folder / "site.toml", "--permutations", 0, "--loads", folder / "loads.csv", *words)
        loads = {}
        with (folder / "loads.csv").open() as rows:
            for row in csv.DictReader(rows):
                cable = (row["switch"], int(row["port"]), row["peer"], int(row["peer_port"]))
                loads.setdefault(row["pattern"], {})[cable] = int(row["messages"])
        return loads

    def test_loads_of_every_cable_are_those_of_an_independent_count(self):
        for name, (cables, engine, lmc) in NETS.items():
            with self.subTest(net=name, engine=engine, lmc=lmc):
                folder = self.swept(name, cables, engine, lmc)
                judged, expected = self.judged(folder), self.own_count(folder)
                shifts = [max(loads.values(), default=0) for pattern, loads in expected.items() if pattern.startswith("shift")]
                self.assertGreater(max(shifts), 0)
                self.assertEqual(judged["shifts"]["busiest"], shifts)
                self.assertEqual(judged["all_to_all"]["busiest"], max(expected["all_to_all"].values()))
                self.assertEqual(judged["findings"], [])
                self.assertEqual(self.loads(folder, expected), expected)

    def test_times_follow_the_busiest_cable(self):
        folder = self.swept("times", *NETS["one-way"])
        self.judged(folder)
        n = len(read_net((folder / "list").read_text())[1])
        (folder / "all.toml").write_text(f'name = "all"\nranks = {n}\n[[stream]]\n[[stream.op]]\npattern = "all_to_all"\n'
                                         'bytes = "16MiB"\n')
        busiest = max(self.own_count(folder)["all_to_all"].values())
        done = json.loads(self.assay("fabric", "simulate", folder / "site.toml", folder / "all.toml", "--sharing", "bound",
                                     "--json").stdout)
        capacity = 200e3 / 8 * 4096 / (4096 + 78)
        least_us = max(busiest, n - 1) * 16 * 2**20 / n / capacity
        self.assertAlmostEqual(done["time_us"]["median"] / least_us, 1, delta=0.01)

    def test_every_form_of_a_dump_is_one_answer(self):
        folder = self.swept("forms", *NETS["lost"], forms=True)
        first = {**self.judged(folder), "notes": []}
        for form in ("dump_lfts", "ibroute", "opensm.fdbs"):
            with self.subTest(form=form):
                self.assertEqual({**self.judged(folder, form), "notes": []}, first)

    def test_a_ring_of_switches_can_wait_in_a_circle(self):
        folder = self.swept("ring", ring(5), "minhop", 0)
        judged = self.judged(folder, status=3)
        self.assertEqual(judged["verdict"], "INCONCLUSIVE")
        self.assertEqual(len(judged["credit_loop"]), 5)

    def test_tables_older_than_the_list_are_findings(self):
        cables, engine, lmc = NETS["plain"]
        old, new = self.swept("old", cables, engine, lmc), self.swept("new", [one for one in cables if one[:3] != ("leaf0", 5, "spine0")],
                                                                      engine, lmc)
        shutil.copy(old / "opensm-lfts.dump", new / "old.dump")
        judged = self.judged(new, "old.dump", status=1)
        self.assertEqual(judged["verdict"], "FAIL")
        self.assertEqual({(one["kind"], one["switch"]) for one in judged["findings"]} & {("no_cable", "leaf0")}, {("no_cable", "leaf0")})
        self.assertGreater(judged["all_to_all"]["undelivered"], 0)

    def test_a_limit_decides(self):
        folder = self.swept("limits", *NETS["one-way"])
        self.judged(folder)
        self.assay("fabric", "routes", folder / "site.toml", "--shift-at-most", 1, status=1)
        self.assay("fabric", "routes", folder / "site.toml", "--all-to-all-at-most", 1.5, status=1)
        self.assay("fabric", "routes", folder / "site.toml", "--shift-at-most", 4, "--all-to-all-at-most", 4)


LIBRARY = library(TOOLS)
if not ASSAY.exists():
    skip(f"{ASSAY} is not built")
unittest.main()
