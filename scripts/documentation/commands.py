# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Every command that a page shows exists, and so does every flag of it: compared with --help of the program or script.
import functools
import re
import shlex
import subprocess

from documentation.pages import blocks_of

PROGRAM = re.compile(r"(?:.*/)?(assay(?:-[a-z-]+)?)$")
SCRIPT = re.compile(r"scripts/[a-z-]+$")
SEPARATORS = {"&&", "||", "|", ";", "&", "(", ")", "--"}


def shown_commands(block):
    """Line number and words of each simple command of a block."""
    line, number = "", 0
    for offset, text in enumerate(block.lines, 1):
        if block.language == "console":
            text = text.removeprefix("$ ") if text.startswith("$ ") else ""
        number = number if line else block.line + offset
        line += " " + text.removesuffix("\\") if text.endswith("\\") else " " + text
        if text.endswith("\\"):
            continue
        yield from ((number, words) for words in simple_commands(line))
        line = ""


def simple_commands(line):
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    try:
        tokens = list(lexer)
    except ValueError:
        return
    words = []
    for token in [*tokens, ";"]:
        if token in SEPARATORS:
            if words:
                yield words
            words = []
        else:
            words.append(token)


@functools.lru_cache(maxsize=None)
def help_of(command):
    done = subprocess.run([*command, "--help"], capture_output=True, text=True, timeout=60, check=False)
    return done.stdout if done.returncode == 0 else ""


class Commands:
    """The programs of a build, and the scripts of the tree."""

    def __init__(self, root, programs):
        self.root, self.programs = root, programs

    def problems(self, words):
        for at, word in enumerate(words):
            program = PROGRAM.match(word)
            if program and (self.programs / program.group(1)).is_file():
                return self.problems_of([str(self.programs / program.group(1))], words[at + 1:])
            if SCRIPT.match(word) and not word.endswith(".sbatch"):
                if not (self.root / word).is_file():
                    return [f"there is no {word}"]
                return self.problems_of([str(self.root / word)], words[at + 1:])
        return []

    def problems_of(self, command, arguments):
        text = help_of(tuple(command))
        name = command[0].rsplit("/", 1)[-1]
        for word in arguments:  # assay fit gemm: each subcommand has flags, and so a help, of its own
            own = "" if word.startswith("-") else help_of((*command, word))
            if own in ("", text):
                break
            command, text, name = [*command, word], own, f"{name} {word}"
        flags = {word.partition("=")[0] for word in arguments if re.match(r"--?[a-z]", word)}
        return [f"{name} has no flag {flag}" for flag in sorted(flags)
                if not flag.startswith("--benchmark_") and not re.search(rf"(?<![\w-]){re.escape(flag)}(?![\w-])", text)]


def findings(root, pages, programs):
    commands = Commands(root, programs)
    found = []
    for page in pages:
        for block in blocks_of((root / page).read_text(encoding="utf-8")):
            if block.language in ("sh", "console"):
                found += [f"{page}:{number}: {problem}" for number, words in shown_commands(block)
                          for problem in commands.problems(words)]
    return found
