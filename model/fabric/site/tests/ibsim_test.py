#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay fabric read on what ibnetdiscover says of a fabric that ibsim simulates: two leaves, a spine, parallel uplinks,
# adapters of two ports, a manager on the spine, names of any letters, rates from SDR to HDR.
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import tomllib
import unittest

from simulated_subnet import Simulated, library, skip

ASSAY = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "bin" / "assay"
TOOLS = {"ibsim": "ibsim-utils", "ibnetdiscover": "infiniband-diags"}
HDR, EDR, SDR, HALF = "s=1 w=2 e=4", "s=1 w=2 e=2", "s=1 w=2", "s=1 w=16 e=4"
CABLES = [("n0", 1, "leaf00", 1, HDR), ("n0", 2, "leaf01", 1, HDR),
          ("n1", 1, "leaf00", 2, HDR), ("n1", 2, "leaf01", 2, HDR),
          ("n2a", 1, "leaf00", 3, HALF), ("n2b", 1, "leaf01", 3, SDR),
          ("leaf00", 5, "spine00", 1, EDR), ("leaf00", 6, "spine00", 2, EDR),
          ("leaf01", 5, "spine00", 3, EDR), ("leaf01", 6, "spine00", 4, EDR),
          ("mgr", 1, "spine00", 7, HDR)]
ADAPTERS = {"n0": "node 01 (rack 3) mlx5_0", "n1": "node02,x mlx5_0", "n2a": "node03[1]", "n2b": "node03[1]",
            "mgr": "ufm 'a' mlx5_0"}
OF_NODES = ("--ports", "node*")


def net(cables):
    """A net file of ibsim: adapters, then switches, each with the ports that have a cable."""
    ports = {}
    for one, port, other, other_port, rate in cables:
        ports.setdefault(one, []).append(f'[{port}] "{other}"[{other_port}] {rate}\n')
        ports.setdefault(other, []).append(f'[{other_port}] "{one}"[{port}] {rate}\n')
    blocks = [f'Hca 2 "{name}" # "{ADAPTERS[name]}"\n' if name in ADAPTERS else f'Switch 8 "{name}" # "{name}"\n'
              for name in sorted(ports, key=lambda one: (one not in ADAPTERS, one))]
    return "\n".join(block + "".join(ports[block.split('"')[1]]) for block in blocks)


class Sites(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.folder = pathlib.Path(folder)
        cls.simulated = Simulated(cls.folder, f"assay-{os.getpid()}", LIBRARY)
        cls.enterClassContext(cls.simulated.running(net(CABLES)))
        if shutil.which("opensm"):
            cls.simulated.tool("opensm", "-o", "-f", str(cls.folder / "opensm.log"))

    def assay(self, *words, status=0):
        done = subprocess.run([ASSAY, *words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done

    def read(self, text, *flags):
        """The fabric file of a list, and what was said of it."""
        (self.folder / "list").write_text(text)
        done = self.assay("fabric", "read", "--topology", "ibnetdiscover=list", "-o", "site.toml", *flags)
        return tomllib.loads((self.folder / "site.toml").read_text()), done

    def test_both_forms_of_the_list_are_one_fabric(self):
        plain, said = self.read(self.simulated.listed(), *OF_NODES)
        self.assertEqual(said.stdout, "site.toml: 3 hosts with 6 ports, 3 switches\n")
        self.assertIn("left out 1 port that --ports does not choose (ufm 'a' mlx5_0/1)", said.stderr)
        self.assertEqual(re.findall("assumed: (.*), where", said.stderr), ["paths by hashing (routing ecmp)"])
        full, _ = self.read(self.simulated.listed("--full"), *OF_NODES)
        self.assertEqual(plain, full)
        self.assertEqual(full["nodes"], 'node 01 (rack 3),"node02,x","node03[1]"')
        self.assertEqual(full["host"], {"gpus": 2})
        self.assertEqual(sorted(full["links"]),
                         sorted([f"host{n}>leaf{n % 2}" for n in range(6)] + ["leaf0>spine0", "leaf1>spine0"] * 2))

    def test_a_manager_on_the_spine_is_a_host(self):
        site, said = self.read(self.simulated.listed())
        self.assertEqual(said.stdout, "site.toml: 4 hosts with 7 ports, 3 switches\n")
        self.assertIn("host6>spine0", site["links"])
        self.assertTrue(site["nodes"].startswith("node 01 (rack 3) rail0,node 01 (rack 3) rail1,"), site["nodes"])
        self.assertTrue(site["nodes"].endswith(",ufm 'a'"), site["nodes"])
        self.assertIn("7 GPUs", self.assay("fabric", "describe", "site.toml").stdout)

    def test_rates_are_those_of_the_cables(self):
        site, _ = self.read(self.simulated.listed("--full"), *OF_NODES)
        self.assertEqual((site["link"], site["tier"]), ({"gbit_per_s": 200}, {"spine": {"gbit_per_s": 100}}))
        slower = {one["link"]: one["factor"] for one in site["degraded"] if one["link"].startswith("host")}
        self.assertEqual(slower, {"host4>leaf0": 0.5, "host5>leaf1": 0.04})

    def test_the_file_is_read_by_other_commands(self):
        self.read(self.simulated.listed("--full"), *OF_NODES)
        self.assertIn("6 GPUs", self.assay("fabric", "describe", "site.toml").stdout)

    def test_names_of_hosts_are_the_same_by_every_way(self):
        self.read(self.simulated.listed(), *OF_NODES)
        (self.folder / "pairs.csv").write_text(
            "from,to,gb_per_s\nnode 01 (rack 3) rail0,node03[1] rail1,0.9\nnode03[1] rail0,node 01 (rack 3) rail1,12\n")
        for way in ((), ("--topology", "ibnetdiscover=list", *OF_NODES)):
            self.assay("fabric", "locate", "site.toml", "--pairs", "pairs.csv", *way, status=3)


LIBRARY = library(TOOLS)
if not ASSAY.exists():
    skip(f"{ASSAY} is not built")
unittest.main()
