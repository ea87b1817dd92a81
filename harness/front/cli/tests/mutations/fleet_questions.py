# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Puts a changed fleet to import and then to accept, or to bundle.
from made_up_fleet import HOSTS, name_of, text_of

PLACES = "host,switch,rail\n" + "".join(f"{name_of(host)},s{host // 5},\n" for host in range(HOSTS))
LIMITS = """\
about = "made up"

[machine]
gpu = "NVIDIA H100 80GB HBM3*"
gpus = 4

[[limit]]
case = "gemm.cuda.matmul"
point = { m = 8192, dtype = "bf16" }
metric = "tflops"
lowest = 715
unit = "TFLOP/s"
source = "the example"

[[limit]]
case = "memory.cuda.copy"
point = { bytes = "4GiB" }
metric = "bandwidth_gb_per_s"
lowest = 2500
highest = 3200
unit = "GB/s"
source = "the example"

[[limit]]
case = "rdma.write.bandwidth"
metric = "bandwidth_gb_per_s"
lowest = 40
unit = "GB/s"
source = "the example"
"""


def journal_paths(workshop, fleet, stale=False):
    """Writes what was changed; the others lie in the shared folder. `stale`: with the CRCs of the lines before."""
    base, paths = workshop.shared.fleet, []
    for run in sorted(fleet):
        lines = fleet[run]
        if base.get(run) is lines:
            paths.append(workshop.shared.journal(run))
        else:
            paths.append(workshop.file(f"{run}.jsonl", text_of(lines, base.get(run) if stale else None)))
    return paths


def accepted(fleet, *flags, stale=False):
    def ask(workshop):
        workshop.read_journals(journal_paths(workshop, fleet(workshop.shared.fleet), stale))
        return workshop.accept(*flags)
    return ask


def accepted_within_limits(fleet):
    def ask(workshop):
        workshop.read_journals(journal_paths(workshop, fleet(workshop.shared.fleet)))
        return workshop.accept("--limits", workshop.file("limits.toml", LIMITS))
    return ask


def bundled(fleet, *flags, stale=False):
    def ask(workshop):
        workshop.read_journals(journal_paths(workshop, fleet(workshop.shared.fleet), stale))
        return workshop.run("bundle", "--store", workshop.store, "-o", workshop.folder / "made.bundle", *flags)
    return ask
