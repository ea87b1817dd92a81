# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What a point says, changed under a right CRC: a program that wrote nonsense, or someone who edited a journal.
import dataclasses
import json
import typing

from fleet_questions import accepted, bundled
from made_up_fleet import clean_link, closed, closed_body
from mutation import MAY_PASS, MUST_NOT_PASS, Mutation
from scopes import DIGESTS, LINKS, POINTS, changed_fleet, points_of

NOT_JUDGED = "no judge of fleets reads it"
ALIKE = "it means the same wherever it was measured"
TIMES = "times are held against times; --limits look for the metric"
ANEW = "a module may count its points from 0"
NOBODY = "no unit has it, as on machines that cannot run it"


@dataclasses.dataclass(frozen=True)
class Damage:
    kind: str
    change: typing.Callable  # of a record
    may: str = ""            # why it may pass wherever it stands
    common: str = ""         # why it may pass where all that is alike has it


def at(record, path):
    *folders, key = path.split(".")
    for folder in folders:
        record = record[int(folder)] if isinstance(record, list) else record[folder]
    return record, int(key) if isinstance(record, list) else key


def put(path, value):
    def change(record):
        holder, key = at(record, path)
        holder[key] = value(holder[key]) if callable(value) else value
    return change


def without(path):
    def change(record):
        holder, key = at(record, path)
        del holder[key]
    return change


def times(factor):
    return lambda before: before * factor


def slower(factor):
    """Everything that the point says of its time, in agreement."""
    def change(record):
        for key in ("value_s", "lower_s", "upper_s", "min_s", "max_s", "mean_s"):
            record["time"][key] *= factor
        record["samples_s"] = [sample * factor for sample in record["samples_s"]]
        for metric in record["metrics"]:
            for key in ("value", "lower", "upper"):
                metric[key] /= factor
    return change


def upside_down(record):
    record["time"]["lower_s"], record["time"]["upper_s"] = record["time"]["upper_s"], record["time"]["lower_s"]


def renamed_gpu(record):
    if "gpu" in record["point"]:
        record["key"] = record["key"].replace(f"gpu={record['point']['gpu']}", "gpu=0")


REQUIRED = ("run_id", "process", "sequence", "module", "case", "point", "key", "repetition", "derived", "status", "reason", "started",
            "elapsed_s", "metrics", "work", "stop", "drifting", "iterations_per_sample", "cold_first_s", "warmup", "verification",
            "samples_s", "time", "schema", "record")
