#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Changes what the judges read, in every way that the tables beside this file hold, and asks the program itself. What should not
# pass ends in no exit code 0; a crash or a hang is no answer. Prints a table by set: docs/evidence/data/mutations.txt has it.
import argparse
import collections
import concurrent.futures
import csv
import os
import pathlib
import random
import sys
import tempfile

import bundle_damages
import compare_damages
import journal_damages
import limits_and_places
import machine_damages
import point_damages
import report_damages
import slow_units
import store_damages
from mutation import CONTROL, MAY_PASS, MUST_NOT_PASS, Workshop, holds
from shared_files import SharedFiles

TABLES = (point_damages, machine_damages, journal_damages, slow_units, limits_and_places, store_damages, compare_damages, bundle_damages, report_damages)
SEED = 20261124  # of the share that is drawn: see ASSAY_MUTATION_SHARE


def all_rows():
    return [row for table in TABLES for row in table.rows()]


def chosen(rows, arguments):
    if arguments.only:
        return [row for row in rows if arguments.only in row.name]
    if arguments.share >= 1:
        return rows
    draw = random.Random(SEED)
    return [row for row in rows if row.expect == CONTROL or draw.random() < arguments.share]


def answer(row, program, shared, explain):
    with tempfile.TemporaryDirectory(dir=shared.folder) as folder:
        workshop = Workshop(program, folder, shared)
        found = row.ask(workshop)
        if explain:
            print("\n".join([row.name, *workshop.said]), flush=True)
        return found


def ask_all(rows, arguments):
    with tempfile.TemporaryDirectory(prefix="assay-mutations-") as folder:
        shared = SharedFiles(arguments.program, pathlib.Path(folder))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return list(pool.map(lambda row: answer(row, arguments.program, shared, arguments.explain), rows))


def family(name):
    """Sets as the table has them: all that points say together, all that is compared within bundles together."""
    for begin in ("a point's", "compared runs"):
        command, found, _rest = name.partition(f": {begin}")
        if found:
            return command + (": what points say" if begin == "a point's" else f": {begin}")
    return name


def print_table(answers):
    sets = collections.defaultdict(collections.Counter)
    for row, found in answers:
        counts = sets[family(row.set)]
        counts[row.expect] += 1
        counts[f"{row.expect}, 0"] += found == 0
    print("| set | mutations | must not pass | of these exit 0 | may pass | of these exit 0 | controls | of these exit 0 |")
    print("|---" * 8 + "|")
    for name, counts in [*sorted(sets.items()), ("**all**", sum(sets.values(), collections.Counter()))]:
        cells = [sum(counts[kind] for kind in (MUST_NOT_PASS, MAY_PASS, CONTROL))]
        for kind in (MUST_NOT_PASS, MAY_PASS, CONTROL):
            cells += [counts[kind], counts[f"{kind}, 0"]]
        print(f"| {name} | {' | '.join(map(str, cells))} |")


def write_csv(path, answers):
    with open(path, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(("set", "kind", "scope", "expected", "why it may pass", "exit code"))
        for row, found in answers:
            table.writerow((row.set, row.kind, row.scope, row.expect, row.why, found))


def arguments_from(words):
    parser = argparse.ArgumentParser(description="every mutation of what the judges read, put to the program")
    build = os.environ.get("ASSAY_BUILD_DIR", "build/dev")
    parser.add_argument("--program", type=pathlib.Path, default=pathlib.Path(build) / "bin" / "assay")
    parser.add_argument("--share", type=float, default=float(os.environ.get("ASSAY_MUTATION_SHARE", "0.35")),
                        help="of all mutations, drawn with a fixed seed (ASSAY_MUTATION_SHARE)")
    parser.add_argument("--only", help="those whose name holds this text")
    parser.add_argument("--explain", action="store_true", help="print what the program said")
    parser.add_argument("--csv", help="write every row and its answer to this file")
    return parser.parse_args(words)


def main(words):
    arguments = arguments_from(words)
    arguments.program = arguments.program.resolve()
    rows = chosen(all_rows(), arguments)
    answers = list(zip(rows, ask_all(rows, arguments)))
    print_table(answers)
    if arguments.csv:
        write_csv(arguments.csv, answers)
    holes = [(row, found) for row, found in answers if not holds(row.expect, found)]
    for row, found in holes:
        print(f"{row.expect}, and ended with {found}: {row.name}")
    print(f"{len(rows)} mutations, {len(holes)} not answered as expected")
    return 1 if holes or not rows else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
