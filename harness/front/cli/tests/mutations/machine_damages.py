# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What a context says of its machine, changed: names, parts, serial numbers, and what the equals of a GPU are.
import copy

from fleet_questions import accepted, bundled
from made_up_fleet import GPU_NAME, name_of, run_of
from mutation import CONTROL, MAY_PASS, MUST_NOT_PASS, Mutation
from point_damages import Damage, put, slower, without
from scopes import GPU, HOST, JOURNALS, changed_fleet, contexts_of, of_gpu, points_of

BY_INVENTORY = "equals are equal by inventory, and its inventory is that of the others"
NOT_JUDGED = "no judge of fleets reads it"
TEN = "ten GPUs are of that kind, and are held against each other"
NO_UUID = "no GPU has one, as in journals of other programs: adapters tell machines apart"
ANOTHER_NAME = "a host may have any name, and has one"


def every_gpu(field, value):
    def change(record):
        for gpu in record["machine"]["gpus"]:
            gpu[field] = value(gpu[field]) if callable(value) else value
    return change


def one_gpu(field, value):
    return put(f"machine.gpus.{GPU}.{field}", value)


def no_field(field):
    def change(record):
        for gpu in record["machine"]["gpus"]:
            gpu.pop(field, None)
    return change


def more_gpus(count):
    def change(record):
        gpus = record["machine"]["gpus"]
        for index in range(len(gpus), len(gpus) + count):
            gpus.append({**copy.deepcopy(gpus[0]), "index": index, "uuid": f"GPU-{record['host']}-more{index}", "serial": f"more{index}"})
    return change


REQUIRED = ("run_id", "process", "module", "started", "host", "origin", "assay_version", "source_revision", "command_line", "plan_name",
            "resumed", "plan", "environment", "machine", "schema", "record")
