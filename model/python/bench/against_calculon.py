#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""How much faster assay.sweep() predicts than Calculon's own Python, on one processor.

usage: PYTHONPATH=BUILD/python against_calculon.py CALCULON [ROWS [ROUNDS]]

CALCULON: a checkout of github.com/calculon-ai/calculon (it needs python3-psutil). ROWS: of the sweep (100,000). Calculon answers every
five-hundredth of them. Both take turns, ROUNDS (5) times; processor time of this process, medians. Where both have a
step, its time is compared too.
"""

import json
import logging
import pathlib
import statistics
import sys
import time

import assay
import numpy

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
PROCESSORS, BATCH, SHARE = 4096, 3072, 500


def executions(base, rows):
    """Columns of ways to spread 4,096 processors that go together."""
    random = numpy.random.default_rng(1)
    tensor, pipeline = 2 ** random.integers(0, 6, rows), 2 ** random.integers(0, 6, rows)
    return {**{key: numpy.repeat(value, rows) for key, value in base.items()},
            "num_procs": numpy.full(rows, PROCESSORS), "batch_size": numpy.full(rows, BATCH),
            "tensor_par": tensor, "pipeline_par": pipeline, "data_par": PROCESSORS // (tensor * pipeline),
            "tensor_par_net": numpy.zeros(rows, int), "pipeline_par_net": numpy.ones(rows, int),
            "data_par_net": numpy.ones(rows, int), "microbatch_size": numpy.ones(rows, int),
            "pipeline_interleaving": numpy.ones(rows, int),
            "activation_recompute": random.choice(["none", "attn_only", "full"], rows),
            "optimizer_sharding": random.random(rows) < 0.5, "data_par_overlap": numpy.full(rows, False),
            "tensor_par_overlap": numpy.repeat("none", rows)}


def seconds_of(work):
    begin = time.process_time()
    result = work()
    return time.process_time() - begin, result


class Calculon:
    def __init__(self, folder, model, system):
        sys.path.insert(0, folder)
        from calculon import System
        from calculon.llm import Llm

        self.llm = Llm
        self.application, self.system = Llm.Application(model), System(system)
        self.log = logging.getLogger("calculon")

    def answer(self, execution):
        """Its stats, or None where it has no step."""
        model = self.llm(self.application, self.log)
        try:
            model.compile(self.system, self.llm.Execution.from_json(execution))
            model.run(self.system)
        except (self.llm.Error, AssertionError):
            return None
        return model.get_stats_json(False)


def rows_as_dicts(over, rows):
    return [{key: column[row].item() for key, column in over.items()} for row in rows]


def main(arguments):
    if not 1 <= len(arguments) <= 3:
        print(__doc__, file=sys.stderr)
        return 2
    rows, rounds = (int(arguments[1]) if len(arguments) > 1 else 100_000), (int(arguments[2]) if len(arguments) > 2 else 5)
    files = [json.loads((EXAMPLES / name).read_text(encoding="utf-8")) for name in ("gpt3_175b.json", "calculon-h100.json")]
    base = json.loads((EXAMPLES.parents[1] / "harness/front/cli/tests/predict/execution.json").read_text(encoding="utf-8"))
    over, peer = executions(base, rows), Calculon(arguments[0], *files)
    chosen = range(0, rows, SHARE)
    asked = rows_as_dicts(over, chosen)
    ours, theirs = [], []
    for _ in range(rounds):
        spent, swept = seconds_of(lambda: assay.sweep(*files, base, over))
        ours.append(spent / rows)
        spent, answers = seconds_of(lambda: [peer.answer(dict(one)) for one in asked])
        theirs.append(spent / len(asked))
    off, steps = 0.0, 0
    for row, stats in zip(chosen, answers):
        if (stats is None) != (swept["status"][row] != "ok"):
            raise SystemExit(f"row {row}: {swept['status'][row]} {swept['reason'][row]}; Calculon: {stats is not None}")
        if stats is not None:
            steps += 1
            off = max(off, abs(swept["total_time"][row] / stats["total_time"] - 1))
    mine, its = statistics.median(ours), statistics.median(theirs)
    print(f"assay.sweep: {rows} predictions in {rows * mine:.2f} s, {1e6 * mine:.2f} us each; "
          f"{numpy.count_nonzero(swept['status'] == 'ok')} have a step")
    print(f"Calculon: {1e6 * its:.0f} us each; {steps} of {len(asked)} have a step; step times differ by {off:.1e} at most")
    print(f"ratio: {its / mine:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
