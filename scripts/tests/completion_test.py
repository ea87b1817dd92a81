#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What bash, zsh and fish offer for a half-typed assay command, with a program of known help on the path.
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

COMPLETIONS = pathlib.Path(__file__).resolve().parent.parent / "completions"
PROGRAM = r"""#!/usr/bin/env bash
case "$*" in
  --help) printf 'Usage: assay [OPTIONS] SUBCOMMAND\n\nOptions:\n  -h,--help  Print this help\n\nSubcommands:\n' &&
    printf '  machine    what am I on\n  run        measure\n  report     the HTML report\n\nMore text:\n  quiet\n' ;;
  'run --help') printf 'Options:\n  -h,--help    Print this help\n  --plan TEXT  a file, or one of: full quick (default: quick)\n' &&
    printf '  --filter GLOB\n  --resume     go on\n  --the_1st N  odd\n' ;;
  'fabric --help') printf 'Usage: fabric [OPTIONS] SUBCOMMAND\n\nSubcommands:\n  expect     less\n  simulate   more\n' ;;
  'fabric simulate --help') printf 'Options:\n  --seeds N    of them\n' ;;
  'machine --help') printf '  --format TEXT:{text,json,svg}  how to print\n' ;;
  'show --help') printf 'Positionals:\n  table TABLE:{card,runs}=card  which\n\nOptions:\n  --format TEXT:{csv}\n' ;;
  'list --format names') printf 'memory.host.copy\nmemory.host.read\ngemm.host.matmul\n' ;;
  *) exit 2 ;;
esac
"""
BASH = r"""
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_assay
printf '%s\n' "${COMPREPLY[@]}"
"""


class Completion(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "assay").write_text(PROGRAM)
        (self.folder / "assay").chmod(0o755)
        (self.folder / "rack.toml").touch()
        (self.folder / "notes.txt").touch()
        self.environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}

    def lines_of(self, *command):
        done = subprocess.run(command, env=self.environment, cwd=self.folder, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def bash(self, *words):
        return self.lines_of("bash", "-c", BASH, "bash", str(COMPLETIONS / "assay.bash"), "assay", *words)

    def test_subcommands(self):
        self.assertEqual(self.bash(""), ["machine", "run", "report"])
        self.assertEqual(self.bash("r"), ["run", "report"])

    def test_flags_of_the_program_and_of_a_subcommand(self):
        self.assertEqual(self.bash("--"), ["--help"])
        self.assertEqual(self.bash("run", "--"), ["--filter", "--help", "--plan", "--resume", "--the_1st"])
        self.assertEqual(self.bash("run", "--resume", "--pl"), ["--plan"])

    def test_plans_are_the_built_in_ones_and_toml_files(self):
        self.assertEqual(self.bash("run", "--plan", ""), ["full", "quick", "rack.toml"])
        self.assertEqual(self.bash("run", "--plan", "ra"), ["rack.toml"])

    def test_subcommands_of_subcommands_and_their_flags(self):
        self.assertEqual(self.bash("fabric", ""), ["expect", "simulate"])
        self.assertEqual(self.bash("fabric", "simulate", "--"), ["--seeds"])

    def test_case_names_come_from_the_program(self):
        self.assertEqual(self.bash("run", "--filter", "memory.host.r"), ["memory.host.read"])

    def test_words_that_the_help_lists_are_offered(self):
        self.assertEqual(self.bash("machine", "--format", ""), ["text", "json", "svg"])

    def test_words_of_a_positional_are_offered(self):
        self.assertEqual(self.bash("show", ""), ["card", "runs"])
        self.assertEqual(self.bash("show", "--format", ""), ["csv"])

    def test_files_are_offered_where_a_subcommand_takes_files(self):
        self.assertEqual(self.bash("run", "no"), ["notes.txt"])

    def test_a_broken_program_offers_nothing(self):
        self.assertEqual(self.bash("walk", "--"), [])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_fish_offers_the_same(self):
        self.environment["HOME"] = str(self.folder)
        script = f"source {COMPLETIONS / 'assay.fish'}; complete -C'%s'"
        self.assertEqual(self.lines_of("fish", "-c", script % "assay ru"), ["run", "measure"])
        self.assertIn("--resume", self.lines_of("fish", "-c", script % "assay run --r"))
        self.assertIn("memory.host.read", self.lines_of("fish", "-c", script % "assay run --filter memory.host.r"))

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_loads_it_and_knows_the_same_words(self):
        script = (f"fpath=({COMPLETIONS} $fpath); autoload -U compinit; compinit -D -u; autoload +X _assay; "
                  "_assay 2>/dev/null; print $_comps[assay]; _assay_flags assay run")
        self.assertEqual(self.lines_of("zsh", "-f", "-c", script),
                         ["_bash_complete", "-o", "filenames", "-F", "_assay", "--filter", "--help", "--plan", "--resume",
                          "--the_1st"])

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_zsh_completes(self):
        script = (f"fpath=({COMPLETIONS} $fpath); autoload -U compinit; compinit -D -u; autoload +X _assay; _assay 2>/dev/null; "
                  "words=(assay fabric sim); COMP_WORDS=($words); COMP_CWORD=2; CURRENT=3; compgen -F _assay -- sim")
        self.assertIn("simulate", self.lines_of("zsh", "-f", "-c", script))


unittest.main()
