# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Protocol, TypeAlias

class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]

_Path: TypeAlias = str | os.PathLike[str]
_Given: TypeAlias = _Path | Mapping[str, Any] | _Dataclass
_Paths: TypeAlias = _Path | Sequence[_Path]
_Settings: TypeAlias = Mapping[str, Any] | Iterable[str]
_Sharing: TypeAlias = Literal["auto", "bound", "max-min", "occupancy"]

__all__: list[str]

def describe(fabric: _Given, *, set: _Settings = (), coefficients: _Paths = (), store: _Path | None = None,
             run: str = "", run_order: _Path | None = None, force: bool = False) -> dict[str, Any]: ...
def simulate(fabric: _Given, workload: _Given, *, set: _Settings = (), scale_to_measured: bool = False,
             sharing: _Sharing = "auto", seeds: int | None = None, threads: int = 2, journal: _Path | None = None,
             coefficients: _Paths = (), store: _Path | None = None, run: str = "", run_order: _Path | None = None,
             force: bool = False) -> dict[str, Any]: ...
def compare(fabric: _Given, workload: _Given, vary: Mapping[str, Sequence[Any]] | Iterable[str], *,
            margin: float | str = "1%", set: _Settings = (), sharing: _Sharing = "auto", seeds: int = 1,
            threads: int = 2, journal: _Path | None = None, coefficients: _Paths = (), store: _Path | None = None,
            run: str = "", run_order: _Path | None = None, force: bool = False) -> dict[str, Any]: ...
def size(fabric: _Given, workload: _Given, at_most: float | str, *, set: _Settings = (), sharing: _Sharing = "auto",
         seeds: int = 1, threads: int = 2, journal: _Path | None = None, coefficients: _Paths = (),
         store: _Path | None = None, run: str = "", run_order: _Path | None = None,
         force: bool = False) -> dict[str, Any]: ...
def place(fabric: _Given, workload: _Given, *, names: Iterable[str] = (), set: _Settings = (),
          sharing: _Sharing = "auto", seeds: int = 1, threads: int = 2, journal: _Path | None = None,
          coefficients: _Paths = (), store: _Path | None = None, run: str = "", run_order: _Path | None = None,
          force: bool = False) -> dict[str, Any]: ...
def expect(fabric: _Given, store: _Path, *, run: str = "", run_order: _Path | None = None, coefficients: _Paths = (),
           set: _Settings = (), sharing: _Sharing = "auto", seeds: int = 1, threads: int = 2,
           force: bool = False) -> dict[str, Any]: ...
def locate(fabric: _Given, *, pairs: _Path | None = None, store: _Path | None = None, run: str = "",
           cases: str = "rdma.verbs.pairs", topology: str = "", set: _Settings = (),
           ran: Literal["auto", "alone", "together"] = "auto",
           queue_pair_rule: Literal["auto", "slowest", "average"] = "auto", hosts_per_machine: int | None = None,
           next: int = 4) -> dict[str, Any]: ...
