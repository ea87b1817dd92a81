#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The MPIJob manifest: what of it can be held against itself and against `assay campaign`. No Kubernetes here.
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
ASSAY = pathlib.Path(os.environ.get("ASSAY_BIN_DIR", SOURCE / "build" / "bin")) / "assay"


class Manifest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        (cls.job,) = yaml.safe_load_all((SOURCE / "scripts" / "kubernetes" / "assay-mpijob.yaml").read_text())
        cls.replicas = cls.job["spec"]["mpiReplicaSpecs"]

    def pod(self, role):
        return self.replicas[role]["template"]["spec"]

    def container(self, role):
        (one,) = self.pod(role)["containers"]
        return one

    def flags(self):
        """Of the launcher: name to value."""
        command, campaign, *flags = self.container("Launcher")["args"]
        self.assertEqual((command, campaign), ("campaign", "acceptance"))
        return dict(re.fullmatch("--([a-z-]+)=(.*)", flag).groups() for flag in flags)

    def test_is_a_job_of_the_operators_second_version(self):
        self.assertEqual((self.job["apiVersion"], self.job["kind"]), ("kubeflow.org/v2beta1", "MPIJob"))
        self.assertEqual(set(self.replicas), {"Launcher", "Worker"})
        self.assertEqual(self.replicas["Launcher"]["replicas"], 1)
        self.assertEqual(self.pod("Launcher")["restartPolicy"], "Never")

    def test_a_worker_is_a_node_with_a_slot_for_each_gpu(self):
        self.assertEqual(self.container("Worker")["resources"]["limits"]["nvidia.com/gpu"], self.job["spec"]["slotsPerWorker"])
        self.assertEqual(self.flags()["hostfile"], "/etc/mpi/hostfile")

    def test_one_image_for_all(self):
        self.assertEqual(self.container("Launcher")["image"], self.container("Worker")["image"])

    def test_the_launcher_and_the_workers_see_the_same_results(self):
        def claims(role):
            return {one["name"]: one["persistentVolumeClaim"]["claimName"] for one in self.pod(role)["volumes"]
                    if "persistentVolumeClaim" in one}
        self.assertEqual(claims("Launcher"), claims("Worker"))
        for role in ("Launcher", "Worker"):
            mounts = {one["name"]: one["mountPath"] for one in self.container(role)["volumeMounts"]}
            self.assertEqual(mounts["results"], self.flags()["out"])
            self.assertLessEqual(set(mounts), {one["name"] for one in self.pod(role)["volumes"]})

    def test_its_flags_are_taken(self):
        self.assertEqual(self.container("Launcher")["command"], ["assay"])
        self.assertEqual(self.flags()["launcher"], "mpirun")
        if not ASSAY.exists():
            self.skipTest(f"{ASSAY} is not built")
        said = subprocess.run([ASSAY, "campaign", "--help"], capture_output=True, text=True, check=True).stdout
        self.assertLessEqual(set(self.flags()), set(re.findall("--([a-z-]+)", said)))

    def test_the_campaign_starts_with_the_hostfile_that_the_operator_writes(self):
        if not ASSAY.exists() or not shutil.which("mpirun"):
            self.skipTest(f"{ASSAY} or mpirun is not here")
        workers = [f"assay-worker-{number}.assay.default.svc" for number in range(self.replicas["Worker"]["replicas"])]
        with tempfile.TemporaryDirectory() as name:
            hosts = pathlib.Path(name) / "hostfile"
            hosts.write_text("".join(f"{worker} slots={self.job['spec']['slotsPerWorker']}\n" for worker in workers))
            words = [word.replace("/etc/mpi/hostfile", str(hosts)).replace("/results", name)
                     for word in self.container("Launcher")["args"]]
            said = subprocess.run([ASSAY, *words, "--dry-run"], capture_output=True, text=True, check=False)
        self.assertEqual(said.returncode, 0, said.stderr)
        self.assertIn(f"\nnodes: {' '.join(workers)}\n", said.stdout)


try:
    import yaml
except ImportError:
    print("skipped: python3-yaml is not installed (scripts/setup --for cluster)")
    sys.exit(77)
unittest.main()
