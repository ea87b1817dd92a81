# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Intel MPI Benchmarks' side: one launch gives the size as many times as there are windows, each of equally many iterations.
import pathlib
import tempfile

from mpi_comparison.launch import mpirun
from mpi_comparison.rows import IMB_NAMES, Failed

MOST_MIB = 2047  # of one size, all iterations together: IMB keeps it in 31 bits of bytes
TIME_LIMIT_S = 60


def command(program, row, lengths, iterations, options):
    return [program, IMB_NAMES[row.operation], "-npmin", row.ranks, "-msglen", lengths, "-msglog", "0:24", "-time", TIME_LIMIT_S,
            "-iter", f"{iterations},{MOST_MIB}", "-iter_policy", "off", "-sync", "on" if options.between == "barrier" else "off"]


def results(text, row, windows):
    """t_min, t_max and t_avg in us of every window: the lines of five numbers that start with the size."""
    lines = [line.split() for line in text.splitlines()]
    found = [dict(zip(("min", "max", "avg"), map(float, fields[2:]))) for fields in lines
             if len(fields) == 5 and fields[0] == str(row.imb_bytes)]
    if len(found) != windows:
        raise Failed(f"IMB printed {len(found)} of {windows} lines for {row}: {text.strip()[-400:]}")
    return found


def run(row, iterations, options):
    with tempfile.TemporaryDirectory() as folder:
        lengths = pathlib.Path(folder, "lengths")
        lengths.write_text(f"{row.imb_bytes}\n" * options.windows)
        text = mpirun(row.ranks, command(options.imb, row, lengths, iterations, options))
        return results(text, row, options.windows)
