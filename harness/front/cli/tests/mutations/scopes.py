# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Which records of a fleet a damage meets: from one point to all of them.
import dataclasses
import typing

from made_up_fleet import HOSTS, ROUNDS, copy_of, run_of

HOST, GPU, LAST = 3, 2, ROUNDS - 1


@dataclasses.dataclass(frozen=True)
class Scope:
    name: str
    hosts: tuple = (HOST,)
    rounds: tuple = tuple(range(ROUNDS))
    picks: typing.Callable = lambda record: True
    common: bool = False  # whatever measures these points measures them so

    def runs(self):
        return [run_of(round_number, host) for round_number in self.rounds for host in self.hosts]


def of_gpu(record):
    return record["point"].get("gpu") == GPU


def product(record):
    return record["case"] == "gemm.cuda.matmul"


def rdma(record):
    return record["case"].startswith("rdma.")


def digest(record):
    return record["case"].endswith(".corruption")


def gpu_product(record):
    return product(record) and of_gpu(record)


EVERY_HOST = tuple(range(HOSTS))
POINTS = (
    Scope("one point", rounds=(LAST,), picks=gpu_product),
    Scope("one point of the first round", rounds=(0,), picks=gpu_product),
    Scope("one metric of a GPU", picks=gpu_product),
    Scope("one GPU, one round", rounds=(LAST,), picks=of_gpu),
    Scope("one GPU", picks=of_gpu),
    Scope("one host point", rounds=(LAST,), picks=lambda record: record["case"] == "memory.host.copy"),
    Scope("one link, one round", rounds=(LAST,), picks=rdma),
    Scope("one link", picks=rdma),
    Scope("one host, one round", rounds=(LAST,)),
    Scope("one host"),
    Scope("one round", hosts=EVERY_HOST, rounds=(LAST,)),
    Scope("one metric of all", hosts=EVERY_HOST, picks=product, common=True),
    Scope("everything", hosts=EVERY_HOST, common=True),
)
DIGESTS = (
    Scope("one digest", rounds=(LAST,), picks=lambda record: digest(record) and of_gpu(record)),
    Scope("digests of a GPU", picks=lambda record: digest(record) and of_gpu(record)),
    Scope("digests of a host", picks=digest),
    Scope("digests of a round", hosts=EVERY_HOST, rounds=(LAST,), picks=digest),
)
LINKS = tuple(scope for scope in POINTS if "link" in scope.name or "host," in scope.name) + (
    Scope("all links, one round", hosts=EVERY_HOST, rounds=(LAST,), picks=rdma), Scope("all links", hosts=EVERY_HOST, picks=rdma))
JOURNALS = (
    Scope("one journal", rounds=(LAST,)),
    Scope("the first journal of a host", rounds=(0,)),
    Scope("all journals of a host"),
    Scope("all journals of a round", hosts=EVERY_HOST, rounds=(LAST,)),
    Scope("all journals", hosts=EVERY_HOST),
)


def points_of(lines, picks=lambda record: True):
    return [line for line in lines if line.record["record"] == "point" and picks(line.record)]


def contexts_of(lines):
    return [line for line in lines if line.record["record"] == "context"]


def ends_of(lines):
    return [line for line in lines if line.record["record"] == "end"]


def changed_fleet(fleet, scope, change):
    """A copy in which `change(lines, round, host)` was done to every journal of the scope."""
    changed = copy_of(fleet, scope.runs())
    for round_number in scope.rounds:
        for host in scope.hosts:
            change(changed[run_of(round_number, host)], round_number, host)
    return changed
