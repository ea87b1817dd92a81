#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A canary in each variable that assay or its launchers read, and in some that others use for secrets; then no file that a
# command writes, and nothing that it prints, holds the canary of a secret.
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "bin"
CANARY = "CANARYCANARY"
PLAN = """\
name = "canary"
[measure]
max_seconds = 0.02
max_warmup_seconds = 0.01
min_samples = 3
[[sweep]]
cases = ["memory.host.copy"]
axes = { bytes = "64KiB", threads = 1 }
[[sweep]]
cases = ["collectives.assay.barrier"]
"""
SECRETS = ("ASSAY_TEAM_KEY", "ASSAY_API_TOKEN", "NCCL_AUTH_TOKEN", "UCX_SECRET", "OMPI_MCA_db_password", "OMP_KEY", "SLURM_JWT",
           "CUDA_LICENSE_KEY", "NVIDIA_API_KEY", "AWS_SECRET_ACCESS_KEY", "HF_TOKEN", "MKL_PASSPHRASE", "LD_LIBRARY_PATH_TOKEN")


def variables_read():
    """Names in the sources that look like variables of assay's and of launchers."""
    names = set()
    for folder in ("harness", "collectives", "rdma", "offload", "gemm", "memory", "results", "model"):
        for path in (SOURCE / folder).rglob("*.[ch]pp"):
            if "tests" not in path.parts:
                names |= set(re.findall(r'"((?:ASSAY|SLURM|OMPI|PMI|PMIX|NCCL|UCX)_[A-Z0-9_]+)"', path.read_text()))
    return names


class Secrets(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        made = tempfile.TemporaryDirectory(prefix="assay-canary-")
        cls.addClassCleanup(made.cleanup)
        cls.folder = pathlib.Path(made.name)
        (cls.folder / "plan.toml").write_text(PLAN)
        secret = {name: f"{CANARY}-{name}" for name in SECRETS}
        cls.environment = {**os.environ, **secret, "OMP_NUM_THREADS": "1"}

    def assay(self, *words, codes=(0,)):
        done = subprocess.run([BIN / "assay", *words], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)
        self.assertIn(done.returncode, codes, done.stdout + done.stderr)
        self.assertNotIn(CANARY, done.stdout + done.stderr, words)
        return done.stdout

    def test_no_file_and_no_output_holds_one(self):
        self.assay("run", "--plan", "plan.toml", "--run-id", "k", "--ranks", "2")
        self.assay("show", "runs")
        self.assay("show", "card")
        self.assay("report", "-o", "report.html")
        self.assay("import", "assay-results/k/journal.jsonl", "--store", "other.sqlite")
        self.assay("bundle", "-o", "bundle.tar", codes=(0, 1, 3))
        self.assay("machine", "--format", "json", "-o", "machine.json")
        self.assay("check", "--window", "0", "--verdicts", "check.json", "--metrics", "assay.prom", codes=(0, 1, 3))
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        self.assertGreater(len(files), 8)
        self.assertEqual([path.name for path in files if CANARY.encode() in path.read_bytes()], [])

    def test_every_variable_that_is_recorded_is_none_of_a_secret(self):
        recorded = set(re.findall(r'"([A-Z0-9_a-z]+)"', (SOURCE / "harness/run/journal/recorded_variables.cpp").read_text().split("variables[] = {")[1]))
        self.assertGreater(len(recorded), 200)
        secret = re.compile(r"(^|_)(KEY|TOKEN|SECRET|PASS|PASSWORD|PASSWD|JWT|CREDENTIALS?)(_|$)", re.I)
        self.assertEqual({name for name in recorded if secret.search(name)}, set())
        self.assertEqual({name for name in variables_read() & recorded if "KEY" in name.split("_")}, set())


unittest.main()
