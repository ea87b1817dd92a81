# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, Protocol, TypeAlias

import numpy
import numpy.typing

from . import fabric as fabric

class _Dataclass(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]

_Path: TypeAlias = str | os.PathLike[str]
_Given: TypeAlias = _Path | Mapping[str, Any] | _Dataclass
_Paths: TypeAlias = _Path | Sequence[_Path]
_Settings: TypeAlias = Mapping[str, Any] | Iterable[str]
_Time: TypeAlias = float | str
_Rules: TypeAlias = Literal["calculon", "assay"]
_Datatype: TypeAlias = Literal["float8", "float16", "bfloat16", "float32"]
_Switch: TypeAlias = bool | Literal["both"]
_Kind: TypeAlias = Literal["gemm", "collectives", "memory", "vector", "links", "loggp", "interference", "overlap", "all"]

__all__: list[str]
__version__: str

class Error(Exception): ...
class UsageError(Error, ValueError): ...

class Store:
    path: str
    def __init__(self, path: _Path) -> None: ...
    def runs(self) -> Any: ...
    def points(self, run: str = "", filter: str = "", limit: int = 1_000_000) -> Any: ...
    def samples(self, point: int) -> numpy.typing.NDArray[numpy.float64]: ...

def read(store: _Path) -> Store: ...
def predict(model: _Given, system: _Given, execution: _Given, *, rules: _Rules = "calculon", coefficients: _Paths = (),
            coefficients_dtype: str = "") -> dict[str, Any]: ...
def sweep(model: _Given, system: _Given, execution: _Given, over: Mapping[str, numpy.typing.ArrayLike], *,
          stats: Iterable[str] = (), rules: _Rules = "calculon", coefficients: _Paths = (),
          coefficients_dtype: str = "") -> dict[str, numpy.typing.NDArray[Any]]: ...
def search(model: _Given, system: _Given, processors: int, max_batch: int, datatype: _Datatype, *,
           rules: _Rules = "calculon", coefficients: _Paths = (), coefficients_dtype: str = "", fused: _Switch = True,
           fused_attention: _Switch = "both", set: _Settings = (), at_most: _Settings = (), at_least: _Settings = (),
           top: int = 10, pareto: bool = False, sensitivity: bool = False, plus_minus: float = 10.0,
           threads: int | None = None) -> dict[str, Any]: ...
def count_space(model: _Given, system: _Given, processors: int, max_batch: int, datatype: _Datatype, *,
                rules: _Rules = "calculon", coefficients: _Paths = (), coefficients_dtype: str = "",
                fused: _Switch = True, fused_attention: _Switch = "both", set: _Settings = ()) -> int: ...
def fit(kind: _Kind, *, csv: _Path | None = None, store: _Path | None = None, runs: str | Sequence[str] = ("latest",),
        filter: str = "", seed: int = 1, keep_out: int = 0, multiprocessors: int | None = None,
        output: _Path | None = None) -> dict[str, Any]: ...
def reliability(rates: _Given | None = None, gpus: float | None = None, *, mtbf: _Time | None = None,
                interval: _Time | None = None, stall: _Time = "5s", write: _Time | None = None,
                detect: _Time | None = None, diagnose: _Time | None = None, recovery: _Time = "5m",
                repair: _Time = "2d", service: _Time = "1000d", checkpoint: _Path | None = None,
                rank_spread_from: _Path | None = None, run: str = "", state: int | str | None = None,
                front_end: float = 0.0, ingest: int | str = 0, logs: int | str = 0, probability: float = 0.99,
                rank_spread: float = 0.0, slower: float = 0.0, run_days: float = 0.0,
                probe_hours: float = 0.0) -> dict[str, Any]: ...
