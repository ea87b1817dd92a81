# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# A sound, made-up fleet as the journals that its hosts would write. Times are drawn with a fixed seed; nothing was measured.
import copy
import dataclasses
import json
import random
import zlib

HOSTS = 10
GPUS = 4
ROUNDS = 5
SAMPLES = 12
NOISE = 0.0015  # from run to run; samples spread as much
GPU_NAME = "NVIDIA H100 80GB HBM3"
ORIGIN = "simulated"


@dataclasses.dataclass
class Line:
    """One record of a journal. `raw` stands in the place of the record where the line itself is damaged."""

    record: dict
    raw: bytes | None = None
    crc: bool = True  # False: the CRC of the record before it was changed

    def text(self, before=None):
        if self.raw is not None:
            return self.raw
        body = json.dumps(self.record, separators=(",", ":")).encode()
        return closed(body, closed_body(before) if before is not None and not self.crc else body)


def closed_body(record):
    return json.dumps(record, separators=(",", ":")).encode()


def closed(body, of=None):
    """The line with its CRC, or with the CRC of another one."""
    without_brace = (body if of is None else of)[:-1]
    return body[:-1] + b',"crc32":"%08x"}' % zlib.crc32(without_brace)


def name_of(host):
    return f"h{host:02d}"


def run_of(round_number, host):
    return f"r{round_number}-{name_of(host)}"


def stamp(round_number, host, second):
    return f"2026-01-{2 + round_number:02d}T{3 + host // 60:02d}:{host % 60:02d}:{second:02d}.000Z"


def gpu_of(host, index):
    return {"index": index, "name": GPU_NAME, "uuid": f"GPU-{host:04x}-{index:04x}", "serial": f"1650{host:04d}{index:04d}",
            "vbios": "96.00.99.00.01", "compute_capability": "9.0", "sm_count": 132, "memory_bytes": 85520809984,
            "sm_clock_mhz": 1980, "power_limit_w": 700, "default_power_limit_w": 700, "ecc_mode": "enabled"}


def machine_of(host):
    return {"host": name_of(host), "os": "Debian GNU/Linux 12", "kernel": "6.1.0-example", "product": "Example Server",
            "cpu": {"vendor": "GenuineExample", "model": "Example CPU 8000", "sockets": 2, "cores": 32, "threads": 64},
            "memory": {"bytes": 274877906944}, "gpus": [gpu_of(host, index) for index in range(GPUS)],
            "hcas": [{"device": "mlx5_0", "port": 1, "part": "MT4129", "node_guid": f"a088:c203:0012:{host:04x}",
                      "state": "ACTIVE", "link_layer": "InfiniBand", "rate": "400 Gb/sec (4X NDR)"}],
            "versions": {"driver": "580.00"}}


class Run:
    """Writes one host's run of one round: the modules in turn, their points numbered through."""

    def __init__(self, round_number, host, draw):
        self.round, self.host, self.draw = round_number, host, draw
        self.lines = []
        self.process = -1
        self.sequence = 0
        self.in_process = 0

    def base(self, kind):
        return {"record": kind, "schema": 2, "run_id": run_of(self.round, self.host), "process": self.process}

    def begin(self, module):
        self.process += 1
        self.in_process = 0
        self.module = module
        self.lines.append(Line({
            **self.base("context"), "module": module, "started": stamp(self.round, self.host, 10 * self.process),
            "host": name_of(self.host), "origin": ORIGIN, "assay_version": "0.1.0", "source_revision": "0123456789ab",
            "command_line": [f"assay-{module}", "--plan", "quick"], "plan_name": "quick", "resumed": False, "plan": {"name": "quick"},
            "environment": {"CUDA_DEVICE_ORDER": "PCI_BUS_ID"}, "machine": machine_of(self.host)}))

    def end(self):
        self.lines.append(Line({**self.base("end"), "module": self.module, "ended": stamp(self.round, self.host, 10 * self.process + 9),
                                "points": self.in_process, "interrupted": False}))

    def point(self, case, axes, seconds, metric, work, digest="", conditions=None, parts=None):
        samples = [seconds * self.draw.gauss(1, NOISE) for _ in range(SAMPLES)]
        self.lines.append(Line({
            **self.base("point"), "sequence": self.sequence, "module": self.module, "case": case, "point": axes,
            "key": ",".join(f"{name}={value}" for name, value in axes.items()), "repetition": 0, "derived": {}, "status": "ok",
            "reason": "", "started": stamp(self.round, self.host, 10 * self.process + 1), "elapsed_s": 0.01,
            "time": summary(samples), "metrics": [rate(metric, work, summary(samples))],
            "work": {"bytes": work["bytes"], "flops": work["flops"], "bytes_counted": work["counted"]}, "stop": "interval",
            "drifting": False, "iterations_per_sample": 1, "cold_first_s": 2 * seconds,
            "warmup": {"seconds": 0.05, "samples": 12, "stationary": True, "last_moving": ""},
            "verification": {"result": "right", "why": "every element compared", "digest": digest}, **(parts or {}),
            "conditions": conditions or {"sm_clock_mhz": 1980}, "samples_s": samples}))
        self.sequence += 1
        self.in_process += 1