NAMES = (
    Damage("host of another", put("host", name_of(HOST + 1))),
    Damage("host empty", put("host", "")),
    Damage("host null", put("host", None)),
    Damage("process 5", put("process", 5)),
    Damage("process negative", put("process", -1)),
    Damage("schema 3", put("schema", 3)),
    Damage("origin predicted", put("origin", "predicted"), common="all of one origin, and each table says so"),
    Damage("origin imported", put("origin", "imported"), common="all of one origin, and each table says so"),
    Damage("origin unknown", put("origin", "dreamt")),
    Damage("origin empty", put("origin", "")),
    Damage("machine null", put("machine", None)),
    Damage("machine empty", put("machine", {})),
    Damage("machine text", put("machine", "the usual")),
    Damage("command line text", put("command_line", "assay-gemm")),
    Damage("resumed text", put("resumed", "no")),
    Damage("assay of another version", put("assay_version", "0.0.9"), common="all of a round are of one version"),
    Damage("plan of another name", put("plan_name", "full"), may="what was measured is judged, not who asked for it"),
)
PARTS = (
    Damage("GPUs missing from the inventory", put("machine.gpus", [])),
    Damage("GPU list null", put("machine.gpus", None)),
    Damage("GPU list text", put("machine.gpus", "eight")),
    Damage("one GPU fewer than measured", put("machine.gpus", lambda gpus: gpus[:-1])),
    Damage("one GPU that was not measured", more_gpus(1)),
    Damage("four GPUs that were not measured", more_gpus(4)),
    Damage("a GPU of another size", one_gpu("sm_count", 114), common=TEN),
    Damage("a GPU of half the memory", one_gpu("memory_bytes", 42760404992), common=TEN),
    Damage("a GPU without size", put(f"machine.gpus.{GPU}", {"index": GPU, "name": "unknown"})),
    Damage("one UUID twice", lambda record: put(f"machine.gpus.{GPU}.uuid", record["machine"]["gpus"][0]["uuid"])(record)),
    Damage("one UUID for all GPUs of a host", every_gpu("uuid", "GPU-1")),
    Damage("one serial number twice", lambda record: put(f"machine.gpus.{GPU}.serial", record["machine"]["gpus"][0]["serial"])(record)),
    Damage("UUID of another host's GPU", one_gpu("uuid", f"GPU-{HOST + 2:04x}-0000")),
    Damage("serial number of another host's GPU", one_gpu("serial", f"1650{HOST + 2:04d}0000")),
    Damage("adapter of another host", put("machine.hcas.0.node_guid", f"a088:c203:0012:{HOST + 2:04x}")),
    Damage("UUID empty", one_gpu("uuid", "")),
    Damage("UUIDs empty", every_gpu("uuid", ""), common=NO_UUID),
    Damage("UUIDs missing", no_field("uuid"), common=NO_UUID),
    Damage("serial numbers missing", no_field("serial"), may="root alone may read them, and UUIDs tell GPUs apart"),
    Damage("another UUID", one_gpu("uuid", "GPU-new"), common="all journals of a host say so"),
)
EQUAL = (
    Damage("GPU name with a blank behind it", every_gpu("name", GPU_NAME + " "), may=BY_INVENTORY),
    Damage("GPU name in capitals", every_gpu("name", GPU_NAME.upper()), may=BY_INVENTORY),
    Damage("VBIOS of another version", every_gpu("vbios", "96.00.00.00.02"), may=NOT_JUDGED),
    Damage("environment with more in it", put("environment", {"A": "1"}), may=NOT_JUDGED),
    Damage("driver of another version", put("machine.versions", {"driver": "570.00"}), may=NOT_JUDGED),
)
UNEQUAL = (
    ("GPU name with a blank behind it", every_gpu("name", GPU_NAME + " ")),
    ("GPU name in capitals", every_gpu("name", GPU_NAME.upper())),
    ("GPU of another name", every_gpu("name", "NVIDIA H100 PCIe")),
    ("GPU name empty", every_gpu("name", "")),
    ("GPU name missing", no_field("name")),
    ("multiprocessors missing", no_field("sm_count")),
    ("multiprocessors of another kind", every_gpu("sm_count", 114)),
    ("memory of another size", every_gpu("memory_bytes", 42760404992)),
    ("compute capability empty", every_gpu("compute_capability", "")),
    ("compute capability of another kind", every_gpu("compute_capability", "9.1")),
    ("CPU of another name", put("machine.cpu.model", "Example CPU 9000")),
    ("CPU name with a blank behind it", put("machine.cpu.model", "Example CPU 8000 ")),
    ("CPU name empty", put("machine.cpu.model", "")),
)


def fleet_with(scope, damage, loss=0.0, picks=lambda record: True):
    def change(lines, _round, _host):
        for line in contexts_of(lines):
            damage(line.record)
        for line in points_of(lines, picks) if loss else ():
            slower(1 / (1 - loss))(line.record)
    return lambda fleet: changed_fleet(fleet, scope, change)


def expectation(scope, damage):
    all_of_it = scope.name == "all journals" or (scope.name == "all journals of a round" and damage.kind.startswith("assay of")) or (damage.kind == "another UUID" and scope.name == "all journals of a host")
    why = damage.may or (damage.common if all_of_it else "")
    if damage.kind == "another UUID" and scope.name == "all journals":
        why = ""  # then it is one UUID for many GPUs
    return {"expect": MAY_PASS if why else MUST_NOT_PASS, "why": why}


def damage_rows():
    missing = [Damage(f"{key} missing", without(key)) for key in REQUIRED]
    for section, damages in (("context", (*missing, *NAMES)), ("parts", PARTS), ("equals", EQUAL)):
        for damage in damages:
            for scope in JOURNALS:
                expected = expectation(scope, damage)
                fleet = fleet_with(scope, damage.change)
                yield Mutation(f"accept: {section} of a machine", scope.name, damage.kind, accepted(fleet), **expected)
                if scope.name == "one journal":
                    yield Mutation(f"bundle: {section} of a machine", scope.name, damage.kind, bundled(fleet), **expected)


