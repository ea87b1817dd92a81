# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What is said of a store, put to report and bundle: verdicts of other records, verdicts that were edited, logbooks and checks.
import copy
import json

from fleet_questions import journal_paths
from mutation import CONTROL, MAY_PASS, Mutation
from point_damages import put, slower, without
from scopes import POINTS, changed_fleet, points_of


def reported(change, *flags):
    def ask(workshop):
        said = change(workshop.shared.verdicts)
        path = workshop.file("verdicts.json", said if isinstance(said, (bytes, str)) else json.dumps(said))
        return workshop.run("report", "--store", workshop.shared.store, "-o", workshop.folder / "r.html", "--verdicts", path, *flags)
    return ask


def edited(change):
    def of(verdicts):
        verdicts = copy.deepcopy(verdicts)
        change(verdicts)
        return verdicts
    return of


VERDICTS = {
    "runs missing": without("runs"), "runs empty": put("runs", []), "a run of another store": put("runs.0.run", "r0-h99"),
    "a run's digest another": put("runs.0.digest", "0" * 16), "a run's digest null": put("runs.0.digest", None), "a run left out": put("runs", lambda runs: runs[1:]),
    "all runs of another store": lambda said: [put("run", f"x{at}")(run) for at, run in enumerate(said["runs"])],
    "all digests others": lambda said: [put("digest", f"{at:016x}")(run) for at, run in enumerate(said["runs"])],
    "runs text": put("runs", "all"), "schema another": put("schema", "other"), "schema missing": without("schema"), "version 2": put("schema_version", 2),
    "version missing": without("schema_version"), "verdict unknown": put("verdict", "FINE"), "verdict missing": without("verdict"), "verdict null": put("verdict", None),
    "command missing": without("command"), "rows missing": without("rows"), "rows text": put("rows", "none"), "rows empty": put("rows", []),
    "better than its rows": put("rows.0.verdict", "FAIL"), "better than an undecided row": put("rows.0.verdict", "INCONCLUSIVE"),
    "a row's verdict unknown": put("rows.0.verdict", "OK"), "a row's verdict missing": without("rows.0.verdict"), "a row without unit": without("rows.0.unit"),
    "a row without kind": without("rows.0.kind"), "a row without metric": without("rows.0.metric"), "a row's value text": put("rows.0.value", "fast"),
    "a row a list": put("rows.0", []), "a row null": put("rows.0", None), "all rows excused": lambda said: [put("excused", True)(row) for row in said["rows"]],
    "no rows left, and no runs": lambda said: (put("rows", [])(said), put("runs", [])(said)),
}
TEXTS = {"empty": "", "a list": "[]", "null": "null", "text": "PASS", "cut in the middle": lambda said: json.dumps(said)[:400],
         "cut by a brace": lambda said: json.dumps(said)[:-1], "twice": lambda said: json.dumps(said) * 2, "with text behind": lambda said: json.dumps(said) + "x",
         "zeros": b"\0" * 64, "deep": "[" * 100000,
         "with its rows twice": lambda said: failing(said)[:-1] + ', "rows": ' + json.dumps(said["rows"]) + "}"}


def failing(said):
    said = copy.deepcopy(said)
    put("rows.0.verdict", "FAIL")(said)
    return json.dumps(said)



def verdict_rows():
    yield Mutation("report: controls", "nothing changed", "verdicts of its store", reported(lambda said: said), CONTROL)
    yield Mutation("bundle: controls", "nothing changed", "what a check said", checked(lambda said: said), CONTROL)
    yield Mutation("bundle: controls", "nothing changed", "a logbook", logbook(BOOK), CONTROL)
    for kind, change in VERDICTS.items():
        if kind == "a run left out":
            yield Mutation("report: verdicts", "edited", kind, reported(edited(change)), MAY_PASS, "the run that is reported was judged")
            continue
        yield Mutation("report: verdicts", "edited", kind, reported(edited(change)))
        if "run" not in kind and "digests" not in kind:
            yield Mutation("bundle: checks", "edited", kind, checked(edited(change)))
    for kind, text in TEXTS.items():
        change = text if callable(text) else lambda said, text=text: text
        yield Mutation("report: verdicts", "as a file", kind, reported(change))
        yield Mutation("bundle: checks", "as a file", kind, checked(change))
    yield Mutation("report: verdicts", "as a file", "not there", lambda workshop: workshop.run(
        "report", "--store", workshop.shared.store, "-o", workshop.folder / "r.html", "--verdicts", workshop.folder / "none.json"))
    for scope in POINTS:
        yield Mutation("report: verdicts", scope.name, "of the fleet as it was", of_another_store(scope))


