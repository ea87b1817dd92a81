# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""Simulated fabrics, as `assay fabric`: what a fabric is, and how long workloads take on it.

A fabric and a workload are files in TOML (docs/fabric.md) or dicts of the same keys. Every answer is simulated.
"""

import json

from . import _assay
from ._inputs import assignments, between, one_of, path_of, paths_of, toml_source, whole

__all__ = ["compare", "describe", "expect", "locate", "place", "simulate", "size"]

_SHARING = ("auto", "bound", "max-min", "occupancy")


def _question(fabric, workload, set, coefficients, store, run, run_order, force, sharing="auto", seeds=None,
              threads=2, journal=None):
    question = _assay.FabricQuestion(toml_source("fabric", fabric), toml_source("workload", workload))
    question.set = assignments(set)
    measured = _assay.MeasuredSource()
    measured.coefficients = paths_of(coefficients)
    measured.store, measured.run, measured.order, measured.force = path_of(store), run, path_of(run_order), force
    question.measured = measured
    question.sharing = one_of("sharing", sharing, _SHARING)
    if seeds is not None:
        question.seeds = whole("seeds", seeds, 1, 100000)
    question.threads = whole("threads", threads, 1, 1024)
    question.journal = path_of(journal)
    return question


def describe(fabric, *, set=(), coefficients=(), store=None, run="", run_order=None, force=False):
    """Counts, ratios, diameter, round trip (microseconds) and cycles of buffers of a fabric.

    set: {"routing.queue_pairs": 16}, keys of the fabric to replace.
    coefficients, store, run, run_order, force: what was measured of it, as the flags of `assay fabric` have it.
    """
    question = _question(fabric, {}, set, coefficients, store, run, run_order, force)
    return json.loads(_assay.fabric_describe(question))


def simulate(fabric, workload, *, set=(), scale_to_measured=False, sharing="auto", seeds=None, threads=2,
             journal=None, coefficients=(), store=None, run="", run_order=None, force=False):
    """Time of each step (microseconds), bandwidth (GB/s), busiest links, slowest ranks, and what would help.

    sharing: how flows share links, "auto", "bound", "max-min" or "occupancy". seeds: hash seeds 1 to that number
    (default: 20, on more than 1,024 GPUs 5 and 8,192 one, where no switch hashes 1).
    journal: a file to append records of every simulation to; fabric and workload are then files.
    scale_to_measured: times of collectives as much longer as the run's were than simulated.
    The other arguments are describe()'s.
    """
    question = _question(fabric, workload, set, coefficients, store, run, run_order, force, sharing, seeds, threads,
                         journal)
    return json.loads(_assay.fabric_simulate(question, scale_to_measured))


def compare(fabric, workload, vary, *, margin="1%", set=(), sharing="auto", seeds=1, threads=2, journal=None,
            coefficients=(), store=None, run="", run_order=None, force=False):
    """The workload's time (microseconds) under every combination of values of keys of the fabric.

    vary: {"routing": ["ecmp", "e-ecmp"]}. margin: times within it are equal, "1%" or 0.01.
    The other arguments are simulate()'s.
    """
    if isinstance(vary, dict):
        vary = [f"{key}={','.join(map(str, values))}" for key, values in vary.items()]
    question = _question(fabric, workload, set, coefficients, store, run, run_order, force, sharing, seeds, threads,
                         journal)
    return json.loads(_assay.fabric_compare(question, list(vary), str(margin)))


def size(fabric, workload, at_most, *, set=(), sharing="auto", seeds=1, threads=2, journal=None, coefficients=(),
         store=None, run="", run_order=None, force=False):
    """Least uplinks, queue pairs, buffer (bytes) or window (bytes) that reach a time, each alone.

    at_most: for the workload, in seconds or with its unit, "12ms". The other arguments are simulate()'s.
    """
    time = at_most if isinstance(at_most, str) else f"{float(at_most):.17g}s"
    question = _question(fabric, workload, set, coefficients, store, run, run_order, force, sharing, seeds, threads,
                         journal)
    return json.loads(_assay.fabric_size(question, time))


def place(fabric, workload, *, names=(), set=(), sharing="auto", seeds=1, threads=2, journal=None, coefficients=(),
          store=None, run="", run_order=None, force=False):
    """An order of ranks that keeps traffic within racks and zones, with times before and after (microseconds).

    names: of servers, in order; none: their numbers. The other arguments are simulate()'s.
    Returns the answer, with "order": [{"host": ..., "gpu": ...}, ...] by rank.
    """
    question = _question(fabric, workload, set, coefficients, store, run, run_order, force, sharing, seeds, threads,
                         journal)
    text, places = _assay.fabric_place(question, list(names))
    return {**json.loads(text), "order": [{"host": host, "gpu": gpu} for host, gpu in places]}


def expect(fabric, store, *, run="", run_order=None, coefficients=(), set=(), sharing="auto", seeds=1, threads=2,
           force=False):
    """Collectives and patterns of a measured run against what the fabric should do with its coefficients.

    store, run: of the run, "" is the latest. Times are in microseconds. The other arguments are simulate()'s.
    """
    question = _question(fabric, {}, set, coefficients, store, run, run_order, force, sharing, seeds, threads)
    return json.loads(_assay.fabric_expect(question))


def locate(fabric, *, pairs=None, store=None, run="", cases="rdma.verbs.pairs", topology="", set=(), ran="auto",
           queue_pair_rule="auto", hosts_per_machine=None, next=4):
    """Which link, cable, switch or host of a fabric explains slow pairs; rates are in GB/s.

    pairs: measured pairs (CSV), or store, run, cases: of a store. topology: "KIND=FILE", ibnetdiscover, lldp or slurm.
    ran: whether pairs of a round ran "together" or "alone". queue_pair_rule: "auto", "slowest", "average".
    hosts_per_machine: hosts in a row that are ports of one machine. next: pairs to measure next. set: as describe().
    """
    question = _assay.LocateQuestion(toml_source("fabric", fabric))
    question.pairs, question.store, question.run, question.cases = path_of(pairs), path_of(store), run, cases
    question.topology, question.set = topology, assignments(set)
    question.ran = one_of("ran", ran, ("auto", "alone", "together"))
    question.rule = one_of("queue_pair_rule", queue_pair_rule, ("auto", "slowest", "average"))
    question.hosts_per_machine, question.next = hosts_per_machine, between("next", next, 0, 1e9)
    return json.loads(_assay.fabric_locate(question))
