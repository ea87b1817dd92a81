# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Figures as a journal: a run for each source and module, every record of origin imported.
from benchmarks.journal import line
from public_h100.figures import peak_of

GPU = {"name": "NVIDIA H100 80GB HBM3", "sm_count": 132}
OWN_TIMES = "times are the commit's; its measurements carry none"


def context_of(run, module, source, gpus):
    return {"record": "context", "schema": 2, "run_id": run, "process": 0, "module": module, "started": source.date, "host": source.name,
            "origin": "imported", "assay_version": "0", "source_revision": source.commit, "command_line": ["import-public-h100"],
            "plan_name": "public-h100", "resumed": False, "plan": {"name": "public-h100", "about": OWN_TIMES}, "environment": None,
            "machine": {"host": source.name, "gpus": [{"index": gpu} | GPU for gpu in range(gpus)], "hcas": []}}


def time_of(figure):
    """No sample was published: n is 0, and nothing bounds the value but what the source gives as least and most."""
    least, most = figure.least_s, figure.most_s
    return {"quantile": 0.5, "confidence": 0.95, "value_s": figure.seconds, "lower_s": least, "upper_s": most, "bounded": False, "n": 0,
            "n_effective": 0.0, "min_s": least, "max_s": most, "mean_s": figure.seconds if figure.source.statistic == "mean" else None,
            "cv": None}


def metrics_of(figure):
    value = {"name": figure.metric, "unit": figure.unit, "value": figure.value}
    if figure.least_s:
        value |= {"lower": figure.rate / figure.most_s, "upper": figure.rate / figure.least_s}
    peak = peak_of(figure)
    if peak is None:
        return [value]
    return [value, {"name": "efficiency", "unit": "", "value": figure.value / peak}, {"name": "peak_tflops", "unit": "TFLOP/s", "value": peak}]


def conditions_of(figure):
    source = figure.source
    stated = {"source": f"{source.project} commit {source.commit}", "grade": figure.grade, "software": source.software,
              "gpu_name": GPU["name"], "statistic": source.statistic, "operands": source.operands, "licence": source.licence}
    if figure.executions:
        stated["executions"] = figure.executions
    if figure.module == "collectives":
        return stated | {"ranks": figure.ranks, "operands": "not stated"}
    if peak_of(figure):
        stated["peak_source"] = "132 SMs x FLOP/cycle/SM of the dtype x 1980 MHz (max SM clock); the source states no clock"
    return stated


def point_of(run, sequence, figure):
    key = ",".join(f"{name}={value}" for name, value in figure.axes.items())
    return {"record": "point", "schema": 2, "run_id": run, "process": 0, "sequence": sequence, "module": figure.module, "case": figure.case,
            "point": figure.axes, "key": key, "repetition": 0, "derived": figure.derived, "status": "ok", "reason": "",
            "started": figure.source.date, "elapsed_s": 0.0, "time": time_of(figure), "metrics": metrics_of(figure),
            "work": figure.work | {"bytes_counted": "as the source counts"}, "stop": "", "drifting": False, "iterations_per_sample": 1,
            "cold_first_s": None, "warmup": {"seconds": 0.0, "samples": 0, "stationary": False, "last_moving": ""},
            "verification": {"result": "not_checked", "why": "imported: " + figure.place, "digest": ""},
            "conditions": conditions_of(figure), "samples_s": []}


def run_text(source, module, ranks, figures):
    run = f"public-h100-{source.name}-{module}" + (f"-{ranks}" if ranks > 1 else "")
    records = [context_of(run, module, source, ranks)]
    records += [point_of(run, at, figure) for at, figure in enumerate(figures)]
    records.append({"record": "end", "schema": 2, "run_id": run, "process": 0, "module": module, "ended": source.date,
                    "points": len(figures), "interrupted": False})
    return "".join(map(line, records))


def journal_text(figures):
    runs = {}
    for figure in figures:
        runs.setdefault((figure.source, figure.module, figure.ranks), []).append(figure)
    return "".join(run_text(*run, chosen) for run, chosen in runs.items())
