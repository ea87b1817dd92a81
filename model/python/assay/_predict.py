# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""assay.predict, assay.sweep, assay.search and assay.count_space."""

import os

from . import _assay
from ._inputs import answer_of, assignments, between, is_file, json_source, one_of, path_of, switch, whole

_DATATYPES = ("float8", "float16", "bfloat16", "float32")
_STATUSES = ("ok", "infeasible", "rejected")


def _put_choice(choice, rules, coefficients, coefficients_dtype):
    choice.model = "assay" if one_of("rules", rules, ("calculon", "assay")) == "assay" else ""
    choice.coefficients = [path_of(coefficients)] if is_file(coefficients) else [path_of(one) for one in coefficients]
    choice.coefficients_dtype = coefficients_dtype
    return choice


def predict(model, system, execution, *, rules="calculon", coefficients=(), coefficients_dtype=""):
    """Predict the time of one training step, as `assay predict --json`.

    model, system, execution: Calculon's three files, or dicts of the same keys.
    rules: "calculon", or "assay" for its faults fixed, more keys and measured times.
    coefficients: files of `assay fit`, "TIER=FILE" where one is of another network than 0 (rules "assay" only).
    coefficients_dtype: take the coefficients of this dtype in place of the execution's.

    Returns {"status": "ok", "stats": {...}, ...} with stats in seconds, bytes, bytes/s and FLOP, or
    {"status": "infeasible", "reason": ...}. Raises UsageError for what cannot be used.
    """
    return answer_of(_assay.predict(json_source("model", model), json_source("system", system),
                                    json_source("execution", execution),
                                    _put_choice(_assay.ModelChoice(), rules, coefficients, coefficients_dtype)))


def sweep(model, system, execution, over, *, stats=(), rules="calculon", coefficients=(), coefficients_dtype=""):
    """Predict one step for each row of columns: the same numbers as predict(), as NumPy arrays.

    over: {"tensor_par": array, "model.seq_size": array, "system.networks[0].size": array, ...}; a key without opening is
        the execution's. Arrays have one length; a single value stands for all rows.
    stats: the names of predict()'s stats that are wanted; none: all. Seconds, bytes, bytes/s, FLOP.

    Returns a dict of arrays: each stat as float64 (NaN where a row has no step, inf where no bandwidth is enough),
    "status" ("ok", "infeasible", "rejected": values that do not go together) and "reason".
    Ctrl-C ends it after some thousand rows. The other arguments are predict()'s.
    """
    import numpy

    columns = [(key, numpy.atleast_1d(numpy.asarray(values))) for key, values in over.items()]
    for key, values in columns:
        if values.ndim != 1:
            raise _assay.UsageError(f"sweep: {key}: expected one dimension, got {values.ndim}")
    rows = max((len(values) for _, values in columns), default=0)
    columns = [(key, numpy.repeat(values, rows) if len(values) == 1 else values) for key, values in columns]
    sources = [json_source("model", model), json_source("system", system), json_source("execution", execution)]
    choice = _put_choice(_assay.ModelChoice(), rules, coefficients, coefficients_dtype)
    names, numbers, statuses, reasons = _assay.sweep(sources, choice, columns, list(stats))
    answer = {name: numbers[:, at] for at, name in enumerate(names)}
    answer["status"] = numpy.array(_STATUSES)[statuses]
    answer["reason"] = numpy.array(reasons, dtype=object)
    return answer


def _search_question(model, system, processors, max_batch, datatype, rules, coefficients, coefficients_dtype, fused,
                     fused_attention, set):
    question = _assay.SearchQuestion(json_source("model", model), json_source("system", system))
    question.processors = whole("processors", processors, 1, 1e9)
    question.max_batch = whole("max_batch", max_batch, 1, 1e9)
    question.datatype = one_of("datatype", datatype, _DATATYPES)
    question.fused = switch(fused)
    question.fused_attention = switch(fused_attention)
    question.settings = assignments(set)
    return _put_choice(question, rules, coefficients, coefficients_dtype)


def search(model, system, processors, max_batch, datatype, *, rules="calculon", coefficients=(), coefficients_dtype="",
           fused=True, fused_attention="both", set=(), at_most=(), at_least=(), top=10, pareto=False,
           sensitivity=False, plus_minus=10.0, threads=None):
    """Find the fastest ways to spread a training over processors, as `assay search --json`.

    processors: all are used. max_batch: sequences a step at most. datatype: "float8", "float16", "bfloat16", "float32".
    fused, fused_attention: True, False or "both". set: {"networks[0].size": 16}, values of the system to replace.
    at_most, at_least: {"memory": "80GB", "step": "12.5s", "mfu": "50%", "tensor": 8}.
    top: how many to return. pareto: also the front of speed, memory (bytes) and offload bandwidth (bytes/s).
    sensitivity: also the optimum with each coefficient at both ends of its interval, or plus_minus percent off.
    threads: default: all processors.

    Returns {"0": {"execution": ..., "stats": ...}, ...}, best first, stats in seconds, bytes, bytes/s and FLOP; with
    pareto or sensitivity below "best". Nothing fits: no entry. With these or rules "assay" also "counts": of all,
    placed and fitting configurations, and of evaluations done and avoided by a bound. The other arguments are predict()'s.
    """
    question = _search_question(model, system, processors, max_batch, datatype, rules, coefficients,
                                coefficients_dtype, fused, fused_attention, set)
    question.at_most, question.at_least = assignments(at_most), assignments(at_least)
    question.top = whole("top", top, 1, 1e9)
    question.pareto, question.sensitivity = pareto, sensitivity
    question.plus_minus = between("plus_minus", plus_minus, 0.01, 50)
    question.threads = whole("threads", threads or os.cpu_count() or 1, 1, 1024)
    return answer_of(_assay.search(question))


def count_space(model, system, processors, max_batch, datatype, *, rules="calculon", coefficients=(),
                coefficients_dtype="", fused=True, fused_attention="both", set=()):
    """The number of configurations that search() has to look at (a count, without unit), as `assay search --count`.

    The arguments are search()'s.
    """
    return _assay.count_space(_search_question(model, system, processors, max_batch, datatype, rules, coefficients,
                                               coefficients_dtype, fused, fused_attention, set))
