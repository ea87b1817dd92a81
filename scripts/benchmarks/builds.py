# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# An optimised build of a checkout, and of a revision of it in a work tree of its own.
import contextlib
import dataclasses
import os
import pathlib
import subprocess
import time

from benchmarks.figures import Failed

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SETTINGS = ["-DCMAKE_BUILD_TYPE=Release", "-DASSAY_WITH_CUDA=OFF", "-DASSAY_WITH_CHARTS=OFF"]


@dataclasses.dataclass
class Done:
    words: list
    output: str
    seconds: float
    peak_mib: float


def called(words, what):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{what}: {' '.join(map(str, words))} ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
    return done.stdout


class Build:
    def __init__(self, source, folder):
        self.source, self.folder = source, folder

    def configure(self):
        called(["cmake", "-S", self.source, "-B", self.folder, "-G", "Ninja", *SETTINGS], "configuring")

    def targets(self):
        """Names of what can be built."""
        self.configure()
        return {line.split(":")[0] for line in called(["cmake", "--build", self.folder, "--target", "help"], "listing").splitlines()}

    def make(self, targets):
        self.configure()
        called(["cmake", "--build", self.folder, "--target", *targets], "building")

    def words(self, words, data):
        program, *rest = [word.format(data=data, source=self.source) for word in words]
        return [str(self.folder / "bin" / program), *rest]

    def run(self, words, data, exits=(0,)):
        words = self.words(words, data)
        start = time.monotonic()
        child = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        output = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        if child.returncode not in exits:
            raise Failed(f"{' '.join(words)} ended with {child.returncode}: {output.strip()[-400:]}")
        return Done(words, output, seconds, usage.ru_maxrss / 1024)


@contextlib.contextmanager
def revision(name, data):
    """The build of another revision of this repository."""
    source = data / "against"
    called(["git", "-C", ROOT, "worktree", "prune"], "git")
    if source.exists():
        called(["git", "-C", ROOT, "worktree", "remove", "--force", source], "git")
    called(["git", "-C", ROOT, "worktree", "add", "--detach", source, name], "git")
    try:
        yield Build(source, data / "against-build")
    finally:
        called(["git", "-C", ROOT, "worktree", "remove", "--force", source], "git")