MISSING = tuple(Damage(f"{key} missing", without(key)) for key in REQUIRED)
TIME = (
    Damage("time null", put("time", None)),
    Damage("time.value_s null", put("time.value_s", None)),
    Damage("time.value_s 0", put("time.value_s", 0.0)),
    Damage("time.value_s negative", put("time.value_s", times(-1))),
    Damage("time negative, interval too", slower(-1)),
    Damage("time.value_s tiny", put("time.value_s", 1e-30)),
    Damage("time.value_s huge", put("time.value_s", 1e30)),
    Damage("time.value_s text", put("time.value_s", "0.001")),
    Damage("time.value_s doubled", put("time.value_s", times(2))),
    Damage("time.value_s halved", put("time.value_s", times(0.5))),
    Damage("time.value_s missing", without("time.value_s")),
    Damage("time.lower_s null", put("time.lower_s", None)),
    Damage("time.upper_s null", put("time.upper_s", None)),
    Damage("time.lower_s negative", put("time.lower_s", -1.0)),
    Damage("time interval upside down", upside_down),
    Damage("time.n 0", put("time.n", 0)),
    Damage("time.n negative", put("time.n", -5)),
    Damage("time.n null", put("time.n", None)),
    Damage("time.n more than samples", put("time.n", 1000000), may="the samples that are there put the time where it is"),
    Damage("time.quantile 0.99", put("time.quantile", 0.99), common=ALIKE),
    Damage("time.quantile 7", put("time.quantile", 7.0)),
    Damage("time.quantile null", put("time.quantile", None)),
    Damage("time.bounded false", put("time.bounded", False), may="the noise is that between runs, not that within"),
    Damage("time.cv negative", put("time.cv", -1.0), may=NOT_JUDGED),
    Damage("time impossibly fast", slower(1e-12)),
)
SAMPLES = (
    Damage("samples twice the time", put("samples_s", lambda samples: [2 * sample for sample in samples])),
    Damage("samples half the time", put("samples_s", lambda samples: [sample / 2 for sample in samples])),
    Damage("samples a thousandth", put("samples_s", lambda samples: [sample / 1000 for sample in samples])),
    Damage("samples empty", put("samples_s", []), common="journals that keep summaries alone"),
    Damage("samples null", put("samples_s", lambda samples: [None] * len(samples))),
    Damage("one sample null", put("samples_s.0", None)),
    Damage("one sample negative", put("samples_s.0", times(-1))),
    Damage("samples 0", put("samples_s", lambda samples: [0.0] * len(samples))),
    Damage("samples text", put("samples_s", "all of them")),
)
METRICS = (
    Damage("metrics empty", put("metrics", []), may=TIMES),
    Damage("metric null", put("metrics.0.value", None)),
    Damage("metric negative", put("metrics.0.value", times(-1))),
    Damage("metric huge", put("metrics.0.value", 1e12)),
    Damage("metric text", put("metrics.0.value", "715")),
    Damage("metric interval upside down", put("metrics.0.lower", times(3))),
    Damage("metric lower negative", put("metrics.0.lower", -1.0)),
    Damage("metric in another unit", put("metrics.0.unit", "GiB/s"), common=ALIKE),
    Damage("metric of another name", put("metrics.0.name", "speed"), may=TIMES),
)
WORK = (
    Damage("work.bytes doubled", put("work.bytes", lambda count: 2 * count + 8), common=ALIKE),
    Damage("work.flops doubled", put("work.flops", lambda count: 2 * count + 8), common=ALIKE),
    Damage("work.bytes null", put("work.bytes", None), common=ALIKE),
    Damage("work.bytes negative", put("work.bytes", -1.0)),
    Damage("bytes counted otherwise", put("work.bytes_counted", "wire"), common=ALIKE),
    Damage("ranks 16", put("conditions.ranks", 16), common=ALIKE),
    Damage("nodes 2", put("conditions.nodes", 2), common=ALIKE),
)
STATUS = (
    Damage("status failed", put("status", "failed")),
    Damage("status wrong", put("status", "wrong")),
    Damage("status timeout", put("status", "timeout")),
    Damage("status unknown", put("status", "fine")),
    Damage("status null", put("status", None)),
    Damage("status unsupported", put("status", "unsupported"), common=NOBODY),
    Damage("verification wrong", put("verification.result", "wrong")),
    Damage("verification unknown", put("verification.result", "sort of")),
    Damage("verification empty", put("verification.result", "")),
    Damage("stop interrupted", put("stop", "interrupted")),
    Damage("not a performance measurement", put("conditions.not_a_performance_measurement", "drill")),
    Damage("not a performance measurement, of a rank", put("conditions.rank1_not_a_performance_measurement", "drill")),
    Damage("link faulty", put("conditions.link_class", "faulty")),
    Damage("schema 3", put("schema", 3)),
    Damage("schema 0", put("schema", 0)),
    Damage("kind of record unknown", put("record", "pointer")),
    Damage("sequence number of another", put("sequence", 0)),
    Damage("sequence number negative", put("sequence", -3)),
    Damage("process of another", put("process", 7)),
    Damage("run of another", put("run_id", "r9-h99")),
    Damage("key of another GPU", renamed_gpu),
    Damage("conditions a list", put("conditions", [])),
    Damage("elapsed_s negative", put("elapsed_s", -1.0), may=NOT_JUDGED),
    Damage("drifting", put("drifting", True), may="how the loop went; the judge has the spread between runs"),
    Damage("cold_first_s null", put("cold_first_s", None), may=NOT_JUDGED),
)


def linked(change):
    """The same of a point that says something of its links."""
    def changed(record):
        record.setdefault("links", [clean_link(0), clean_link(1)])
        change(record)
    return changed


