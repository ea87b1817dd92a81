# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Two systems of three runs each that are equally fast, and everything that must not be called equally fast.
import copy
import random

from made_up_fleet import NOISE, Line, Run, bytes_moved, clean_link, BANDWIDTH, SECONDS, text_of
from machine_damages import NAMES as OF_CONTEXT, PARTS
from mutation import CONTROL, MAY_PASS, MUST_NOT_PASS, Mutation
from point_damages import LINK, REQUIRED, SECTIONS, put, slower, without
from scopes import contexts_of, ends_of, points_of

RUNS, REPETITIONS = 3, 5
SIDES = ("a", "b")
OTHERS = "repetitions vary; what one of them adds to is the mean of its run"
NO_JUDGE = "compare holds times against times"


class ComparedRun(Run):
    def __init__(self, side, number, draw):
        super().__init__(number, SIDES.index(side), draw)
        self.id = f"{side}{number}"

    def base(self, kind):
        return {**super().base(kind), "run_id": self.id}

    def repeated(self, repetition, *arguments, **named):
        self.point(*arguments, **named)
        self.lines[-1].record["repetition"] = repetition


def compared_runs(seed=5, repetitions=REPETITIONS):
    """By run id, in turns."""
    draw = random.Random(seed)
    runs = {}
    for number in range(RUNS):
        for side in SIDES:
            run = ComparedRun(side, number, draw)
            run.begin("memory")
            del run.lines[-1].record["machine"]["gpus"][2:]
            for repetition in range(repetitions):
                for gpu in (0, 1):
                    run.repeated(repetition, "memory.cuda.copy", {"gpu": gpu, "bytes": 4294967296}, SECONDS["copy"] * draw.gauss(1, NOISE), BANDWIDTH,
                                 bytes_moved(8589934592))
                run.repeated(repetition, "rdma.write.bandwidth", {"operation": "write", "bytes": 1048576}, SECONDS["rdma"] * draw.gauss(1, NOISE),
                             BANDWIDTH, bytes_moved(1048576), conditions={"ranks": 2},
                             parts={"links": [clean_link(0), clean_link(1)]})
            run.end()
            runs[run.id] = run.lines
    return runs


def asked(change=lambda runs: None, baseline=("a0", "a1", "a2"), candidate=("b0", "b1", "b2"), flags=(), command="compare"):
    def ask(workshop):
        runs = copy.deepcopy(workshop.shared.compared)
        change(runs)
        for run, lines in runs.items():
            workshop.file(f"{run}.jsonl", text_of(lines))
        workshop.read_journals([workshop.folder / f"{run}.jsonl" for run in runs])
        sides = ("--baseline", *baseline, "--candidate", *candidate, *flags)
        if command == "bundle":
            return workshop.run("bundle", "--no-accept", "--store", workshop.store, "-o", workshop.folder / "c.bundle", *sides)
        return workshop.run("compare", "--store", workshop.store, *sides)
    return ask


SCOPES = {
    "one repetition of the candidate": lambda run, record: run == "b1" and record["repetition"] == 2 and record["point"].get("gpu") == 1,
    "one point of a run": lambda run, record: run == "b1" and record["point"].get("gpu") == 1,
    "one run": lambda run, record: run == "b1",
    "one point of the candidate": lambda run, record: run[0] == "b" and record["point"].get("gpu") == 1,
    "the candidate": lambda run, record: run[0] == "b",
    "one repetition of the baseline": lambda run, record: run == "a2" and record["repetition"] == 4 and record["point"].get("gpu") == 0,
    "the baseline": lambda run, record: run[0] == "a",
    "both sides": lambda run, record: True,
}


def changing(scope, change):
    def all_of(runs):
        for run, lines in runs.items():
            for line in points_of(lines, lambda record, run=run: SCOPES[scope](run, record)):
                change(line.record)
    return all_of


