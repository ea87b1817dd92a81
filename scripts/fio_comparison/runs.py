# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Runs of assay-offload and of fio that are compared with each other.
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MIB = 1 << 20


def stop(message):
    print(f"{pathlib.Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    sys.exit(3)


def find_program(given):
    found = [given] if given else sorted(ROOT.glob("build/**/bin/assay-offload"), key=lambda path: path.stat().st_mtime)
    if not found or not found[-1].is_file():
        stop("assay-offload is not built (build it, or name it with --program)")
    if not shutil.which("fio"):
        stop("fio is not installed (Debian: fio)")
    return found[-1]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        stop(f"{command[0]} ended with {done.returncode}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def run_plan(program, text, folder):
    """The record of the plan's one point, which must be right."""
    with tempfile.TemporaryDirectory() as scratch:
        plan, journal = pathlib.Path(scratch, "plan.toml"), pathlib.Path(scratch, "journal.jsonl")
        plan.write_text(text)
        run([program, "--plan", plan, "--journal", journal, "--checkpoint-dir", folder])
        point = next(record for line in journal.read_text().splitlines()
                     if (record := json.loads(line)).get("record") == "point")
    if point["status"] != "ok" or point["verification"]["result"] != "right":
        stop(f"ours: {point['status']}: {point['reason'] or point['verification']['why']}")
    return point


def run_fio(arguments):
    """fio's report of one group of jobs."""
    return json.loads(run(["fio", *arguments, "--ioengine=io_uring", "--thread", "--group_reporting",
                           "--output-format=json"]))["jobs"][0]


def alternate(rounds, ours, theirs):
    """Results of both, in pairs of neighbours; the first of a pair changes."""
    results = ([], [])
    for number in range(rounds):
        pair = [lambda: results[0].append(ours()), lambda: results[1].append(theirs())]
        for one in pair if number % 2 == 0 else reversed(pair):
            one()
    return results
