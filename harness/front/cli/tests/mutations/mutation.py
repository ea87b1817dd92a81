# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A row of the table: what was changed, where, whether that may pass, and the question that is put to the program.
import dataclasses
import pathlib
import subprocess
import typing

MUST_NOT_PASS = "must not pass"
MAY_PASS = "may pass"
CONTROL = "control"  # must pass
TOO_LONG_S = 60
HUNG = "hung"


@dataclasses.dataclass(frozen=True)
class Mutation:
    set: str
    scope: str
    kind: str
    ask: typing.Callable  # of a Workshop: the exit code of the judge
    expect: str = MUST_NOT_PASS
    why: str = ""  # it may pass

    @property
    def name(self):
        return f"{self.set}: {self.kind}: {self.scope}"


def holds(expect, answer):
    """A crash or hang is no answer, whatever is expected."""
    if not isinstance(answer, int) or answer not in (0, 1, 2, 3, 4):
        return False
    if expect == CONTROL:
        return answer == 0
    return expect == MAY_PASS or answer != 0


class Workshop:
    """A folder of one mutation, and the program."""

    def __init__(self, program, folder, shared):
        self.program, self.folder, self.shared = program, pathlib.Path(folder), shared
        self.said = []  # for a mutation that is to be explained

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    @property
    def store(self):
        return self.folder / "store.sqlite"

    def run(self, *arguments):
        command = [str(self.program), *map(str, arguments)]
        try:
            done = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=TOO_LONG_S, check=False)
        except subprocess.TimeoutExpired:
            self.said.append(f"{' '.join(command)}: {HUNG}")
            return HUNG
        said = (done.stdout + done.stderr).decode(errors="replace")
        self.said.append(f"$ assay {' '.join(map(str, arguments))[:300]}\n{said[-6000:]}exit {done.returncode}\n")
        return done.returncode

    def read_journals(self, paths, store=None):
        return self.run("import", *paths, "--store", store or self.store)

    def accept(self, *flags, store=None):
        return self.run("accept", "--store", store or self.store, *flags)