def summary(samples):
    ordered = sorted(samples)
    n = len(ordered)
    mean = sum(ordered) / n
    return {"quantile": 0.5, "confidence": 0.95, "value_s": (ordered[n // 2 - 1] + ordered[n // 2]) / 2, "lower_s": ordered[2],
            "upper_s": ordered[n - 3], "bounded": True, "n": n, "n_effective": float(n), "min_s": ordered[0], "max_s": ordered[-1],
            "mean_s": mean, "cv": NOISE}


def rate(metric, work, time):
    name, unit = metric
    if unit == "us":
        values = [time[key] * 1e6 for key in ("value_s", "lower_s", "upper_s")]
    else:
        amount = work["flops"] * 1e-12 if unit == "TFLOP/s" else work["bytes"] * 1e-9
        values = [amount / time[key] for key in ("value_s", "upper_s", "lower_s")]
    return {"name": name, "unit": unit, "value": values[0], "lower": values[1], "upper": values[2]}


BANDWIDTH = ("bandwidth_gb_per_s", "GB/s")
COUNTED = "read + write"


def bytes_moved(count):
    return {"bytes": float(count), "flops": 0.0, "counted": COUNTED}


def clean_link(rank):
    return {"rank": rank, "class": "clean", "watched": 43, "counters": []}


def measured(run, seconds):
    """`seconds(case, unit)`: what a point takes, noise of its run included."""
    run.begin("gemm")
    for gpu in range(GPUS):
        flops = {"bytes": 0.0, "flops": 1.1e12, "counted": ""}
        run.point("gemm.cuda.matmul", {"gpu": gpu, "m": 8192, "dtype": "bf16"}, seconds("matmul", gpu), ("tflops", "TFLOP/s"), flops)
    run.end()
    run.begin("memory")
    for gpu in range(GPUS):
        run.point("memory.cuda.copy", {"gpu": gpu, "bytes": 4294967296}, seconds("copy", gpu), BANDWIDTH, bytes_moved(8589934592))
        run.point("memory.cuda.corruption", {"gpu": gpu, "bytes": 1073741824}, seconds("corruption", gpu), BANDWIDTH,
                  bytes_moved(1073741824), digest="00c0ffee00c0ffee", conditions={"library": "example 1.0"})
    run.point("memory.host.copy", {"bytes": 1073741824, "threads": 2}, seconds("host", None), BANDWIDTH, bytes_moved(2147483648))
    run.end()
    run.begin("rdma")
    peer = name_of((run.host + 1) % HOSTS)
    run.point("rdma.write.bandwidth", {"operation": "write", "bytes": 1048576, "device": "mlx5_0"}, seconds("rdma", None), BANDWIDTH,
              bytes_moved(1048576), conditions={"host": name_of(run.host), "ranks": 2},
              parts={"ranks": [{"rank": 1, "conditions": {"host": peer}}], "links": [clean_link(0), clean_link(1)]})
    run.end()


SECONDS = {"matmul": 1.5e-3, "copy": 3.0e-3, "corruption": 0.5e-3, "host": 50e-3, "rdma": 22e-6}


def journals(seed=2, rounds=ROUNDS, hosts=HOSTS):
    """By run id: the lines of each journal of a sound fleet."""
    draw = random.Random(seed)
    fleet = {}
    for round_number in range(rounds):
        for host in range(hosts):
            run = Run(round_number, host, draw)
            measured(run, lambda case, unit: SECONDS[case] * draw.gauss(1, NOISE))
            fleet[run_of(round_number, host)] = run.lines
    return fleet


def copy_of(fleet, runs):
    """The fleet with these runs free to be changed."""
    return {run: copy.deepcopy(lines) if run in runs else lines for run, lines in fleet.items()}


def text_of(lines, before=None):
    return b"".join(line.text(before[at].record if before is not None and at < len(before) else None) + b"\n"
                    for at, line in enumerate(lines))
