#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# scripts/compare-first-paint with a browser that only says when it painted.
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "compare-first-paint"


class FirstPaint(unittest.TestCase):
    def setUp(self):
        self.made = tempfile.TemporaryDirectory()
        self.addCleanup(self.made.cleanup)
        self.folder = pathlib.Path(self.made.name)
        (self.folder / "report.html").write_text("<html><body>a report</body></html>")

    def browser(self, report_says):
        program = self.folder / "chromium"
        program.write_text(f"""#!/bin/sh
for page; do :; done
case "$page" in
  */report.html) grep -q PAINT "${{page#file://}}" && echo '{report_says}' >&2 ;;
  *) echo 'PAINT first-paint 40' >&2; echo 'PAINT first-contentful-paint 50.0' >&2 ;;
esac
""")
        program.chmod(0o755)

    def run_script(self, file="report.html", rounds="3"):
        path = os.pathsep.join([str(self.folder), os.environ["PATH"]])
        return subprocess.run([SCRIPT, self.folder / file, "--rounds", rounds], capture_output=True, text=True,
                              env={**os.environ, "PATH": path}, check=False)

    def test_the_difference_of_the_pages_is_printed(self):
        self.browser("PAINT first-contentful-paint 250.5")
        done = self.run_script()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| report | 34 | 250 | 250 to 250 |", done.stdout)
        self.assertIn("200 ms after the empty page's", done.stdout)

    def test_a_slow_page_fails(self):
        self.browser("PAINT first-contentful-paint 1200")
        self.assertEqual(self.run_script().returncode, 1)

    def test_a_browser_that_reports_no_paint_is_named(self):
        self.browser("no display")
        done = self.run_script()
        self.assertEqual(done.returncode, 3)
        self.assertIn("reported no paint of report.html: no display", done.stderr)

    def test_a_file_that_is_no_page_is_refused(self):
        self.browser("")
        (self.folder / "text").write_text("no page")
        (self.folder / "bytes").write_bytes(b"\xff\xfe")
        for file, words in (("text", "expected an HTML page"), ("missing", "No such file"), ("bytes", "expected UTF-8")):
            done = self.run_script(file)
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)

    def test_no_round_is_refused(self):
        self.browser("")
        self.assertEqual(self.run_script(rounds="0").returncode, 2)


if __name__ == "__main__":
    unittest.main()
