#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The pages against the program (links, words, commands, sessions, idioms), and planted mistakes that must be found.
import os
import pathlib
import subprocess
import sys
import unittest

from planted_tree import PlantedTree, SCRIPTS

PROGRAMS = pathlib.Path(os.environ.get("ASSAY_BIN_DIR", "build/dev/bin"))
PROGRAM = '''#!/bin/sh
case "$*" in *--help) echo "Options: --filter GLOB" ;; *) echo "read: 20.7 GB/s [18.3, 22.4] of 2 threads" ;; esac
'''


class Pages(unittest.TestCase):
    def findings_of(self, check, *arguments):
        done = subprocess.run([sys.executable, "-B", str(SCRIPTS / check), *arguments], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_links_words_commands_and_sessions_are_right(self):
        if not (PROGRAMS / "assay").is_file():
            self.skipTest(f"no {PROGRAMS}/assay was built")
        self.findings_of("check-documentation", "--programs", str(PROGRAMS))

    def test_no_idiom_is_left(self):
        self.findings_of("check-idioms")


class CheckDocumentation(PlantedTree):
    check = "check-documentation"

    def setUp(self):
        super().setUp()
        self.plant("docs/index.md", "# Index\n\n## By question?\n\n[guide](guide/plans.md)\n")
        self.plant("programs/assay", PROGRAM)
        (self.root / "programs/assay").chmod(0o755)

    def findings(self, *arguments):
        command = [sys.executable, "-B", str(SCRIPTS / self.check), "--root", str(self.root), "--programs",
                   str(self.root / "programs"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1 if done.stderr else 0, done.stderr)
        return done.stderr.splitlines()

    def plant_page(self, text):
        self.plant("docs/guide/plans.md", text)

    def test_a_right_page_passes(self):
        self.plant_page("# Plans\n\n[there](../index.md#by-question) and [here](#plans)\n\n```sh\nassay run --filter x\n```\n")
        self.assertEqual(self.findings(), [])

    def test_a_broken_link_is_found(self):
        self.plant_page("\n[gone](nowhere.md) [and\ngone](too.md)\n")
        self.assertEqual(self.findings(), ["docs/guide/plans.md:2: the link nowhere.md leads to no file",
                                           "docs/guide/plans.md:2: the link too.md leads to no file"])

    def test_an_anchor_without_a_heading_is_found(self):
        self.plant_page("# Plans\n\n[gone](../index.md#by-reader)\n")
        self.assertEqual(self.findings(), ["docs/guide/plans.md:3: the link ../index.md#by-reader leads to no heading"])

    def test_a_heading_in_a_code_block_is_no_anchor(self):
        self.plant_page("[gone](#a-comment)\n\n```sh\n# a comment\n```\n")
        self.assertEqual(self.findings(), ["docs/guide/plans.md:1: the link #a-comment leads to no heading"])

    def test_a_page_that_nothing_leads_to_is_found(self):
        self.plant_page("")
        self.plant("docs/guide/lost.md", "")
        self.assertEqual(self.findings(), ["docs/guide/lost.md:1: no link leads here from docs/index.md"])

    def test_a_source_that_names_a_page_that_is_gone_is_found(self):
        self.plant_page("")
        self.plant("memory/a.cpp", "// see docs/guide/plans.md\n// see docs/old.md\n")
        self.assertEqual(self.findings(), ["memory/a.cpp:2: there is no docs/old.md"])

    def test_too_many_words_are_found_and_the_bars_of_tables_are_none(self):
        self.plant_page("| one | two |\n|---|---|\n")
        self.assertEqual(self.findings("--most-words", "6"), [])
        self.assertIn("6 words in all pages, expected at most 5", self.findings("--most-words", "5")[0])

    def test_a_long_changelog_is_found(self):
        self.plant_page("")
        self.plant("CHANGELOG.md", "word " * 601)
        self.assertEqual(self.findings(), ["CHANGELOG.md:1: 601 words, expected at most 600"])

    def test_a_flag_that_no_program_has_is_found(self):
        self.plant_page("```sh\nsrun assay run \\\n  --filtre x && true # --not-looked-at\n```\n")
        self.assertEqual(self.findings(), ["docs/guide/plans.md:2: assay has no flag --filtre"])

    def test_a_flag_in_a_console_is_found(self):
        self.plant_page("```console\n$ assay run --filtre x\nassay said --nothing\n```\n")
        self.assertEqual(self.findings(), ["docs/guide/plans.md:2: assay has no flag --filtre"])

    def test_a_session_with_other_numbers_passes(self):
        self.plant_page("```sh\nassay run\n```\n\n```text\n...\nread: 3 GB/s [1, 4] of ...\n```\n")
        self.assertEqual(self.findings(), [])

    def test_an_interval_may_be_written_in_both_ways(self):
        self.plant_page("```sh\nassay run\n```\n```text\nread: 20.7 ± 2.5 GB/s of 8 threads\n```\n")
        self.assertNotEqual(self.findings(), [])
        self.plant_page("```sh\nassay run | sed 's/ GB.s//'\n```\n```text\nread: 20.7 ± 2.5 of 8 threads\n```\n")
        self.assertEqual(self.findings(), [])

    def test_the_rule_below_a_heading_may_be_of_another_width(self):
        self.plant_page("```sh\nprintf 'time  n\\n----  -\\n'\n```\n```text\ntime   n\n-----  --\n```\n")
        self.assertEqual(self.findings(), [])

    def test_results_of_another_machine_are_not_repeated(self):
        self.plant_page("[there](../evidence/peers.md)\n")
        self.plant("docs/evidence/peers.md", "```sh\nassay run\n```\n\n```text\nwrite: 1 GB/s\n```\n")
        self.assertEqual(self.findings(), [])

    def test_an_output_that_the_program_does_not_give_is_found(self):
        for shown in ("write: 20.7 GB/s [18.3, 22.4] of 2 threads", "read: 20.7 GB/s", ""):
            self.plant_page(f"```sh\nassay run\n```\n\n```text\n{shown}\n```\n")
            self.assertIn("docs/guide/plans.md:5: the commands above say otherwise:", self.findings(), shown)


unittest.main()
