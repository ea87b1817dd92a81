# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""assay.fit and assay.reliability."""

import json

from . import _assay
from ._inputs import answer_of, between, bytes_text, path_of, time_text, toml_source, whole


def fit(kind, *, csv=None, store=None, runs=("latest",), filter="", seed=1, keep_out=0, multiprocessors=None,
        output=None):
    """Fit coefficients of a machine to timings, as `assay fit KIND`.

    kind: "gemm", "collectives", "memory", "vector", "links", "loggp", "interference", "overlap", or "all" of a store.
    csv: a file of timings in microseconds (docs/reference/files.md), or
    store, runs, filter: a store of records, its runs, and a glob over cases or case/point.
    seed: of splits and bootstrap. keep_out: percent of the rows (0 to 90) kept for `assay fit evaluate`.
    multiprocessors: of the GPU, for "gemm" and "all" (default: what the rows say, else 132).

    Returns the content of the file of coefficients (units as its keys say) and writes it to `output` where given.
    """
    source = _assay.FitSource()
    source.csv, source.store, source.filter = path_of(csv), path_of(store), filter
    source.runs = [runs] if isinstance(runs, str) else list(runs)
    if not source.csv and not source.store:
        raise _assay.UsageError("fit: expected csv or store")
    choices = _assay.FitChoices()
    choices.seed = whole("seed", seed, 0, 2**63 - 1)
    choices.keep_out_percent = whole("keep_out", keep_out, 0, 90)
    if multiprocessors is not None:
        choices.multiprocessors = whole("multiprocessors", multiprocessors, 1, 100000)
    return answer_of(_assay.fit(kind, source, choices, path_of(output)))


def _refuse_both(name, is_given, **others):
    for other, is_other_given in others.items():
        if is_given and is_other_given:
            raise _assay.UsageError(f"reliability: {name} excludes {other}")


def reliability(rates=None, gpus=None, *, mtbf=None, interval=None, stall="5s", write=None, detect=None,
                diagnose=None, recovery="5m", repair="2d", service="1000d", checkpoint=None, rank_spread_from=None,
                run="", state=None, front_end=0.0, ingest=0, logs=0, probability=0.99, rank_spread=0.0, slower=0.0,
                run_days=0.0, probe_hours=0.0):
    """What failures cost a job: time between them, checkpoint interval, spares, as `assay reliability --json`.

    rates: failures by component, a file or a dict, with gpus, of the job; or
    mtbf: mean time between failures of the whole job, in place of both.
    interval, stall, write, detect, diagnose, recovery, repair, service: seconds, or a time with unit, "5m", "2d".
    checkpoint, rank_spread_from: stores that measured them; run: of the store, "" is the latest.
    state: bytes that a GPU saves. front_end: Gbit/s of a node. ingest: bytes/s of a GPU. logs: bytes/s of a node.
    probability: that a spare node is there. rank_spread, slower: percent. run_days: days. probe_hours: hours.

    Returns hours, seconds, shares and counts, as its keys say. Fleets (logbooks) are for the command line.
    """
    _refuse_both("mtbf", mtbf is not None, rates=rates is not None, gpus=gpus is not None,
                 rank_spread=rank_spread != 0, rank_spread_from=rank_spread_from is not None, run_days=run_days != 0)
    _refuse_both("checkpoint", checkpoint is not None, stall=stall != "5s", write=write is not None)
    _refuse_both("rank_spread", rank_spread != 0, rank_spread_from=rank_spread_from is not None)
    question = _assay.ReliabilityQuestion()
    if rates is not None:
        question.rates, question.rates_toml = toml_source("rates", rates)
    if gpus is not None:
        question.gpus = between("gpus", gpus, 1, 1e9)
    times = {"mean_time": mtbf, "interval": interval, "stall": stall, "write": write, "detect": detect,
             "diagnose": diagnose, "recovery": recovery, "repair": repair, "service": service}
    for name, value in times.items():
        setattr(question, name, time_text(value))
    question.checkpoint, question.spread_store, question.run = path_of(checkpoint), path_of(rank_spread_from), run
    question.state, question.ingest, question.logs = bytes_text(state), bytes_text(ingest), bytes_text(logs)
    question.front_end_gbit_per_s = between("front_end", front_end, 0, 1e6)
    question.probability = between("probability", probability, 0.0001, 0.999999999)
    question.spread = between("rank_spread", rank_spread, 0, 100)
    question.slower = between("slower", slower, 0, 1e4)
    question.run_days = between("run_days", run_days, 0, 1e5)
    question.probe_hours = between("probe_hours", probe_hours, 0, 1e5)
    return json.loads(_assay.reliability(question))
