# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# docs/performance.md between its two marks: one row a figure, made by the program.
import pathlib
import statistics

from benchmarks.figures import Failed

BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"


def in_units(seconds):
    for name, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {name}"
    return f"{seconds / 1e-9:.3g} ns"


def command_of(figure):
    return " ".join(word for word in figure.words if not word.startswith("--benchmark"))


def wanted_of(figure, seconds):
    if figure.wanted == 0:
        return "-"
    return in_units(figure.wanted) + (f"; {seconds / figure.wanted:.1f} times that" if seconds > figure.wanted else "")


def median_of(measured):
    return statistics.median(seconds for seconds, _ in measured)


def row_of(figure, measured, before):
    seconds = [done for done, _ in measured]
    peak = max(mib for _, mib in measured)
    spread = f"{in_units(min(seconds))} to {in_units(max(seconds))}"
    words = command_of(figure).replace("{data}/", "").replace("{source}/", "")
    median = median_of(measured)
    was = f" {in_units(median_of(before))} |" if before else " - |" if before is not None else ""
    return f"| {figure.what} |{was} {in_units(median)} | {spread} | {wanted_of(figure, median)} | {peak:.0f} | `{words}` |"


def table_of(figures, results, before=None):
    """Each by name: (seconds, MiB) of rounds. `before`: of another revision, without the figures that it lacks."""
    columns = ["what", *(["before"] if before is not None else []), "median", "rounds", "wanted", "peak, MiB", "program"]
    lines = [f"| {' | '.join(columns)} |", "|" + "---|" * len(columns)]
    for figure in figures:
        lines.append(row_of(figure, results[figure.name], None if before is None else before.get(figure.name, [])))
    return "\n".join(lines) + "\n"


def write(path: pathlib.Path, table):
    text = path.read_text()
    if BEGIN not in text or END not in text:
        raise Failed(f"{path}: expected the marks '{BEGIN.strip()}' and '{END.strip()}'")
    before, rest = text.split(BEGIN, 1)
    path.write_text(before + BEGIN + "\n" + table + "\n" + END + rest.split(END, 1)[1])
