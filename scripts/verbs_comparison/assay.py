# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-rdma's side of a row: a server for the whole comparison, a leader for each measurement, the number in its journal.
import contextlib
import json
import pathlib
import subprocess
import tempfile

from verbs_comparison.outcome import Failed
from verbs_comparison.perftest import LIMIT_S, wait_until_listening

PORT = 18540


def plan_text(row):
    axes = {"operation": row.operation, "bytes": row.bytes, "completion": row.completion, "inline_bytes": 0, "mtu": 4096,
            "gid_index": 1, "device": "rxe0", "within_node": "yes"}
    if row.kind == "bandwidth":
        axes |= {"qps": row.qps, "post_list": 1, "tx_depth": row.tx_depth, "cq_moderation": row.moderation}
    lines = "\n".join(f'{name} = ["{value}"]' for name, value in axes.items())
    return f"""name = "compared-with-perftest"
[measure]
max_seconds = 0.25
max_warmup_seconds = 0.02
min_sample_seconds = 0.02
relative_width = 0.005
min_samples = {row.iterations if row.kind == "latency" else 3}
[[sweep]]
cases = ["rdma.verbs.{row.kind}"]
[sweep.axes]
{lines}
"""


def result(journal, row):
    """Messages per second of all samples together, or the median in microseconds: the same kinds that perftest prints."""
    points = [record for line in journal.splitlines() if (record := json.loads(line)).get("record") == "point"]
    if len(points) != 1 or points[0]["status"] != "ok":
        raise Failed(f"assay-rdma measured nothing for {row}: {points[0]['reason'] if points else 'no point'}")
    point = points[0]
    if point["verification"]["result"] != "right":
        raise Failed(f"assay-rdma did not verify {row}: {point['verification']['why']}")
    return 1 / point["time"]["mean_s"] if row.kind == "bandwidth" else point["time"]["value_s"] * 1e6


@contextlib.contextmanager
def server(program):
    process = subprocess.Popen([program, "serve", "--port", str(PORT)], stdout=subprocess.DEVNULL)
    try:
        wait_until_listening(PORT, process)
        yield
    finally:
        process.kill()
        process.wait()


def run(program, row):
    with tempfile.TemporaryDirectory() as folder:
        plan, journal = pathlib.Path(folder, "plan.toml"), pathlib.Path(folder, "journal.jsonl")
        plan.write_text(plan_text(row))
        try:
            done = subprocess.run([program, "localhost", "--port", str(PORT), "--plan", plan, "--journal", journal],
                                  capture_output=True, text=True, timeout=LIMIT_S, check=False)
        except subprocess.TimeoutExpired as late:
            raise Failed(f"assay-rdma did not end within {LIMIT_S} s for {row}") from late
        if done.returncode != 0:
            raise Failed(f"assay-rdma ended with {done.returncode}: {(done.stderr or done.stdout).strip()[-400:]}")
        return result(journal.read_text(), row)
