# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Units that are slow, in one run or in those that follow, alone or among others that are too fast.
import made_up_fleet
from fleet_questions import PLACES, accepted, bundled
from mutation import CONTROL, MAY_PASS, MUST_NOT_PASS, Mutation
from made_up_fleet import HOSTS, ROUNDS
from point_damages import slower
from scopes import EVERY_HOST, GPU, HOST, Scope, changed_fleet, gpu_product, of_gpu, points_of, product, rdma

LATER_RUNS = "four later runs measured the unit sound"
HOUR = "what slows all of one round is the hour"
EQUALS = "equals that are all slow are equal: --limits are for that"
FAST = "one unit is faster than the others, which is no loss; a note tells it"
ALL_BUT_ONE = "all hosts but one"
LOSSES = (0.05, 0.10, 0.20, 0.30)
ROUNDS_OF = {"every run": tuple(range(ROUNDS)), "the later runs": (2, 3, 4), "all but the first run": (1, 2, 3, 4),
             "the last two runs": (3, 4), "the last run": (4,), "every second run": (1, 3)}
UNITS = {
    "one metric of a GPU": ((HOST,), gpu_product),
    "one GPU": ((HOST,), of_gpu),
    "one host": ((HOST,), lambda record: True),
    "the host's own point": ((HOST,), lambda record: record["case"] == "memory.host.copy"),
    "one link": ((HOST,), rdma),
    "one switch": (tuple(range(5, 10)), lambda record: True),
    "two hosts": ((1, 6), lambda record: True),
    "half of the hosts": (tuple(range(0, 10, 2)), lambda record: True),
    ALL_BUT_ONE: (tuple(range(9)), lambda record: True),
    "one GPU of each host": (EVERY_HOST, of_gpu),
}


def with_speeds(*parts):
    """Each part: scope and factor of the time."""
    def fleet(base):
        for scope, factor in parts:
            base = changed_fleet(base, scope, lambda lines, _round, _host, scope=scope, factor=factor: [
                slower(factor)(line.record) for line in points_of(lines, scope.picks)])
        return base
    return fleet


def slow_rows():
    for unit, (hosts, picks) in UNITS.items():
        for when, rounds in ROUNDS_OF.items():
            for loss in LOSSES:
                fleet = with_speeds((Scope(unit, hosts, rounds, picks), 1 / (1 - loss)))
                kind = f"{round(100 * loss)} % slow in {when}"
                expected = (MAY_PASS, FAST) if unit == ALL_BUT_ONE else (MUST_NOT_PASS,)
                yield Mutation("accept: slow units", unit, kind, accepted(fleet), *expected)
                if loss == 0.20:
                    yield Mutation("bundle: slow units", unit, kind, bundled(fleet), *expected)
                if loss == 0.10 and when == "every run":
                    yield Mutation("accept: slow units, placed", unit, kind, placed(fleet), *expected)


def placed(fleet, places=PLACES):
    def ask(workshop):
        return accepted(fleet, "--places", workshop.file("places.csv", places))(workshop)
    return ask


def fast_rows():
    slow_gpu = (Scope("", (HOST,), picks=of_gpu), 1 / 0.8)
    slow_host = (Scope("", (HOST,)), 1 / 0.7)
    for count in (1, 2, 3, 5):
        for factor in (0.7, 0.5, 0.1):
            fast = (Scope("", tuple(range(HOSTS - count, HOSTS))), factor)
            kind = f"{count} hosts {round(100 * (1 / factor - 1))} % too fast"
            yield Mutation("accept: slow beside fast", "a GPU 20 % slow", kind, accepted(with_speeds(fast, slow_gpu)))
            yield Mutation("accept: slow beside fast", "a host 30 % slow", kind, accepted(with_speeds(fast, slow_host)))
    one = with_speeds((Scope("", (HOST,), picks=of_gpu), 0.7))
    yield Mutation("accept: slow beside fast", "alone", "one GPU 43 % too fast", accepted(one), MAY_PASS, FAST)


def rows_that_may_pass():
    for loss in LOSSES:
        for unit, (hosts, picks) in UNITS.items():
            kind = f"{round(100 * loss)} % slow in the first run"
            fleet = with_speeds((Scope(unit, hosts, (0,), picks), 1 / (1 - loss)))
            yield Mutation("accept: slow units", unit, kind, accepted(fleet), MAY_PASS, LATER_RUNS)
        for when, rounds, why in (("one round", (4,), HOUR), ("every round", tuple(range(ROUNDS)), EQUALS)):
            fleet = with_speeds((Scope("", EVERY_HOST, rounds), 1 / (1 - loss)))
            yield Mutation("accept: slow units", "all hosts", f"{round(100 * loss)} % slow in {when}", accepted(fleet), MAY_PASS, why)


def few_rounds():
    """Of fewer runs nothing is shown, and of one slow unit among them even less."""
    for rounds in (1, 2, 3, 4):
        runs = [f"r{number}-" for number in range(rounds)]

        def fleet(base, runs=tuple(runs)):
            return {run: lines for run, lines in base.items() if run.startswith(runs)}
        slow = with_speeds((Scope("", (HOST,), tuple(range(rounds)), of_gpu), 1 / 0.8))
        yield Mutation("accept: few runs", "one GPU", f"20 % slow in {rounds} runs", accepted(lambda base, fleet=fleet, slow=slow: fleet(slow(base))))
    for hosts in (1, 2, 4, 7):
        scope = f"{hosts} hosts"
        for loss in (0.0, 0.2):
            def fleet(base, hosts=hosts, loss=loss):
                few = {run: lines for run, lines in base.items() if int(run[-2:]) < hosts}
                return with_speeds((Scope("", (0,), picks=product), 1 / (1 - loss)))(few) if loss else few
            yield Mutation("accept: few runs", scope, f"the first {round(100 * loss)} % slow" if loss else "alone", accepted(fleet),
                           *((MAY_PASS, "enough GPUs to be equals") if not loss else (MUST_NOT_PASS,)))


def controls():
    for seed in (2, 3, 4, 5, 6, 7):
        def fleet(_base, seed=seed):
            return made_up_fleet.journals(seed)
        yield Mutation("accept: controls", "nothing changed", f"seed {seed}", accepted(fleet), CONTROL)
    yield Mutation("accept: controls", "nothing changed", "with places", placed(lambda base: base), CONTROL)
    yield Mutation("bundle: controls", "nothing changed", "a sound fleet", bundled(lambda base: base), CONTROL)
    yield Mutation("accept: controls", "one host's journals last", "read in another order", accepted(
        lambda base: dict(sorted(base.items(), key=lambda one: (one[0].endswith("h03"), one[0])))), CONTROL)


def rows():
    for table in (controls, slow_rows, fast_rows, rows_that_may_pass, few_rounds):
        yield from table()
