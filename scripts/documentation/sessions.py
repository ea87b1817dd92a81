# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A block `sh` that a block `text` follows is a session that any machine can repeat: it is run, and must say what the page shows. Numbers,
# blanks and rules are alike; `...` stands for any text, and alone on its line for any lines. Sessions of a page share a folder, in which
# the folders of the checkout are found as from its root. Results under docs/evidence are of the machine that they name.
import os
import re
import subprocess
import tempfile

from documentation.pages import blocks_of

NUMBER = r"\d+(?:\.\d+)?(?:e[+-]?\d+)?"
RULE = re.compile(r"(?<!\S)-+(?!\S)|-{2,}")  # below a heading, as wide as its column
INTERVAL = re.compile(r"# (?:± #|\[#, #\])")


def sessions_of(text):
    blocks = blocks_of(text)
    return [(shell, shown) for shell, shown in zip(blocks, blocks[1:])
            if shell.language == "sh" and shown.language == "text" and shown.line - shell.line - len(shell.lines) <= 3]


def masked(line):
    line = re.sub(r"\s+", " ", re.sub(NUMBER, "#", RULE.sub("--", line))).strip()
    return INTERVAL.sub("#", line)


def expression_of(shown):
    """A regular expression that the output must match as a whole."""
    expression = ""
    for line in shown:
        if line.strip() == "...":
            expression += r"(?:.*\n)*?"
        else:
            expression += ".*".join(re.escape(part) for part in re.split(r" ?\.\.\. ?", masked(line))) + r"\n"
    return expression


def agrees(shown, output):
    said = "".join(masked(line) + "\n" for line in output.rstrip("\n").splitlines())
    return re.fullmatch(expression_of(shown), said) is not None


def link_checkout(root, folder):
    for part in root.iterdir():
        if part.is_dir() and part.name not in (".git", "build"):
            os.symlink(part, os.path.join(folder, part.name))


def run(block, folder, environment):
    done = subprocess.run(["bash", "-c", "\n".join(block.lines)], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=300, check=False)
    return done.stdout


def findings(root, pages, programs):
    environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
    found = []
    for page in (page for page in pages if page.parts[:2] != ("docs", "evidence")):
        with tempfile.TemporaryDirectory() as folder:
            link_checkout(root, folder)
            for shell, shown in sessions_of((root / page).read_text(encoding="utf-8")):
                output = run(shell, folder, environment)
                if not agrees(shown.lines, output):
                    found.append(f"{page}:{shown.line}: the commands above say otherwise:\n{output}")
    return found
