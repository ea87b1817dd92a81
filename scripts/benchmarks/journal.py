# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# One round of figures as a run of records, so that `assay compare` judges rounds as it judges any other runs.
import datetime
import json
import math
import zlib


def line(record):
    body = json.dumps(record, separators=(",", ":"))[:-1]
    return f'{body},"crc32":"{zlib.crc32(body.encode()):08x}"}}\n'


def stamp(second):
    begin = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
    return (begin + datetime.timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def context_of(run, start):
    return {"record": "context", "schema": 2, "run_id": run, "process": 0, "module": "benchmark", "started": stamp(start), "host": "here",
            "origin": "measured", "assay_version": "0", "source_revision": "0", "command_line": ["benchmark-all"],
            "plan_name": "benchmark-all", "resumed": False, "plan": {"name": "benchmark-all"}, "environment": None,
            "machine": {"host": "here"}}


def point_of(run, sequence, name, seconds, start):
    summary = {"quantile": 0.5, "confidence": 0.95, "value_s": seconds, "lower_s": seconds, "upper_s": seconds, "bounded": False, "n": 1,
               "n_effective": 1.0, "min_s": seconds, "max_s": seconds, "mean_s": seconds, "cv": 0.0}
    return {"record": "point", "schema": 2, "run_id": run, "process": 0, "sequence": sequence, "module": "benchmark",
            "case": f"benchmark.{name}", "point": {}, "key": "", "repetition": 0, "derived": {}, "status": "ok", "reason": "",
            "started": stamp(start), "elapsed_s": seconds, "time": summary,
            "metrics": [{"name": "time_us", "unit": "us", "value": seconds * 1e6}],
            "work": {"bytes": 0.0, "flops": 0.0, "bytes_counted": ""}, "stop": "samples", "drifting": False, "iterations_per_sample": 1,
            "cold_first_s": seconds, "warmup": {"seconds": 0.0, "samples": 0, "stationary": True, "last_moving": ""},
            "verification": {"result": "not_checked", "why": "", "digest": ""}, "conditions": {}, "samples_s": [seconds]}


def text_of(run, number, seconds_by_name):
    now = 3600 * number
    lines = [line(context_of(run, now))]
    for sequence, (name, seconds) in enumerate(seconds_by_name.items()):
        lines.append(line(point_of(run, sequence, name, seconds, now)))
        now += 1 + math.ceil(seconds)  # a clock that went back is a doubt
    lines.append(line({"record": "end", "schema": 2, "run_id": run, "process": 0, "module": "benchmark", "ended": stamp(now),
                       "points": len(seconds_by_name), "interrupted": False}))
    return "".join(lines)
