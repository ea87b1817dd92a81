# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay-collectives' side: MPI's own collective at the same size, the numbers in its journal.
import json
import pathlib
import tempfile

from mpi_comparison.launch import mpirun
from mpi_comparison.rows import Failed


def plan_text(row, options):
    """A window is one sample: ranks that share processors are scheduled otherwise in short bursts."""
    return f"""name = "compared-with-imb"
[measure]
max_seconds = {options.seconds}
max_warmup_seconds = {options.seconds / 10}
min_sample_seconds = {options.seconds}
min_samples = 1
[[sweep]]
cases = ["collectives.mpi.{row.operation}"]
repetitions = {options.windows}
[sweep.axes]
bytes = "{row.bytes}"
dtype = "fp32"
in_place = 0
between = "{options.between}"
"""


def times_of(point, row):
    """The median of the slowest rank, and the means of the ranks' means as IMB defines them, in us."""
    if point["status"] != "ok":
        raise Failed(f"assay-collectives measured nothing for {row}: {point['reason']}")
    if point["verification"]["result"] != "right":
        raise Failed(f"assay-collectives did not verify {row}: {point['verification']['why']}")
    metrics = {metric["name"]: metric["value"] for metric in point["metrics"]}
    return {"median": point["time"]["value_s"] * 1e6, "avg": metrics["rank_mean_avg_us"], "max": metrics["rank_mean_max_us"]}


def run(row, options):
    with tempfile.TemporaryDirectory() as folder:
        plan, journal = pathlib.Path(folder, "plan.toml"), pathlib.Path(folder, "journal.jsonl")
        plan.write_text(plan_text(row, options))
        mpirun(row.ranks, [options.program, "--plan", plan, "--journal", journal])
        records = map(json.loads, journal.read_text().splitlines())
        return [times_of(record, row) for record in records if record.get("record") == "point"]
