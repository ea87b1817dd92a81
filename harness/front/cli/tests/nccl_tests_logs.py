# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Logs as nccl-tests 2.17 and later print them, of synthetic nodes whose rates are known: for tests of what is judged after
# `assay import`.
import json
import random

SIZES = (1 << 20, 1 << 24, 1 << 28, 1 << 30)
HEADING = """#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
"""


class Settings:
    """What a run was set to, and what its node does."""

    def __init__(self, **changed):
        self.ranks, self.iterations, self.warmups, self.checked, self.processes = 8, 20, 5, True, 1
        self.busbw_gb_per_s, self.start_us, self.slower, self.noise = 480.0, 20.0, 0.0, 0.007
        self.gpu = "NVIDIA H100 80GB HBM3"
        self.sizes = SIZES
        self.__dict__.update(changed)

    def time_us(self, size, noise):
        seconds = self.start_us + size / (self.busbw_gb_per_s * 1e3) * self.bus_factor()
        return seconds * (1 + self.slower) * (1 + noise)

    def bus_factor(self):
        return 2 * (self.ranks - 1) / self.ranks


def number(value):
    """As the tool fits a number into its column."""
    return f"{value:.2f}" if value < 10000 else f"{value:.1f}"


def head(host, settings):
    gpus = settings.ranks // settings.processes
    text = ("# nccl-tests version 2.17.6 nccl-headers=22809 nccl-library=22809\n# Collective test starting: all_reduce_perf\n"
            f"# nThread 1 nGpus {gpus} minBytes {settings.sizes[0]} maxBytes {settings.sizes[-1]} step: 16(factor) "
            f"warmup iters: {settings.warmups} iters: {settings.iterations} agg iters: 1 "
            f"validation: {int(settings.checked)} graph: 0\n#\n# Using devices\n")
    for rank in range(settings.ranks):
        text += (f"#  Rank {rank:2d} Group  0 Pid {5100 + rank // gpus:6d} on {host:>10s} device {rank:2d} "
                 f"[0000:{0x1b + rank:02x}:00] {settings.gpu}\n")
    return text + HEADING


def log(host, settings, draw):
    """One run; `draw` gives the noise of the next number."""
    text, rates = head(host, settings), []
    for size in settings.sizes:
        text += f"{size:12d}  {size // 4:12d}  {'float':>8s}  {'sum':>6s}  {-1:6d}"
        for _ in range(2):
            time_us = settings.time_us(size, draw())
            algbw = size / time_us * 1e-3
            rates.append(algbw * settings.bus_factor())
            wrong = "0" if settings.checked else "N/A"
            text += f"  {number(time_us):>7s}  {algbw:6.2f}  {rates[-1]:6.2f}  {wrong:>5s}"
        text += "\n"
    return text + (f"# Out of bounds values : 0 OK\n# Avg bus bandwidth    : {sum(rates) / len(rates):g}\n#\n"
                   "# Collective test concluded: all_reduce_perf\n#\n")


def json_with_iterations(host, times_us, size=1 << 20, ranks=8):
    """One size with the time of every iteration, as -J and -I write it."""
    mean = sum(times_us) / len(times_us)
    rate = {"time": mean, "alg_bw": size / mean * 1e-3, "bus_bw": size / mean * 1e-3 * 2 * (ranks - 1) / ranks, "nwrong": 0}
    device = {"rank": 0, "group": 0, "pid": 900, "hostname": host, "device": 0, "device_hex": "0000:1b:00", "device_info": "NVIDIA"}
    return json.dumps({
        "version": 3, "start_time": "2026-07-21 22:41:07", "args": ["all_reduce_perf"], "env": [], "nccl_version": 23007,
        "config": {"nthreads": 1, "ngpus": ranks, "minimum_bytes": size, "maximum_bytes": size, "step_factor": 2, "warmup_iters": 5,
                   "iterations": len(times_us), "aggregated_iterations": 1, "validation": 1, "graph": 0,
                   "blocking_collectives": "false", "per_iter_timing": "true", "per_iter_skip": 1, "devices": [device]},
        "results": [{"size": size, "count": size // 4, "type": "float", "redop": "sum", "root": "    -1", "out_of_place": rate,
                     "out_of_place_per_iter": {"skipped_iterations": 1, "times_us": times_us}, "in_place": rate,
                     "actual_iterations": len(times_us)}],
        "out_of_bounds": {"count": 0, "okay": "true"}, "average_bus_bandwidth": {"bandwidth": rate["bus_bw"], "okay": "unchecked"},
        "errors": [""], "end_time": "2026-07-21 22:41:20"})


def inspector_lines(host, sizes, ranks=8, operations=9, seed=1):
    """What NCCL Inspector writes of an application: an operation of one rank a line, in whole microseconds."""
    generator, settings = random.Random(seed), Settings(ranks=ranks)
    lines = []
    for number_of_operation in range(operations * len(sizes)):
        size = sizes[number_of_operation % len(sizes)]
        for rank in range(ranks):
            time_us = round(settings.time_us(size, 0.01 * generator.random()))
            algbw = size / time_us * 1e-3
            lines.append(json.dumps({
                "header": {"id": "0x7f8c49", "rank": rank, "n_ranks": ranks, "nnodes": 1},
                "metadata": {"inspector_output_format_version": "v4.0", "git_rev": "", "rec_mechanism": "nccl_profiler_interface",
                             "dump_timestamp_us": 1748030377748202, "hostname": host, "pid": 17},
                "coll_perf": {"coll": "AllReduce", "coll_sn": number_of_operation, "coll_msg_size_bytes": size,
                              "coll_exec_time_us": time_us, "coll_timing_source": "kernel_gpu",
                              "coll_algobw_gbs": round(algbw, 6), "coll_busbw_gbs": round(algbw * settings.bus_factor(), 6)}},
                separators=(",", ":")) + "\n")
    return "".join(lines)


def write_fleet(folder, hosts, rounds, seed, settings_of=lambda host, settings: settings, prefix="gx", **settings):
    """{folder}/{host}/{round}.log; what a host loses is its own, what a run varies is normal."""
    generator = random.Random(seed)
    for number_of_host in range(1, hosts + 1):
        host = f"{prefix}{number_of_host:02d}"
        own = settings_of(host, Settings(**settings))
        (folder / host).mkdir(parents=True)
        for round_number in range(1, rounds + 1):
            text = log(host, own, lambda: own.noise * generator.gauss(0, 1))
            (folder / host / f"{round_number}.log").write_text(text, encoding="utf-8")
