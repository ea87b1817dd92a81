#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Every build knows every case: one without every optional component lists and plans what this one does, measures what it has,
# says in one line each what it lacks, and still refuses a misspelt name. It is built below build/none, with the settings of dev, so that the
# compiler cache has what both builds share; without one, not optimised, which takes longer than all that is measured here.
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from bare_settings import BARE, OPTIONS, ROOT, WITHOUT

FULL = pathlib.Path(os.environ.get("ASSAY_BUILD_DIR", "build/dev")).resolve() / "bin"
BUILD = ROOT / ("build/none" if WITHOUT == OPTIONS else "build/without")
MODULES = ("memory", "gemm", "offload", "rdma", "collectives")
COMPONENTS = {"ASSAY_WITH_BLAS": "BLAS", "ASSAY_WITH_CUDA": "CUDA", "ASSAY_WITH_VERBS": "libibverbs", "ASSAY_WITH_URING": "liburing",
              "ASSAY_WITH_ONEDNN": "oneDNN"}
IN_QUICK = [component for option, component in COMPONENTS.items() if option in WITHOUT]
LEFT_OUT = re.compile(r"(?m)^built without (.+): (\d+) points? left out$")
# The list of a full build on a machine without GPU: `gpu` has every visible one by default.
ENVIRONMENT = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}


def run(*command, status=0):
    done = subprocess.run([str(word) for word in command], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode != status:
        raise AssertionError(f"{command}: exit status {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return done.stdout + done.stderr


def setUpModule():
    begun = time.monotonic()
    dev = run("cmake", "-D", "PRESET=dev", "-P", ROOT / "harness/cmake/preset_settings.cmake").splitlines()
    plain = [] if shutil.which("ccache") else ["-DCMAKE_CXX_FLAGS_DEBUG=-O0"]
    run("cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", *dev, *plain, *BARE)
    run("cmake", "--build", BUILD, "--target", "assay", *(f"assay-{module}" for module in MODULES))
    print(f"the bare build took {time.monotonic() - begun:.0f} s", flush=True)


def answers(module, *words):
    """What the full and the bare program of a module print."""
    return [run(programs / f"assay-{module}", *words) for programs in (FULL, BUILD / "bin")]


class BareBuild(unittest.TestCase):
    def test_modules_list_the_same_cases_and_axes(self):
        for module in MODULES:
            full, bare = (json.loads(text) for text in answers(module, "--list=json"))
            for case in full + bare:
                del case["not_built"]
            with self.subTest(module=module):
                self.maxDiff = None
                self.assertEqual(bare, full)

    def test_plans_have_the_same_points(self):
        plans = [line.split()[0] for line in run(BUILD / "bin/assay", "list", "--plans").splitlines()]
        self.assertIn("quick", plans)
        for plan in plans:
            for module in MODULES:
                full, bare = (json.loads(text) for text in answers(module, "--count", "--plan", plan))
                with self.subTest(plan=plan, module=module):
                    self.assertEqual((bare["planned"], bare["axes"]), (full["planned"], full["axes"]))

    def test_a_quick_run_measures_the_rest_and_counts_what_is_absent(self):
        with tempfile.TemporaryDirectory() as folder:
            said = run(BUILD / "bin/assay", "run", "--plan", "quick", "--out", folder, "--run-id", "bare")
            records = [json.loads(line) for line in (pathlib.Path(folder) / "bare/journal.jsonl").read_text().splitlines()]
            report = (pathlib.Path(folder) / "bare/report.html").read_text()
        announced = dict(LEFT_OUT.findall(said))
        self.assertEqual(sorted(announced), sorted(IN_QUICK))
        self.assertEqual(len(LEFT_OUT.findall(said)), len(IN_QUICK), "one line each")
        recorded = [record["reason"] for record in records if record.get("status") == "unsupported"]
        for component, points in announced.items():
            self.assertEqual(recorded.count(f"built without {component}"), int(points))
            self.assertIn(f"{points} left out (built without {component})", report)
        self.assertGreater(sum(record.get("status") == "ok" for record in records), 20)

    def test_a_misspelt_name_is_refused_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            plan = pathlib.Path(folder) / "plan.toml"
            plan.write_text("[[sweep]]\ncases = ['gemm.cuda.corruption', 'gemm.cuda.coruption']\n")
            said = run(BUILD / "bin/assay", "run", "--plan", plan, "--out", folder, status=2)
        self.assertIn("plan.toml:1: no case is named 'gemm.cuda.coruption' (there are: ", said)


if __name__ == "__main__":
    missing = [tool for tool in ("cmake", "ninja") if not shutil.which(tool)]
    missing += [str(FULL / name) for name in ("assay", *(f"assay-{module}" for module in MODULES)) if not (FULL / name).is_file()]
    if missing:
        print(f"skipped: {' '.join(missing)}: missing")
        sys.exit(77)
    unittest.main()
