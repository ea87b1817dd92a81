#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Counters that ibsim counts and infiniband-diags print, read twice by assay: a cable with planted errors is the one it names.
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
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "routes" / "tests"))
from opensm_nets import net_text, two_levels  # noqa: E402
from simulated_subnet import Simulated, library, skip  # noqa: E402

ASSAY = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "bin" / "assay"
TOOLS = {"ibsim": "ibsim-utils", "ibnetdiscover": "infiniband-diags", "perfquery": "infiniband-diags",
         "ibqueryerrors": "infiniband-diags", "opensm": "opensm"}


class Counters(unittest.TestCase):
    """One fabric with a manager; ibsim's console plants errors between two readings."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.simulated = Simulated(cls.folder, f"assay-counters-{os.getpid()}", LIBRARY)
        own = {key: value for key, value in cls.simulated.environment.items() if key != "LD_PRELOAD"}
        (cls.folder / "net").write_text(net_text(two_levels(2, 2, 2), "counters"))
        with (cls.folder / "ibsim.log").open("w") as log:
            cls.simulator = subprocess.Popen(["ibsim", "-s", cls.folder / "net"], env=own, stdin=subprocess.PIPE, stdout=log,
                                             stderr=log, text=True)
        cls.addClassCleanup(cls.simulator.kill)
        cls.simulated.wait(cls.simulator)
        cls.manager = subprocess.Popen(["opensm", "-f", str(cls.folder / "log")], env=cls.simulated.environment, cwd=cls.folder,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        cls.addClassCleanup(cls.manager.kill)
        for _ in range(100):
            if (cls.folder / "log").exists() and "SUBNET UP" in (cls.folder / "log").read_text():
                break
            time.sleep(0.1)
        cls.listed = cls.simulated.listed()
        (cls.folder / "list").write_text(cls.listed)
        cls.read("before")
        cls.plant("leaf1", 4, "SymbolErrorCounter", 5000)
        cls.plant("leaf0", 3, "LinkDownedCounter", 2)
        cls.read("after")

    @classmethod
    def plant(cls, node, port, field, value):
        cls.simulator.stdin.write(f'PerformanceSet "{node}"[{port}] PortCounters.{field}={value}\n')
        cls.simulator.stdin.flush()
        lid = re.search(rf'# "{node}" base port 0 lid (\d+) ', cls.listed)[1]
        for _ in range(100):
            if re.search(rf"{field}:\.+{value}\b", cls.simulated.tool("perfquery", lid, str(port)).stdout):
                return
            time.sleep(0.05)
        raise AssertionError(f"ibsim has not taken {field} of {node} port {port}")

    @classmethod
    def read(cls, name):
        switches = re.findall(r'^Switch\s+\d+ "[^"]+"\s+# "(\w+)" base port 0 lid (\d+) ', cls.listed, re.MULTILINE)
        adapters = re.findall(r"# lid (\d+) lmc", cls.listed)
        text = "".join(cls.simulated.tool("perfquery", lid, str(port)).stdout for _, lid in switches for port in range(1, 5))
        text += "".join(cls.simulated.tool("perfquery", lid, "1").stdout for lid in adapters)
        (cls.folder / f"{name}.perfquery").write_text(text)
        (cls.folder / f"{name}.ibqueryerrors").write_text(cls.simulated.tool("ibqueryerrors", "--data").stdout)

    def judged(self, form, seconds, status):
        done = subprocess.run([ASSAY, "fabric", "counters", "--topology", "ibnetdiscover=list", "--before", f"before.{form}", "--after",
                               f"after.{form}", "--seconds", str(seconds), "--json"], cwd=self.folder, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_perfquery_names_both_cables_and_finds_the_others_sound(self):
        judged = self.judged("perfquery", 3600, 1)
        states = {one["ends"]: one for one in judged["cables"]}
        self.assertEqual(len(states), 8)
        faulty = {ends for ends, one in states.items() if one["state"] == "faulty"}
        self.assertEqual({re.match(r"(\w+) port (\d+)", ends).groups() for ends in faulty}, {("leaf1", "4"), ("leaf0", "3")})
        self.assertEqual({one["state"] for ends, one in states.items() if ends not in faulty}, {"sound"})
        self.assertEqual(judged["cables"][0]["link_downs"], 2)
        self.assertEqual(judged["cables"][1]["symbol_errors"], 5000)

    def test_a_short_dose_decides_nothing_of_cables_without_errors(self):
        judged = self.judged("perfquery", 1, 1)
        self.assertEqual(sum(one["state"] == "undecided" for one in judged["cables"]), 6)

    def test_ibqueryerrors_lists_bad_ports_alone_so_others_stay_unknown(self):
        if "SymbolErrorCounter == 5000" not in (self.folder / "after.ibqueryerrors").read_text():
            self.skipTest("ibqueryerrors lists nothing here")
        (self.folder / "before.ibqueryerrors").write_text((self.folder / "after.ibqueryerrors").read_text().replace("== 5000]", "== 1]"))
        judged = self.judged("ibqueryerrors", 3600, 1)
        worst = next(one for one in judged["cables"] if one["symbol_errors"] > 0)
        self.assertEqual((worst["state"], worst["symbol_errors"]), ("faulty", 4999))
        self.assertEqual(sum(one["state"] == "unknown" for one in judged["cables"]), 7)


LIBRARY = library(TOOLS)
if not ASSAY.exists():
    skip(f"{ASSAY} is not built")
unittest.main()