LINK = tuple(Damage(f"{field} {word}", linked(put(field, word)))
             for field in ("links.0.class", "links.1.class", "conditions.link_class", "conditions.rank1_link_class")
             for word in ("lossy", "faulty", "unknown", "", "rather good")) + (
    Damage("links a text", put("links", "clean")),
    Damage("counters watched below zero", linked(put("links.0.watched", -1))),
    Damage("counter with an unknown outcome", linked(put("links.0.counters", [
        {"counter": "mlx5_0 out_of_sequence", "outcome": "rose", "moved": 1, "class": "lossy", "about": ""}]))),
    Damage("link of a rank twice", linked(put("links.1.rank", 0))),
    Damage("link clean and no counter watched", linked(put("links.0.watched", 0))),
    Damage("link clean and a counter says faulty", linked(put("links.1.counters", [
        {"counter": "mlx5_0 symbol_error", "outcome": "moved", "moved": 3, "class": "faulty", "about": ""}]))),
    Damage("link congested", linked(put("links.0.class", "congested")), may="a full link is no fault; how fast it was is judged"),
)
NO_LINK = (  # of a point over a link
    Damage("no links", without("links")),
    Damage("links empty", put("links", [])),
    Damage("link of a rank missing", lambda record: record["links"].pop()),
    Damage("link of a rank that did not run", lambda record: record["links"].append(clean_link(2))),
)
DIGEST = (
    Damage("digest missing", without("verification.digest")),
    Damage("digest empty", put("verification.digest", "")),
    Damage("digest another", put("verification.digest", "dead000000000001")),
    Damage("digest null", put("verification.digest", None)),
)
SECTIONS = {"missing": MISSING, "time": TIME, "samples": SAMPLES, "metrics": METRICS, "definition": WORK, "status": STATUS}


def fleet_with(scope, damage):
    def change(lines, _round, _host):
        for line in points_of(lines, scope.picks):
            damage.change(line.record)
    return lambda fleet: changed_fleet(fleet, scope, change)


def expectation(scope, damage):
    why = damage.may or (damage.common if scope.common else "")
    if damage.kind == "sequence number of another" and "link" in scope.name:
        why = ANEW
    if damage.kind == "samples empty" and scope.name != "everything":
        why = ""  # others hold theirs
    return {"expect": MAY_PASS if why else MUST_NOT_PASS, "why": why}


def applies(scope, damage):
    """A link has no FLOPs, and only products have a GPU and no bytes."""
    return not (damage.kind == "key of another GPU" and ("link" in scope.name or "host point" in scope.name or scope.common))


def doubled_keys():
    """JSON that says two things of one point, under a right CRC; which of them counts is nowhere stated."""
    for key, value in (("status", "failed"), ("time", None), ("samples_s", []), ("key", "gpu=1"), ("verification", {"result": "wrong", "why": "", "digest": ""})):
        for number, scope in enumerate((POINTS[0], POINTS[4], POINTS[9])):
            def change(lines, _round, _host, key=key, value=value, scope=scope):
                for line in points_of(lines, scope.picks):
                    line.raw = closed(b'{"record":"point",' + json.dumps({key: value}).encode()[1:-1] + b"," + closed_body(line.record)[1:])
            fleet = lambda base, scope=scope, change=change: changed_fleet(base, scope, change)
            yield Mutation("accept: a point's keys", scope.name, f"{key} twice", accepted(fleet))
            if number == 0:
                yield Mutation("bundle: a point's keys", scope.name, f"{key} twice", bundled(fleet))


def rows():
    yield from doubled_keys()
    sections = [(name, damage, POINTS) for name, damages in SECTIONS.items() for damage in damages]
    sections += [("link", damage, LINKS) for damage in LINK] + [("link", damage, LINKS[-2:]) for damage in NO_LINK] + [("digest", damage, DIGESTS) for damage in DIGEST]
    for section, damage, scopes in sections:
        for number, scope in enumerate(scopes):
            if not applies(scope, damage):
                continue
            expected = expectation(scope, damage)
            fleet = fleet_with(scope, damage)
            yield Mutation(f"accept: a point's {section}", scope.name, damage.kind, accepted(fleet), **expected)
            if number in (0, 4, 8):
                yield Mutation(f"bundle: a point's {section}", scope.name, damage.kind, bundled(fleet), **expected)
