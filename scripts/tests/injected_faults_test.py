#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Faults injected at random moments into real runs: signals to the supervisor and to its module, files that cannot grow. What
# was recorded before stays, a run that lacks points never ends with 0, and --resume completes it.
#
#   ASSAY_BUILD_DIR=$PWD/build/release scripts/tests/injected_faults_test.py --faults 200 --seed 1
import argparse
import collections
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time

BIN = pathlib.Path(os.environ["ASSAY_BUILD_DIR"]) / "bin"
PLAN = """\
name = "faults"
[measure]
max_seconds = 0.03
max_warmup_seconds = 0.01
min_samples = 5
[[sweep]]
cases = ["memory.host.copy"]
axes = { bytes = "64KiB:512KiB:x2", threads = 1, isa = "sse2" }
repetitions = 2
"""
ROUGHLY_S = 2.0  # how long an undisturbed run takes: faults come at any time within it


def modules_of(supervisor):
    """Process numbers of what the supervisor started."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == supervisor:
                found.append(int(entry.name))
    return found


def signal_supervisor(process, number):
    process.send_signal(number)


def signal_module(process, number):
    for module in modules_of(process.pid):
        os.kill(module, number)


def stop_module_for_a_moment(process, _):
    signal_module(process, signal.SIGSTOP)
    time.sleep(0.2)
    signal_module(process, signal.SIGCONT)


FAULTS = {"supervisor killed": (signal_supervisor, signal.SIGKILL), "supervisor terminated": (signal_supervisor, signal.SIGTERM),
          "supervisor interrupted": (signal_supervisor, signal.SIGINT), "terminal closed": (signal_supervisor, signal.SIGHUP),
          "module killed": (signal_module, signal.SIGKILL), "module terminated": (signal_module, signal.SIGTERM),
          "module crashed": (signal_module, signal.SIGSEGV), "module stopped for a moment": (stop_module_for_a_moment, 0),
          "files cannot grow": (None, 0)}


def limited_files(most_bytes):
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # the write fails instead, as on a full disk
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    return limit


def records_in(journal):
    """Points that are settled, whatever their status, by key and repetition: (status, line)."""
    measured = {}
    for line in journal.read_bytes().splitlines() if journal.exists() else []:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if record.get("record") == "point" and record.get("stop") != "interrupted":
            measured[record["key"], record["repetition"]] = (record["status"], line)
    return measured


class Runs:
    def __init__(self, folder, choice):
        self.folder, self.random = folder, choice
        (folder / "plan.toml").write_text(PLAN)
        self.planned = json.loads(subprocess.run([BIN / "assay-memory", "--plan", "plan.toml", "--count"], cwd=folder, capture_output=True, text=True,
                                                 check=True).stdout)["points"]

    def command(self, name, *more):
        return [BIN / "assay", "run", "--plan", "plan.toml", "--modules", "memory", "--run-id", name, "--out", "out", *more]

    def with_fault(self, name, kind):
        act, number = FAULTS[kind]
        limit = None if act else limited_files(self.random.choice([100, 2000, 20_000, 60_000]))
        process = subprocess.Popen(self.command(name), cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=limit)
        if act:
            try:
                process.wait(timeout=self.random.uniform(0, ROUGHLY_S))
            except subprocess.TimeoutExpired:
                act(process, number)
        return process.wait(timeout=120)

    def faults_after(self, name, kind):
        """What is wrong once the fault came and the run was resumed."""
        code = self.with_fault(name, kind)
        journal = self.folder / "out" / name / "journal.jsonl"
        before = records_in(journal)
        wrong = []
        if code == 0 and [status for status, _ in before.values()] != ["ok"] * self.planned:
            wrong.append(f"ended with 0 and {len(before)} of {self.planned} points")
        resumed = subprocess.run(self.command(name, *(["--resume"] if journal.exists() else [])), cwd=self.folder, capture_output=True, text=True,
                                 check=False, timeout=300)
        after = records_in(journal)
        # A module that crashed leaves a point that failed: that is a result, and the run says so.
        if resumed.returncode != (0 if all(status == "ok" for status, _ in after.values()) else 1):
            wrong.append(f"resuming ended with {resumed.returncode}: {resumed.stderr[-300:]}")
        if len(after) != self.planned:
            wrong.append(f"{len(after)} of {self.planned} points after resuming")
        wrong += [f"the record of {point} was lost" for point, line in before.items() if line[0] == "ok" and after.get(point) != line]
        return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--faults", type=int, default=9)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    choice = random.Random(arguments.seed)
    counts, bad = collections.Counter(), []
    with tempfile.TemporaryDirectory(prefix="assay-faults-") as made:
        runs = Runs(pathlib.Path(made), choice)
        for number in range(arguments.faults):
            kind = list(FAULTS)[number % len(FAULTS)]
            counts[kind] += 1
            bad += [f"{number} ({kind}): {fault}" for fault in runs.faults_after(f"f{number}", kind)]
    print(f"{arguments.faults} faults: {dict(counts)}; {len(bad)} with a loss or a false success")
    print("\n".join(bad))
    return 1 if bad else 0


sys.exit(main())
