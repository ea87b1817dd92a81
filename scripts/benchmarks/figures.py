# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Every figure of speed: what a user waits for, the command that measures it, and how its output is read. All are seconds.
import dataclasses
import json
import re

GOOGLE = ["--benchmark_format=json"]
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


class Failed(Exception):
    pass


def wall(done):
    return done.seconds


def after(pattern, scale=1.0):
    """The number that the pattern's group finds in the output, times `scale`."""

    def read(done):
        found = re.search(pattern, done.output)
        if not found:
            raise Failed(f"no '{pattern}' in the output of {' '.join(done.words)}: {done.output.strip()[-200:]}")
        return scale * float(found.group(1))

    return read


def is_named(row, name):
    """Google Benchmark adds settings to a name: search/threads:2/real_time."""
    return row == name or row.startswith(name + "/")


def google(name, share_of=1.0):
    """The real time of one benchmark of Google Benchmark, or that over `share_of`."""

    def read(done):
        try:
            rows = json.loads(done.output)["benchmarks"]
        except (ValueError, KeyError) as error:
            raise Failed(f"{' '.join(done.words)} printed no JSON of Google Benchmark: {error}") from error
        for row in rows:
            if is_named(row["name"], name):
                return row["real_time"] * UNITS[row["time_unit"]] / share_of
        raise Failed(f"{' '.join(done.words)} printed no benchmark '{name}'")

    read.benchmark = name
    return read


def rate(pattern):
    """Seconds for one of what the pattern counts a second."""
    return lambda done: 1 / after(pattern)(done)


@dataclasses.dataclass(frozen=True)
class Figure:
    name: str  # of the point in records
    what: str  # of one time
    words: tuple  # the command: the first is a program of the build; {data} is a folder that stays
    read: object
    needs: str = ""  # an input made once: a name of INPUTS
    exits: tuple = (0,)
    wanted: float = 0  # seconds that users should wait at most; 0: unstated


# Inputs that all builds read: the first build makes them.
INPUTS = {
    "fleet.sqlite": ("make_fleet_store", "{data}/fleet.sqlite"),
    "million.sqlite": ("make_store", "{data}/million.sqlite", "1000000"),
    "repeated.sqlite": ("make_store", "{data}/repeated.sqlite", "1000000", "repeated"),
}

FABRIC = ("fabric_bench", *GOOGLE, "--benchmark_filter=^(all_to_all|training|hundred|listed|occupancy_24576_gpus/queue_pairs:4)")
SEARCH = ("search_bench", *GOOGLE, "--benchmark_filter=^exhaustive_1t")


def simulated(workload):
    folder = "{source}/model/examples/fabric"
    return ("assay", "fabric", "simulate", f"{folder}/data-centre.toml", f"{folder}/{workload}.toml", "--seeds", "1")


FIGURES = (
    Figure("import.record", "import: one record", ("import_rate", "{data}/import", "600"), rate(r"([0-9.]+) records/s"), wanted=1.25e-6),
    Figure("import.write", "of that, the store's thread: one record", ("import_rate", "{data}/import", "600"),
           after(r"([0-9.]+) us that write", 1e-6)),
    Figure("tables.slowest", "the slowest table of 1,000,000 points", ("show_seconds", "{data}/million.sqlite"),
           after(r"slowest +([0-9.]+) s"), "million.sqlite", (0, 1), wanted=0.2),
    Figure("card.million", "the card of 1,000,000 points", ("assay", "show", "card", "--store", "{data}/million.sqlite"), wall,
           "million.sqlite", wanted=0.5),
    Figure("card.repeated", "the card of 1,000,000 points that are repetitions, all read",
           ("assay", "show", "card", "--store", "{data}/repeated.sqlite"), wall, "repeated.sqlite", wanted=0.5),
    Figure("report.million", "the report of 1,000,000 points, 10,000 of each case drawn",
           ("assay", "report", "--store", "{data}/million.sqlite", "-o", "{data}/million.html"), wall, "million.sqlite"),
    Figure("accept.fleet", "accept: 24,000 GPUs, 960,000 points", ("assay", "accept", "--store", "{data}/fleet.sqlite"), wall,
           "fleet.sqlite", (0, 1, 3), wanted=0.4),
    Figure("store.pages", "the pages of that store with their checksums, one thread", ("row_rate", "{data}/fleet.sqlite"),
           after(r"checksums: ([0-9.]+) s"), "fleet.sqlite"),
    Figure("store.rows", "SQLite's rows of it, one thread", ("row_rate", "{data}/fleet.sqlite"),
           after(r"fleets: ([0-9.]+) s"), "fleet.sqlite"),
    Figure("search.calculon", "search: 1T on 4,096, 10,295,264 mappings", SEARCH, google("exhaustive_1t/threads:2"), wanted=0.1),
    Figure("search.assay", "the same, --model assay, twice the mappings", SEARCH, google("exhaustive_1t_by_assay/threads:2"),
           wanted=0.3),
    Figure("model.evaluation", "one evaluation of the model", ("model_bench", *GOOGLE), google("whole_evaluation"), wanted=0.5e-6),
    Figure("model.batch_line", "one line of a batch", ("batch_bench", *GOOGLE), google("lines_that_differ"), wanted=10e-6),
    Figure("loop.point", "measuring loop: a point of 100 samples", ("harness_bench", *GOOGLE), google("loop_per_sample/100"),
           wanted=50e-6),
    Figure("loop.sample", "measuring loop: one more sample", ("harness_bench", *GOOGLE), google("loop_per_sample/100000", 1e5)),
    Figure("fabric.all_to_all", "fabric: all-to-all, 24,576 GPUs", FABRIC, google("all_to_all_24576_gpus/enhanced:0")),
    Figure("fabric.step", "fabric: step of ten collectives, 24,576 GPUs", FABRIC, google("training_step_24576_gpus")),
    Figure("fabric.seeds", "fabric: 100 seeds of 1,024 GPUs, 4 queue pairs", FABRIC, google("hundred_seeds_of_1024_gpus/queue_pairs:4")),
    Figure("fabric.occupancy", "fabric: occupancy sharing, 24,576 GPUs, 4 queue pairs", FABRIC,
           google("occupancy_24576_gpus/queue_pairs:4/permutation:0")),
    Figure("fabric.permutation", "fabric: the same, a random permutation", FABRIC,
           google("occupancy_24576_gpus/queue_pairs:4/permutation:1"), wanted=0.7),
    Figure("fabric.command.ring", "fabric simulate: ring, 24,576 GPUs", simulated("ring-24k"), wall, wanted=0.1),
    Figure("fabric.command.halving_doubling", "the same, halving-doubling", simulated("halving-doubling-24k"), wall, wanted=0.6),
    Figure("fabric.command.all_to_all", "the same, all-to-all at once", simulated("all-to-all-24k"), wall, wanted=2),
    Figure("fabric.listed", "fabric: 3,440 hosts and 256 switches from a list of cables", FABRIC, google("listed_3440_hosts/on_spines:0"), wanted=0.5),
    Figure("reliability", "reliability of 16,384 GPUs",
           ("assay", "reliability", "--gpus", "16384", "--rates", "{source}/model/examples/rates/llama-3.toml"), wall, wanted=0.2),
)


def programs(figures):
    """Targets that these figures need, each once."""
    words = [figure.words[0] for figure in figures] + [INPUTS[figure.needs][0] for figure in figures if figure.needs]
    return sorted(set(words))