def point_rows():
    for section, damages in {**SECTIONS, "link": LINK}.items():
        for damage in damages:
            if damage.kind.startswith("key of another"):
                continue
            for scope in SCOPES:
                why = damage.may or (damage.common if scope == "both sides" else "")
                if damage.kind in ("time.bounded false",):
                    why = NO_JUDGE
                if damage.kind == "samples empty" and scope != "both sides":
                    why = ""
                if damage.kind == "status unsupported" and scope == "both sides":
                    why = ""  # then there is nothing to compare
                yield Mutation(f"compare: a point's {section}", scope, damage.kind, asked(changing(scope, damage.change)),
                               MAY_PASS if why else MUST_NOT_PASS, why)
                if scope == "one run":
                    yield Mutation(f"bundle: compared runs, {section}", scope, damage.kind,
                                   asked(changing(scope, damage.change), command="bundle"), MAY_PASS if why else MUST_NOT_PASS, why)


def slow_rows():
    for scope in SCOPES:
        for loss in (0.05, 0.1, 0.2, 0.3):
            why = "both are as slow" if scope == "both sides" else OTHERS if "repetition" in scope and loss < 0.15 else ""
            if scope == "the baseline":
                why = "the candidate is faster, which is no loss"
            if "repetition of the baseline" in scope:
                why = "the candidate is faster, which is no loss"
            yield Mutation("compare: slow", scope, f"{round(100 * loss)} % slow", asked(changing(scope, slower(1 / (1 - loss)))),
                           MAY_PASS if why else MUST_NOT_PASS, why)


def lost(scope, whole):
    """Deleted; `whole`: as if they had never been, numbers and ends too."""
    def change(runs):
        for run, lines in runs.items():
            lines[:] = [line for line in lines if line.record["record"] != "point" or not SCOPES[scope](run, line.record)]
            for number, line in enumerate(points_of(lines) if whole else ()):
                line.record["sequence"] = number
            if whole:
                ends_of(lines)[0].record["points"] = len(points_of(lines))
    return change


def lost_rows():
    for scope in SCOPES:
        for whole in (True, False):
            kind = "deleted" + (", and renumbered" if whole else "")
            yield Mutation("compare: what is lost", scope, kind, asked(lost(scope, whole)))
            yield Mutation("bundle: compared runs, lost", scope, kind, asked(lost(scope, whole), command="bundle"))
    slow_ones = lambda runs: slow_repetitions_lost(runs)
    yield Mutation("compare: what is lost", "the slow repetitions of the candidate", "deleted, and renumbered", asked(slow_ones))


def slow_repetitions_lost(runs):
    for run in ("b0", "b1", "b2"):
        for line in points_of(runs[run], lambda record: record["repetition"] > 2):
            slower(1.3)(line.record)
        runs[run][:] = [line for line in runs[run] if line.record["record"] != "point" or line.record["repetition"] <= 2]
        for number, line in enumerate(points_of(runs[run])):
            line.record["sequence"] = number
        ends_of(runs[run])[0].record["points"] = len(points_of(runs[run]))


def as_run(lines, run, start=None):
    copied = copy.deepcopy(lines)
    for line in copied:
        line.record["run_id"] = run
        if start and line.record["record"] == "context":
            line.record["started"] = start
    return copied


def copies(pairs, change=lambda record: None):
    def all_of(runs):
        for source, target in pairs:
            runs[target] = as_run(runs[source], target, "2026-03-01T00:00:00.000Z")
            for line in points_of(runs[target]):
                change(line.record)
    return all_of