def unequal_rows():
    """One host that calls itself something else, and is slow."""
    one_host, one_journal = JOURNALS[2], JOURNALS[0]
    for kind, change in UNEQUAL:
        for loss in (0.1, 0.3):
            for unit, picks in (("one host", lambda record: True), ("one GPU", of_gpu)):
                if kind.startswith("CPU") and unit == "one GPU":
                    continue
                fleet = fleet_with(one_host, change, loss, picks)
                yield Mutation("accept: a slow unit of another name", unit, f"{kind}, {round(100 * loss)} % slow", accepted(fleet))
        fleet = fleet_with(one_journal, change, 0.3)
        yield Mutation("accept: a slow unit of another name", "one host, last run", f"{kind}, 30 % slow", accepted(fleet))


def renamed(old, new, everywhere):
    def change(lines, _round, _host):
        for line in lines:
            record = line.record
            if record["record"] == "context":
                record["host"] = new
                if everywhere:
                    record["machine"]["host"] = new
            if record["record"] == "point" and everywhere and "host" in record["conditions"]:
                record["conditions"]["host"] = new
    return change


def host_rows():
    for scope in JOURNALS[:3]:
        whole = scope.name == "all journals of a host"
        for everywhere in (False, True):
            fleet = lambda base, scope=scope, everywhere=everywhere: changed_fleet(base, scope, renamed(name_of(HOST), "h77", everywhere))
            kind = "host of a new name" + ("" if everywhere else ", its machine of the old one")
            expected = (MAY_PASS, ANOTHER_NAME) if whole else (MUST_NOT_PASS,)
            yield Mutation("accept: context of a machine", scope.name, kind, accepted(fleet), *expected)


def copied(base, source, host, rounds, change):
    """One host's journals once more, as those of another."""
    fleet = dict(base)
    for round_number in rounds:
        lines = copy.deepcopy(base[run_of(round_number, source)])
        for line in lines:
            line.record["run_id"] = f"r{round_number}-{host}"
            if line.record["record"] == "context":
                line.record["host"] = line.record["machine"]["host"] = host
                change(line.record)
        fleet[f"r{round_number}-{host}"] = lines
    return fleet


def other_serials(record):
    for gpu in record["machine"]["gpus"]:
        gpu["uuid"] += "-x"
        gpu["serial"] += "9"
    for hca in record["machine"]["hcas"]:
        hca["node_guid"] += "9"


def copy_rows():
    for name, change in (("", lambda record: None), (", with other serial numbers", other_serials)):
        for rounds, when in (((0, 1, 2, 3, 4), "all rounds"), ((4,), "the last round")):
            for host in ("h10", "h77"):
                fleet = lambda base, host=host, rounds=rounds, change=change: copied(base, HOST, host, rounds, change)
                yield Mutation("accept: copies", when, f"a host's journals as those of {host}{name}", accepted(fleet))
                yield Mutation("bundle: copies", when, f"a host's journals as those of {host}{name}", bundled(fleet))
    for count in (1, 2, 4):
        fleet = lambda base, count=count: {**base, **{
            f"r{9 + number}-h03": lines for number in range(count)
            for lines in [copied(base, HOST, "h03", (0,), lambda record: None)["r0-h03"]]}}
        yield Mutation("accept: copies", f"{count} times", "a journal under another file name", accepted(fleet), CONTROL)
    for count in (1, 2, 4):
        fleet = lambda base, count=count: again_under_other_runs(base, count)
        yield Mutation("accept: copies", f"{count} times", "a journal under another run id", accepted(fleet))


def again_under_other_runs(base, count):
    fleet = dict(base)
    for number in range(count):
        run, lines = f"r{6 + number}-h03", copy.deepcopy(base[run_of(0, HOST)])
        for line in lines:
            line.record["run_id"] = run
        fleet[run] = lines
    return fleet


def rows():
    for table in (damage_rows, unequal_rows, host_rows, copy_rows):
        yield from table()
