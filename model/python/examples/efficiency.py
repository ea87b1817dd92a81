#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""Efficiency of a training step (MFU, percent) against tensor-parallel degree, predicted: a chart where matplotlib is
there, else a table.

usage: efficiency.py MODEL.json SYSTEM.json EXECUTION.json [CHART.png]

Pipeline parallelism stays as in EXECUTION.json, and data parallelism takes the other processors.
"""

import json
import sys

import assay
import numpy

DEGREES = [1, 2, 4, 8, 16, 32]


def efficiencies(model, system, execution):
    """MFU in percent for each degree, NaN where the step cannot run, with the reasons."""
    tensor = numpy.array(DEGREES)
    data = execution["num_procs"] // (execution["pipeline_par"] * tensor)
    over = {"tensor_par": tensor, "data_par": data, "optimizer_sharding": data > 1,
            "data_par_overlap": numpy.full(len(tensor), False), "microbatch_size": [1],
            "tensor_par_overlap": ["none"]}
    swept = assay.sweep(model, system, execution, over, stats=["total_efficiency", "sample_rate"], rules="assay")
    return 100 * swept["total_efficiency"], swept["reason"]


def print_table(percent, reasons):
    print("tensor  MFU %  (predicted)")
    for degree, value, reason in zip(DEGREES, percent, reasons):
        print(f"{degree:6d}  {value:5.1f}" if value == value else f"{degree:6d}      -  {reason}")


def draw(percent, chart):
    """False where matplotlib is missing."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure()
    axes = figure.subplots()
    axes.plot(DEGREES, percent, marker="o")
    axes.set_xscale("log", base=2)
    axes.set_xticks(DEGREES, [str(degree) for degree in DEGREES])
    axes.set_xlabel("tensor-parallel degree")
    axes.set_ylabel("MFU, % (predicted)")
    figure.savefig(chart)
    return True


def main(arguments):
    if len(arguments) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    model, system, execution = (json.load(open(name, encoding="utf-8")) for name in arguments[:3])
    try:
        percent, reasons = efficiencies(model, system, execution)
    except assay.Error as error:
        print(f"efficiency.py: {error}", file=sys.stderr)
        return 2
    if len(arguments) == 4 and draw(percent, arguments[3]):
        print(arguments[3])
        return 0
    print_table(percent, reasons)
    if len(arguments) == 4:
        print(f"efficiency.py: {arguments[3]}: not drawn: matplotlib is not installed", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