def sides_rows():
    yield Mutation("compare: controls", "nothing changed", "equally fast", asked(), CONTROL)
    yield Mutation("bundle: controls", "nothing changed", "compared runs", asked(command="bundle"), CONTROL)
    for margin in ("nan", "-3%", "0", "inf", "", "90%", "1e9", "three", "0.0001%"):
        yield Mutation("compare: sides", "margin", f"'{margin}'", asked(flags=(f"--margin={margin}",)))
    for kind, baseline, candidate in (
            ("A with A", ("a0", "a1", "a2"), ("a0", "a1", "a2")), ("A with A in part", ("a0", "a1", "a2"), ("a2", "b0", "b1")),
            ("one run each", ("a0",), ("b0",)), ("two runs each", ("a0", "a1"), ("b0", "b1")), ("one run twice", ("a0", "a0", "a1"), ("b0", "b1", "b2")),
            ("a run that is not there", ("a0", "a1", "a2"), ("b0", "b1", "b9")), ("a glob without runs", ("a0", "a1", "a2"), ("c*",)),
            ("the same by a glob", ("a*",), ("a*",)), ("all with all", ("all",), ("all",)), ("latest thrice", ("a0", "a1", "a2"), ("latest", "latest", "latest"))):
        yield Mutation("compare: sides", "runs", kind, asked(baseline=baseline, candidate=candidate))
        yield Mutation("bundle: compared runs, sides", "runs", kind, asked(baseline=baseline, candidate=candidate, command="bundle"))
    a_to_c = copies((("a0", "c0"), ("a1", "c1"), ("a2", "c2")))
    yield Mutation("compare: sides", "copies", "A with a copy of A", asked(a_to_c, candidate=("c0", "c1", "c2")))
    yield Mutation("compare: sides", "copies", "one run a copy", asked(copies((("a0", "c0"),)), candidate=("b0", "b1", "c0")))
    yield Mutation("compare: sides", "copies", "one run a copy on its own side", asked(copies((("b0", "c0"),)), candidate=("b0", "b1", "c0")))
    yield Mutation("compare: sides", "copies", "copies with other summaries", asked(
        copies((("a0", "c0"), ("a1", "c1"), ("a2", "c2")), put("time.mean_s", 1.0)), candidate=("c0", "c1", "c2")))
    for size in (2.0, 1 + 1e-9):
        scaled = copies((("a0", "c0"), ("a1", "c1"), ("a2", "c2")), slower(size))
        yield Mutation("compare: sides", "copies", f"copies times {size}", asked(scaled, candidate=("c0", "c1", "c2")),
                       *((MUST_NOT_PASS,) if size == 2 else (MAY_PASS, "no two samples are the same any more: an author's work")))
    for baseline in ("a0", "b1"):
        for change in ("no points", "no file"):
            def emptied(runs, run=baseline, change=change):
                runs[run] = [] if change == "no file" else [line for line in runs[run] if line.record["record"] != "point"]
            yield Mutation("compare: sides", baseline, change, asked(emptied))


def context_rows():
    for damage in (*OF_CONTEXT, *PARTS[:3]):
        if damage.kind in ("host of another", "plan of another name", "assay of another version", "host empty"):
            continue
        for run in ("b1", "a0"):
            def change(runs, run=run, damage=damage):
                damage.change(contexts_of(runs[run])[0].record)
            may = "GPU" in damage.kind or damage.kind.startswith("machine ") or damage.may
            yield Mutation("compare: contexts", f"run {run}", damage.kind, asked(change),
                           *((MAY_PASS, "compare holds runs against runs, and not hosts") if may else (MUST_NOT_PASS,)))
    for key in ("run_id", "process", "host", "origin", "machine", "schema", "record"):
        yield Mutation("compare: contexts", "run b1", f"{key} missing", asked(
            lambda runs, key=key: without(key)(contexts_of(runs["b1"])[0].record)))
    for field, value in (("points", 3), ("points", 400), ("interrupted", True)):
        yield Mutation("compare: contexts", "run b1", f"end {field} {value}", asked(
            lambda runs, field=field, value=value: put(field, value)(ends_of(runs["b1"])[0].record)))
    for run in ("a1", "b2"):
        for at in (0, 3, 8, 15, 16):
            def damaged(runs, run=run, at=at):
                text = runs[run][at].text()
                runs[run][at].raw = text[:len(text) // 2]
            yield Mutation("compare: damaged lines", f"run {run}", f"line {at + 1} cut", asked(damaged))
            yield Mutation("bundle: compared runs, lines", f"run {run}", f"line {at + 1} cut", asked(damaged, command="bundle"))


def rows():
    for table in (sides_rows, point_rows, slow_rows, lost_rows, context_rows):
        yield from table()
