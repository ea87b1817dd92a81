#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# scripts/slurm/node-check with a made-up `assay` and `scontrol`: whom it drains, and settings that are wrong.
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent / "slurm"
SCONTROL = """#!/bin/sh
case $1 in
  show) printf 'NodeName=n1 Arch=x86_64\\n   State=%s ThreadsPerCore=1\\n' "$STATE"; seq 20000 ;;
  *) echo "$*" >>"$ASSAY_STATE/asked" ;;
esac
"""


class NodeCheck(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = pathlib.Path(made.name)
        self.log = self.folder / "log"
        self.program("scontrol", SCONTROL)
        self.program("assay", "#!/bin/sh\necho 'FAIL: gpu.sram on GPU 3'\nexit 1\n")

    def program(self, name, text):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def check(self, role="health", **variables):
        self.log.unlink(missing_ok=True)
        (self.folder / "asked").unlink(missing_ok=True)
        done = subprocess.run([SCRIPTS / "node-check", role], capture_output=True, text=True, timeout=60, check=False, env={
            **os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}", "STATE": "IDLE", "ASSAY": str(self.folder / "assay"),
            "ASSAY_STATE": str(self.folder), "ASSAY_LOG": str(self.log), "ASSAY_NODE": "n1",
            "ASSAY_NODE_CHECK_CONF": str(self.folder / "conf"), **variables})
        self.assertEqual(done.stderr, "")
        asked = self.folder / "asked"
        return done.returncode, asked.read_text() if asked.exists() else "", self.log.read_text() if self.log.exists() else ""

    def test_a_failure_drains(self):
        status, asked, _ = self.check()
        self.assertEqual((status, asked), (0, f"update nodename=n1 state=drain reason=assay: FAIL: gpu.sram on GPU 3 "
                                              f"(see {self.folder}/check.json)\n"))
        self.assertEqual(self.check("prolog")[0], 1)

    def test_a_node_that_drains_keeps_its_reason_whatever_flags_its_state_has(self):
        for state in ("IDLE+DRAIN", "DOWN*+DRAIN", "ALLOCATED*+DRAIN", "IDLE#+DRAIN+RESERVED", "MIXED+CLOUD+DRAIN"):
            status, asked, log = self.check(STATE=state)
            self.assertEqual((status, asked), (0, ""), state)
            self.assertIn("is drained already", log)
        for state in ("IDLE", "DOWN*", "ALLOCATED+CLOUD"):
            self.assertNotEqual(self.check(STATE=state)[1], "", state)

    def test_settings_that_another_may_write_are_not_run(self):
        conf = self.folder / "conf"
        conf.write_text(f"touch {self.folder}/ran\n")
        for mode, runs in ((0o666, False), (0o620, False), (0o644, True)):
            conf.chmod(mode)
            log = self.check()[2]
            self.assertEqual((self.folder / "ran").exists(), runs, oct(mode))
            self.assertEqual("expected a file of root" in log, not runs, log)
        if os.geteuid() == 0:
            (self.folder / "ran").unlink()
            os.chown(conf, 65534, 65534)
            self.assertIn("expected a file of root", self.check()[2])
            self.assertFalse((self.folder / "ran").exists())

    def test_a_wrong_deadline_is_a_line_of_the_log_and_45_s(self):
        self.program("assay", "#!/bin/sh\necho 'PASS: all'\n")
        for value in ("abc", "30.5", "0", "-1", "1+1"):
            status, asked, log = self.check("prolog", ASSAY_DEADLINE_S=value)
            self.assertEqual((status, asked), (0, ""), value)
            self.assertIn(f"ASSAY_DEADLINE_S: expected whole seconds, got '{value}': 45 is used", log)

    def test_settings_that_are_no_shell_are_a_line_of_the_log(self):
        (self.folder / "conf").write_text('ASSAY_CHECK_ARGS="--expect x\n')
        status, asked, log = self.check()
        self.assertEqual(status, 0)
        self.assertIn("unexpected EOF", log)
        self.assertIn("not used", log)
        self.assertIn("drain", asked)
        (self.folder / "conf").write_text(f'ASSAY="{self.folder}/none"\n')
        self.assertIn(f"failed to execute {self.folder}/none", self.check()[2])  # a sound file is used


unittest.main()
