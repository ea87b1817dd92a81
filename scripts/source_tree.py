# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Which files are sources, and of which kind, their functions and their comments: what every check of scripts/lint looks at.
import argparse
import json
import pathlib
import re
import subprocess
import sys

GENERATED = ("package-lock.json",)
CPP_SUFFIXES = (".cpp", ".hpp", ".cu", ".cuh")
CODE_SUFFIXES = CPP_SUFFIXES + (".cmake", ".py", ".sh", ".ts", ".js", ".mjs", ".css", ".bash", ".sbatch", ".zsh", ".fish")
SHELL_SUFFIXES = (".sh", ".bash", ".sbatch")


def all_files(root):
    """Tracked and new files, relative to root; every file where root is not a git checkout (a source archive)."""
    command = ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, text=True, check=False)
    if listed.returncode == 0:
        paths = [pathlib.PurePath(name) for name in listed.stdout.split("\0") if name]
    else:
        paths = [path.relative_to(root) for path in root.rglob("*")]
        paths = [path for path in paths if not {"build", "node_modules", ".git"} & set(path.parts)]
    return sorted(path for path in paths if (root / path).is_file() and path.name not in GENERATED)


def first_line(root, path):
    with open(root / path, "rb") as file:
        return file.readline(200).decode("utf-8", "replace")


def is_script(root, path, interpreter):
    return not path.suffix and first_line(root, path).startswith(f"#!/usr/bin/env {interpreter}")


def is_cpp(_root, path):
    return path.suffix in CPP_SUFFIXES


def is_shell(root, path):
    return path.suffix in SHELL_SUFFIXES or is_script(root, path, "bash")


def is_code(root, path):
    named = path.suffix in CODE_SUFFIXES or path.name == "CMakeLists.txt"
    return named or is_shell(root, path) or is_script(root, path, "python3")


def is_text(root, path):
    return is_code(root, path) or path.suffix in (".md", ".toml", ".html")


def is_tidied(_root, path):
    return path.suffix == ".cpp" and not {"tests", "bench"} & set(path.parts)


KINDS = {"cpp": is_cpp, "shell": is_shell, "code": is_code, "text": is_text, "tidy": is_tidied}


def files(root, kind):
    return [path for path in all_files(root) if KINDS[kind](root, path)]


def product_files(root):
    """C++ and CUDA outside tests, benchmarks and findings."""
    return [path for path in files(root, "cpp") if not {"tests", "bench", "findings"} & set(path.parts)]


# universal-ctags shows where a function ends.
CTAGS = ["ctags", "--output-format=json", "--fields=+neK", "--langmap=C++:+.cu.cuh", "--kinds-C++=f", "--kinds-Python=fm",
         "--kinds-sh=f", "-L", "-", "-f", "-"]


def functions(root, paths):
    """(path, first line, name, number of lines) of every function."""
    listed = "\n".join(str(path) for path in paths)
    found = subprocess.run(CTAGS, cwd=root, input=listed, capture_output=True, text=True, check=True)
    for tag in map(json.loads, found.stdout.splitlines()):
        yield tag["path"], tag["line"], tag["name"], tag.get("end", tag["line"]) - tag["line"] + 1


# A preposition or a pronoun: the noun that such a comment is about is missing.
BARE_START = re.compile(r"///?\s+(Of|What|Where|Which|By|The same)\b")


def comment_starts(text):
    """(line number, first line) of every // comment but the licence's."""
    lines = [line.lstrip() for line in text.splitlines()]
    for number, (before, line) in enumerate(zip(["", *lines], lines), 1):
        if line.startswith("//") and "SPDX" not in line and (not before.startswith("//") or "SPDX" in before):
            yield number, line


def root_argument(description):
    """The command line of a check: --root, for the tests of the checks."""
    parser = argparse.ArgumentParser(description=description)
    here = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--root", type=pathlib.Path, default=here, help="source tree to look at (default: this one)")
    parser.error = lambda message: sys.exit(fail(f"{parser.prog}: {message} (see --help)"))
    return parser


def fail(message, status=2):
    print(message, file=sys.stderr)
    return status


def report(findings):
    """Prints findings as "file:line: what"; the exit status of the check."""
    for finding in findings:
        print(finding, file=sys.stderr)
    return 1 if findings else 0
