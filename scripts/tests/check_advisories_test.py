#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# scripts/check-advisories on a made-up package and a made-up extract of the tracker.
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "check-advisories"
SBOM = {"packages": [{"name": "assay", "versionInfo": "1"},
                     {"name": "libssl3", "versionInfo": "3.0.19-1~deb12u2", "sourceInfo": "built from Debian's openssl"},
                     {"name": "zlib1g", "versionInfo": "1:1.2.13", "sourceInfo": "built from Debian's zlib"}]}


def advisory(status, fixed="", urgency="medium", release="bookworm"):
    return {"releases": {release: {"status": status, "fixed_version": fixed, "urgency": urgency}}}


class Advisories(unittest.TestCase):
    def said(self, tracker, sbom=SBOM):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "sbom.json").write_text(json.dumps(sbom))
            (folder / "tracker.json").write_text(tracker if isinstance(tracker, str) else json.dumps(tracker))
            done = subprocess.run([SCRIPT, folder / "sbom.json", "--tracker", folder / "tracker.json"], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def test_a_library_that_was_replaced_needs_a_new_package(self):
        status, said = self.said({"openssl": {"CVE-1": advisory("resolved", "3.0.19-1~deb12u3"), "CVE-2": advisory("resolved", "3.0.19-1~deb12u2"),
                                              "CVE-3": advisory("resolved", "0"), "CVE-4": advisory("resolved", "9", release="trixie")}})
        self.assertEqual(status, 1)
        self.assertEqual(said.splitlines()[0], "libssl3 3.0.19-1~deb12u2: CVE-1 is fixed in 3.0.19-1~deb12u3: build a new package")
        self.assertIn("2 libraries of Debian: 1 advisories need a new package, 0 have no fix yet", said)

    def test_what_is_open_is_named_and_what_is_unimportant_is_not(self):
        status, said = self.said({"zlib": {"CVE-5": advisory("open"), "CVE-6": advisory("open", urgency="unimportant")}})
        self.assertEqual((status, said.splitlines()[0]), (0, "zlib1g 1:1.2.13: CVE-5 is open in bookworm"))
        self.assertIn("0 advisories need a new package, 1 have no fix yet", said)

    def test_what_is_no_list_is_refused(self):
        self.assertEqual(self.said({}, {"packages": []})[0], 2)
        status, said = self.said("no JSON")
        self.assertEqual((status, "expected JSON" in said, said.count("\n")), (2, True, 1))


if not shutil.which("dpkg"):
    print("skipped: no dpkg here to compare versions with")
    sys.exit(77)
unittest.main()