def of_another_store(scope):
    """The sound fleet's verdicts over a store in which some points are other ones."""
    def ask(workshop):
        fleet = changed_fleet(workshop.shared.fleet, scope, lambda lines, _round, _host: [
            slower(1.3)(line.record) for line in points_of(lines, scope.picks)])
        workshop.read_journals(journal_paths(workshop, fleet))
        said = workshop.file("verdicts.json", json.dumps(workshop.shared.verdicts))
        return workshop.run("report", "--store", workshop.store, "-o", workshop.folder / "r.html", "--verdicts", said)
    return ask


def checked(change):
    """What a check said, in a bundle of a sound fleet."""
    def ask(workshop):
        said = change(workshop.shared.check)
        path = workshop.file("check.json", said if isinstance(said, (bytes, str)) else json.dumps(said))
        return workshop.run("bundle", "--store", workshop.shared.store, "-o", workshop.folder / "made.bundle", "--check", path)
    return ask


def logbook(text):
    def ask(workshop):
        path = workshop.file("health.json", text if isinstance(text, bytes) else json.dumps(text))
        return workshop.run("bundle", "--store", workshop.shared.store, "-o", workshop.folder / "made.bundle", "--check-logbook", path)
    return ask


FOUND = {"unit": "GPU 0", "check": "gpu.ecc", "status": "failed", "evidence": "uncorrectable errors", "meaning": "memory fails", "action": "drain"}
STANDING = {"finding": FOUND, "since": "2026-01-02T03:04:05Z", "cleared": "", "reason": ""}
CLEARED = {**STANDING, "cleared": "2026-01-03T03:04:05Z", "reason": "exchanged"}
LAST = {"boot_id": "1", "monotonic_s": 7.0, "next_sequence": 0, "gpu_uuids": {}, "counters": [], "ports": []}
BOOK = {"schema": 1, "last": LAST, "latched": []}


def logbook_rows():
    for kind, latched in {"a failure that stands": [STANDING], "two that stand": [STANDING, STANDING], "latched null": None, "latched an object": {},
                          "latched text": "none", "latched of null": [None], "latched of an empty object": [{}], "latched a number": 0,
                          "cleared null": [{**STANDING, "cleared": None}], "cleared without a reason": [{**CLEARED, "reason": ""}],
                          "cleared true": [{**STANDING, "cleared": True}], "finding missing": [{"since": "", "cleared": "", "reason": ""}],
                          "unknown": [{**STANDING, "finding": {**FOUND, "status": "unknown"}}],
                          "another status": [{**STANDING, "finding": {**FOUND, "status": "fine"}}],
                          "status of a good one": [{**STANDING, "finding": {**FOUND, "status": "good"}}], "one cleared, one not": [CLEARED, STANDING]}.items():
        yield Mutation("bundle: logbooks", "what stands", kind, logbook({**BOOK, "latched": latched}))
    for kind, book in {"latched missing": {"schema": 1, "last": LAST}, "another schema": {**BOOK, "schema": "1"}, "schema missing": {"latched": []},
                       "schema 99": {**BOOK, "schema": 99}, "a list": [], "null": None, "text": "well"}.items():
        yield Mutation("bundle: logbooks", "whole", kind, logbook(book))
    for kind, text in {"empty": b"", "zeros": b"\0" * 50, "cut": json.dumps(BOOK).encode()[:-5], "not UTF-8": b'{"schema":"\xff"}', "in lists": b"[" * 100000,
                       "latched twice": json.dumps({**BOOK, "latched": [STANDING]}).encode()[:-1] + b', "latched": []}'}.items():
        yield Mutation("bundle: logbooks", "as a file", kind, logbook(text))
    yield Mutation("bundle: logbooks", "what stands", "one cleared", logbook({**BOOK, "latched": [CLEARED]}), MAY_PASS, "it was cleared, with a reason")


def show_rows():
    """Tables of what is no store."""
    for table in ("card", "fleet", "runs", "points", "cases", "problems", "corruption", "rdma"):
        for kind, content in {"text": b"store\n" * 500, "empty": b"", "zeros": bytes(4096)}.items():
            def ask(workshop, table=table, content=content):
                workshop.file("store.sqlite", content)
                return workshop.run("show", table, "--store", workshop.store)
            yield Mutation("show: a store exchanged", table, kind, ask)

        def scribbled(workshop, table=table):
            data = bytearray(workshop.shared.store_bytes)
            for page in range(1, len(data) // 32768):
                data[page * 32768 + 9000:page * 32768 + 9064] = bytes(range(64))
            workshop.file("store.sqlite", bytes(data))
            return workshop.run("show", table, "--store", workshop.store)
        yield Mutation("show: a scribbled store", table, "64 bytes of each page", scribbled)


def rows():
    for table in (verdict_rows, logbook_rows, show_rows):
        yield from table()
