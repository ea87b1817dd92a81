#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# engines_of_nets.py ASSAY [NET...]: the table of docs/evidence/data/ib-engines.txt, by `assay fabric routes --try` on nets that opensm has
# routed on ibsim.
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "site" / "tests"))
from opensm_nets import net_text, three_levels, two_levels  # noqa: E402
from simulated_subnet import Simulated, library  # noqa: E402

ENGINES = "minhop,updn,ftree,dfsssp,lash,dor"


NETS = {
    "8 leaves, 8 spines": two_levels(8, 8, 8),
    "the same, one cable lost": two_levels(8, 8, 8, lost={(3, 5, 0)}),
    "the same, 48 of 64 hosts": two_levels(8, 8, 8, missing=set(range(3, 64, 4))),
    "8 leaves, 4 spines, 2 cables each": two_levels(8, 4, 8, parallel=2),
    "2:1, 4 leaves, 8 spines": two_levels(4, 8, 16),
    "2 rails, 8 leaves, 8 spines": two_levels(8, 8, 8, adapters=2),
    "three levels, 1:1": three_levels(pods=4, width=4),
}


def rows(assay, folder, name, cables):
    simulated = Simulated(folder, f"assay-table-{os.getpid()}", library({"ibsim": "ibsim-utils", "opensm": "opensm"}))
    with simulated.running(net_text(cables, name)):
        simulated.tool("opensm", "-o", "-D", "0x43", "-f", str(folder / "log"))
        (folder / "list").write_text(simulated.listed())
    site = folder / "site.toml"
    subprocess.run([assay, "fabric", "read", "--topology", f"ibnetdiscover={folder / 'list'}", "--routes", folder / "opensm-lfts.dump",
                    "-o", site], check=True, stdout=subprocess.DEVNULL)
    done = subprocess.run([assay, "fabric", "routes", site, "--format", "json", "--permutations", "100", "--try", ENGINES],
                          capture_output=True, text=True, check=False)
    for one in json.loads(done.stdout)["engines"][1:]:
        used = one.get("used", "")
        asked = one["engine"] if used == one["engine"] else f"{one['engine']} (used: {used or 'none'})"
        if "failure" in one:
            yield f"{name} | {asked} | {one['failure']}"
            continue
        yield (f"{name} | {asked} | {one['shifts']['free']} of {one['shifts']['of']} | {one['shifts']['worst']} | "
               f"{one['permutations']['median']}, {one['permutations']['worst']} | {one['all_to_all']['busiest']} | "
               f"{one['all_to_all']['times']:.2f} | {one['lost_cable']['all_to_all_times']:.2f}")


def main():
    print("net | engine | shifts free | worst | 100 permutations: median, worst | all-to-all: paths | times | after the worst lost cable")
    for name in sys.argv[2:] or NETS:
        with tempfile.TemporaryDirectory() as folder:
            for row in rows(sys.argv[1], pathlib.Path(folder), name, NETS[name]):
                print(row, flush=True)


main()
