#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Losses of single cables against opensm's own tables of the net without them; other engines tried by assay against those that
# opensm computes for this test; credit loops by service levels that opensm's SA answers and its own map of lanes.
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "site" / "tests"))
from opensm_nets import net_text, ring, three_levels, two_levels  # noqa: E402
from simulated_subnet import Simulated, library, skip  # noqa: E402

ASSAY = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "bin" / "assay"
TOOLS = {"ibsim": "ibsim-utils", "ibnetdiscover": "infiniband-diags", "saquery": "infiniband-diags", "opensm": "opensm"}


class Engines(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.nets = 0

    def assay(self, *words, status=0, environment=None):
        done = subprocess.run([ASSAY, *map(str, words)], cwd=self.folder, capture_output=True, text=True, check=False, env=environment)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def subnet(self):
        Engines.nets += 1
        folder = self.folder / f"net{Engines.nets}"
        folder.mkdir()
        return folder, Simulated(folder, f"assay-engines-{os.getpid()}", LIBRARY)

    def read(self, folder):
        self.assay("fabric", "read", "--topology", f"ibnetdiscover={folder / 'list'}", "--routes", folder / "opensm-lfts.dump", "-o",
                   folder / "site.toml")

    def site(self, cables, engine, seed="engines", lmc=0):
        folder, simulated = self.subnet()
        with simulated.running(net_text(cables, seed)):
            simulated.tool("opensm", "-o", "-D", "0x43", "-R", engine, "-l", str(lmc), "-f", str(folder / "log"))
            (folder / "list").write_text(simulated.listed())
        self.read(folder)
        return folder / "site.toml"

    def judged(self, site, *flags, status=0):
        return json.loads(self.assay("fabric", "routes", site, "--format", "json", "--permutations", 40, *flags, status=status).stdout)

    def named(self, site):
        return {site_name: own for own, site_name in re.findall(r"^# (\S+) = (\S+)$", site.read_text(), re.MULTILINE)}

    def test_the_loss_of_a_cable_is_what_minhop_does_of_the_net_without_it(self):
        for cables, lost in ((two_levels(4, 4, 4), [("leaf0", "spine0"), ("leaf2", "spine3")]),
                             (two_levels(3, 2, 6, parallel=2), [("leaf1", "spine1")])):
            site = self.site(cables, "minhop")
            whole, names = self.judged(site), self.named(site)
            for one, other in lost:
                with self.subTest(one=one, other=other):
                    left = next(at for at, cable in enumerate(cables) if (cable[0], cable[2]) == (one, other))
                    swept = self.judged(self.site(cables[:left] + cables[left + 1:], "minhop"))
                    name = f"{names[one]}>{names[other]}"
                    expected = next(each for each in whole["lost_cables"] if each["cable"] == name)
                    self.assertEqual(expected["all_to_all_busiest"], swept["all_to_all"]["busiest"])
                    self.assertAlmostEqual(expected["all_to_all_times"], swept["all_to_all"]["times"])
                    self.assertGreater(expected["pairs_cut"], 0)
                    self.assertEqual(expected["pairs_separated"], 0)

    def test_engines_that_are_tried_have_the_tables_that_opensm_gives_the_site(self):
        cables = three_levels()
        site = self.site(cables, "minhop")
        tried = {one["engine"]: one for one in self.judged(site, "--try", "minhop,ftree,dfsssp,dor")["engines"]}
        self.assertEqual(list(tried), ["as read", "minhop", "ftree", "dfsssp", "dor"])
        for engine in ("minhop", "ftree", "dfsssp", "dor"):
            with self.subTest(engine=engine):
                own = self.judged(self.site(cables, engine))
                self.assertEqual(tried[engine]["used"], engine)
                self.assertEqual(tried[engine]["all_to_all"]["busiest"], own["all_to_all"]["busiest"])
                self.assertEqual(tried[engine]["shifts"]["mean"], own["shifts"]["mean"])
        self.assertEqual(tried["as read"]["all_to_all"], tried["minhop"]["all_to_all"])

    def test_an_engine_that_gives_up_is_named_with_the_one_that_was_used(self):
        site = self.site(two_levels(4, 4, 4, lost={(0, 1, 0)}), "minhop")
        tried = self.judged(site, "--try", "ftree")["engines"]
        self.assertEqual((tried[1]["engine"], tried[1]["used"]), ("ftree", "minhop"))
        several = self.judged(self.site(three_levels(), "minhop", lmc=1), "--try", "ftree,updn")["engines"]
        self.assertEqual([one.get("used") for one in several], ["", "minhop", "updn"])  # ftree refuses an LMC

    def test_without_opensm_the_trial_is_skipped_with_a_line(self):
        site = self.site(two_levels(2, 2, 2), "minhop")
        if pathlib.Path("/usr/sbin/opensm").exists() or pathlib.Path("/usr/local/sbin/opensm").exists():
            self.skipTest("opensm is where assay looks for it")
        done = self.assay("fabric", "routes", site, "--try", "ftree", environment={"PATH": "/nonexistent"})
        self.assertIn("--try: skipped: not installed: opensm", done.stderr)

    def test_a_simulator_that_ends_at_once_is_said_at_once(self):
        site = self.site(two_levels(2, 2, 2), "minhop")
        programs = self.folder / "programs"
        programs.mkdir()
        (programs / "ibsim").write_text("#!/bin/sh\nexit 1\n")
        (programs / "ibsim").chmod(0o755)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        start = time.monotonic()
        done = self.assay("fabric", "routes", site, "--try", "ftree", status=2, environment=environment)
        self.assertIn("--try: ibsim ended before it had a subnet", done.stderr)
        self.assertLess(time.monotonic() - start, 20)

    def test_service_levels_part_the_circle_of_a_ring(self):
        """opensm's lash deals two levels; on one lane the same tables have a circle."""
        folder, simulated = self.subnet()
        with simulated.running(net_text(ring(5), "ring")):
            command = ["opensm", "-D", "0x43", "-Q", "-R", "lash", "-f", str(folder / "log")]
            with subprocess.Popen(command, env=simulated.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as manager:
                for _ in range(100):
                    if (folder / "log").exists() and "SUBNET UP" in (folder / "log").read_text():
                        break
                    time.sleep(0.1)
                listed = simulated.listed()
                (folder / "list").write_text(listed)
                lids = [int(lid) for lid in re.findall(r"\(.*# lid (\d+) lmc \d+ \"sw", listed)]
                levels = "".join(simulated.tool("saquery", "PR", "--src-to-dst", f"{one}:{other}").stdout
                                 for one in lids for other in lids if one != other)
                manager.kill()
        self.assertEqual(len(lids), 5)
        (folder / "levels").write_text(levels)
        self.read(folder)
        site = folder / "site.toml"
        self.assertEqual(self.judged(site, status=3)["verdict"], "INCONCLUSIVE")
        parted = self.judged(site, "--path-sls", folder / "levels", "--sl2vl", folder / "opensm-sl2vl.dump")
        self.assertEqual(parted["verdict"], "PASS")
        self.assertEqual(parted["credit_loop"], [])
        self.assertEqual(parted["credit_loop_lanes"]["virtual_lanes"], 2)
        self.assertEqual(parted["credit_loop_lanes"]["paths_at_assumed_level_0"], 0)
        one = re.sub(r"^(\d+ +\d+ +: ).*$", r"\g<1>" + "0 " * 16, (folder / "opensm-sl2vl.dump").read_text(), flags=re.MULTILINE)
        (folder / "one-lane").write_text(one)
        joined = self.judged(site, "--path-sls", folder / "levels", "--sl2vl", folder / "one-lane", status=1)
        self.assertEqual(joined["verdict"], "FAIL")
        self.assertTrue(all(name.endswith(" VL 0") for name in joined["credit_loop"]))
        self.assertEqual(len(joined["credit_loop"]), 5)


LIBRARY = library(TOOLS)
if not ASSAY.exists():
    skip(f"{ASSAY} is not built")
unittest.main()
