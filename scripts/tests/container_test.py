#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The Containerfile: read and checked, and its steps run in a new root of its base system (mmdebstrap, as root, online).
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CONTAINERFILE = ROOT / "scripts/container/Containerfile"
KNOWN = {"ARG", "FROM", "RUN", "USER", "WORKDIR", "ENTRYPOINT", "CMD"}
MIRROR = "http://deb.debian.org/debian"


def steps():
    """(instruction, words) of each step, continued lines joined."""
    text = "\n".join(line for line in CONTAINERFILE.read_text().splitlines() if not line.startswith("#"))
    joined = re.sub(r"\\\n\s*", "", text)
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line]


def given(name):
    return next(words.split("=", 1)[1] for step, words in steps() if step == "ARG" and words.startswith(name + "="))


class Container(unittest.TestCase):
    def test_its_steps_are_known_and_in_order(self):
        names = [step for step, _ in steps()]
        self.assertLessEqual(set(names), KNOWN)
        self.assertEqual(names[:3], ["ARG", "FROM", "ARG"], "an argument before FROM is unknown after it")
        self.assertRegex(given("BASE"), r"^[a-z.]+/[a-z/]+:[\w.-]+$", "a registry, an image and a tag that is not 'latest'")
        self.assertNotIn(":latest", given("BASE"))

    def test_its_programs_do_not_run_as_root(self):
        (user,) = [words for step, words in steps() if step == "USER"]
        self.assertRegex(user, r"^[1-9]\d*:[1-9]\d*$", "a number, which Kubernetes' runAsNonRoot can judge")
        self.assertIn(f"-o {user.split(':')[0]} -g {user.split(':')[1]} /results", next(words for step, words in steps() if step == "RUN"))

    def test_programs_start_without_a_shell(self):
        for name, words in steps():
            if name in ("ENTRYPOINT", "CMD"):
                self.assertRegex(words, r'^\[".*"\]$', name)

    def test_packages_are_installed_and_their_lists_removed_in_one_step(self):
        runs = [words for step, words in steps() if step == "RUN"]
        self.assertEqual(len(runs), 1, "a layer keeps what a later one removes")
        for part in ("apt-get update &&", "--yes --no-install-recommends", "rm -rf /var/lib/apt/lists/*"):
            self.assertIn(part, runs[0])

    def test_its_steps_make_a_root_in_which_assay_runs(self):
        if os.geteuid() != 0 or not shutil.which("mmdebstrap") or not shutil.which("dpkg-deb"):
            self.skipTest("running its steps needs root and mmdebstrap (scripts/setup --for test)")
        with tempfile.TemporaryDirectory(prefix="assay-container-") as folder:
            root = pathlib.Path(folder) / "root"
            suite = "bookworm"  # debian:12
            made = subprocess.run(["mmdebstrap", "--quiet", "--variant=apt", suite, root, MIRROR], capture_output=True, text=True, check=False)
            if made.returncode != 0:
                self.skipTest(f"no {suite} from {MIRROR}: {made.stderr.splitlines()[-1] if made.stderr else 'mmdebstrap failed'}")
            subprocess.run(["cpack", "-G", "DEB", "--config", pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "CPackConfig.cmake", "-B", folder],
                           check=True, stdout=subprocess.DEVNULL)
            values = {"PACKAGE": next(pathlib.Path(folder).glob("assay_*.deb")).name}
            for step, words in steps():
                words = re.sub(r"\$\{(\w+)\}", lambda match: values.get(match[1], match[0]), words)
                if step == "RUN":
                    mount, words = words.split(" ", 1)
                    source, target = re.fullmatch(r"--mount=type=bind,source=(\S+),target=/(\S+)", mount).groups()
                    shutil.copy(pathlib.Path(folder) / source, root / target)
                    self.run_inside(root, "sh", "-c", words)
                    (root / target).unlink()
            said = self.run_inside(root, "/usr/bin/assay", "machine")
            self.assertIn("\nProcessor\n", said)
            self.assertIn("assay-rdma", self.run_inside(root, "/usr/bin/assay-rdma", "--help"), "with the image's own libibverbs")

    def run_inside(self, root, *command):
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        (root / "proc").mkdir(exist_ok=True)
        subprocess.run(["mount", "--bind", "/proc", root / "proc"], check=True)
        try:
            done = subprocess.run(["chroot", root, *command], capture_output=True, text=True, check=False,
                                  env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive"})
        finally:
            subprocess.run(["umount", root / "proc"], check=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout


unittest.main()
