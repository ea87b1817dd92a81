# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What a run does, after the command line was checked and before anything starts.
import dataclasses

ACTIONS = ("cut", "restore", "kill")  # the host's cable pulled, put back; the host gone


@dataclasses.dataclass(frozen=True)
class HostPlan:
    command: str  # a line of shell
    mtu: int
    netem: tuple  # for each rail arguments of tc's netem, or ''
    is_waited_for: bool


@dataclasses.dataclass(frozen=True)
class Action:
    after_s: float  # from the moment all hosts start their commands
    host: int
    what: str  # one of ACTIONS


@dataclasses.dataclass(frozen=True)
class RunPlan:
    hosts: tuple
    rails: int
    processors: int
    memory_mib: int
    is_virtual_time: bool
    folder: str
    writable: tuple  # absolute paths
    environment: dict
    actions: tuple
    time_limit_s: float
    boot_limit_s: float
    grace_s: float
    has_prefix: bool
    is_verbose: bool
