# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What tests on virtual hosts start from: a folder that guests write into, one run of the hosts, its records.
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
RUNNER = os.environ.get("ASSAY_VERBS_VM", str(SOURCE / "scripts" / "verbs-vm"))
BIN = os.environ.get("ASSAY_BIN_DIR", str(SOURCE / "build" / "bin"))
LIMIT_S = os.environ.get("ASSAY_VERBS_LIMIT_S", "600")  # of the hosts' commands
KEY = "of these hosts and of this test alone"  # what members of a team prove to each other (docs/guide/clusters.md)
# Where a test plants no loss, these are soft RoCE's own, or a host's that had no processor, on a busy machine.
GAVE_UP = re.compile(r"IBV_WC_RETRY_EXC_ERR|IBV_WC_REM_INV_REQ_ERR|no answer within \d+ s|did not answer for \d+ s")
KERNEL_CRASHED = re.compile(r"^verbs-vm: h\d died: its kernel crashed$", re.MULTILINE)
PATH = f"{BIN}:/run/verbs-vm/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def records_of(journal):
    """The points of a journal, in order."""
    lines = [json.loads(line) for line in pathlib.Path(journal).read_text().splitlines()]
    return [line for line in lines if line["record"] == "point"]


def metric(record, name):
    """Its value; None where the record has none of that name."""
    return next((one["value"] for one in record["metrics"] if one["name"] == name), None)


def conditions_of(record, rank):
    """Of a rank; those of rank 0 are the point's own."""
    return record["conditions"] if rank == 0 else next(one["conditions"] for one in record["ranks"] if one["rank"] == rank)


def link_text(link):
    """What the counters of one rank's port did, in one line."""
    return "; ".join(f"{one['counter']} +{one['moved']} ({one['about']})" if one["moved"] else f"{one['counter']} {one['about']}"
                     for one in link["counters"]) or f"{link['class']}: {link['watched']} counters watched"


def summary(record):
    """One line to show when a record is not as expected."""
    asked = {name: value for name, value in record["point"].items()
             if name in ("operation", "transport", "bytes", "completion", "memory", "fault")}
    return f"{record['case']} {asked}: {record['status']} {record['reason']} {record.get('verification')}"


class KernelCrashed(AssertionError):
    """The kernel of a virtual host crashed; no test asks for that."""


class VirtualHosts(unittest.TestCase):
    """Tests of one run: start() in setUpClass, then tests look at what came out."""
    maxDiff = None

    @classmethod
    def make_folder(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.out = pathlib.Path(folder.name).resolve()

    @classmethod
    def start(cls, lines, *options):
        """lines: a line of shell for each host; all but the first serve in the background. Returns what they said."""
        words = [RUNNER, "run", "--rw", str(cls.out), "--env", f"PATH={PATH}", "--env", f"OUT={cls.out}",
                 "--env", f"ASSAY_TEAM_KEY={KEY}", "--time-limit", LIMIT_S, *options]
        for number, line in enumerate(lines):
            words += ["--on", f"h{number}", line] + (["--background", f"h{number}"] if number else [])
        done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
        cls.said = done.stdout + done.stderr
        cls.status = done.returncode
        if done.returncode in (2, 77, 124, 125):
            kind = KernelCrashed if KERNEL_CRASHED.search(cls.said) else AssertionError
            raise kind(f"verbs-vm ended with {done.returncode}:\n{cls.said[-6000:]}")
        return cls.said

    @classmethod
    def gave_up(cls):
        """Whether a point of any journal ended because soft RoCE did."""
        return any(GAVE_UP.search(one["reason"]) for journal in cls.out.rglob("*.jsonl") for one in records_of(journal))

    @classmethod
    def play_on_sound_hosts(cls, is_stuck=None):
        """play(), and once more on new hosts where a kernel crashed, or is_stuck() (else gave_up()) afterwards. Soft RoCE was
        seen, on a busy machine, to hold a killed process, to give up unasked, to stop its retries, to refuse a message that it
        had sent again, and to crash. A program that causes that does so again, and fails."""
        try:
            cls.play()
            if not (is_stuck or cls.gave_up)():
                return
        except KernelCrashed:
            pass
        print(f"repeated on new hosts: the kernel of one crashed or may be stuck:\n{cls.said[-8000:]}", file=sys.stderr)
        cls.play()

    def records(self, name):
        path = self.out / f"{name}.jsonl"
        self.assertTrue(path.exists(), f"{name} wrote no journal:\n{self.said[-3000:]}")
        return records_of(path)


def quoted(*words):
    return shlex.join(str(word) for word in words)


def main():
    """The exit status of a test script: 77, with the reason, where virtual hosts cannot run."""
    available = subprocess.run([RUNNER, "image"], capture_output=True, text=True, check=False)
    if available.returncode != 0:
        print(available.stderr, end="")
        return available.returncode
    if not (pathlib.Path(BIN) / "assay-rdma").exists():
        print("skipped: assay-rdma is not built (libibverbs-dev: scripts/setup --for build)")
        return 77
    result = unittest.main(module="__main__", exit=False, verbosity=2).result
    for test, _ in result.failures + result.errors:  # last, where a log that is cut still has them
        print(f"failed: {test}")
    return 0 if result.wasSuccessful() else 1


sys.dont_write_bytecode = True
