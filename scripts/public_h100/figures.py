# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Which rows of the public tables become figures, with source and grade. Grades: A, a table of timings with repetition; B, one
# number that its author measured.
import csv
import dataclasses

from public_h100.shapes import DEGREES, LAYERS, MODELS, PEAK_TFLOPS, TOKENS, flop, shape

COLLECTIVE_BYTES = 32 << 20  # every operation and number of ranks has it
COLUMNS = {"gemm": (("source",), ("m", "n", "k", "time_us")), "collectives": (("op", "dtype", "source"), ("ranks", "size_bytes", "time_us"))}
BUSBW_SHARE = {"all_reduce": 2, "all_gather": 1, "reduce_scatter": 1}


@dataclasses.dataclass(frozen=True)
class Source:
    name: str
    project: str
    commit: str
    date: str  # of the commit
    software: str
    statistic: str
    operands: str
    licence: str


AICONFIGURATOR = Source("aiconfigurator", "ai-dynamo/aiconfigurator", "095f58a51c4ca8e61b66ec108d86f223f8d559ce",
                        "2026-08-21T07:49:09.000Z", "vLLM 0.24.0, NCCL 2.29.2", "mean", "activations normal, weights not filled", "Apache-2.0")
VIDUR = Source("vidur", "microsoft/vidur", "7d47513363ec447a741ac5e47241580b47724fbf", "2024-11-19T13:53:02.000Z",
               "torch, NCCL; releases not stated", "median", "weights are small dummy values", "MIT")
FAST_CU = Source("fast-cu", "pranjalssh/fast.cu", "38eb642e0c081231d6f695978be63604bd7c689b", "2025-09-18T15:31:33.000Z",
                 "cuBLAS and CUB, release not stated", "not stated", "not stated", "figures cited")


@dataclasses.dataclass(frozen=True)
class Figure:
    source: Source
    grade: str
    module: str
    case: str
    axes: dict
    metric: str
    unit: str
    seconds: float
    rate: float  # of one second: FLOP or bytes as the metric counts them, in its unit
    work: dict
    derived: dict = dataclasses.field(default_factory=dict)
    least_s: float | None = None
    most_s: float | None = None
    executions: int = 0
    ranks: int = 1

    @property
    def value(self):
        return self.rate / self.seconds

    @property
    def place(self):
        return f"{self.source.project} {self.source.commit[:12]}"


class BadTable(Exception):
    """One line: file, line or key, and what was expected."""


def rows_of(folder, name):
    path = folder / name
    texts, numbers = COLUMNS[name.split("_")[0]]
    with path.open(newline="", encoding="utf-8") as lines:
        table = csv.DictReader(lines)
        missing = [column for column in texts + numbers if column not in (table.fieldnames or ())]
        if missing:
            raise BadTable(f"{path}:1: expected the columns {', '.join(missing)} too")
        return [checked(f"{path}:{table.line_num}", row, numbers) for row in table]


def checked(place, row, numbers):
    for column in numbers:
        try:
            good = float(row[column]) > 0
        except (TypeError, ValueError):
            good = False
        if not good:
            raise BadTable(f"{place}: {column}: expected a number above 0, got '{row[column]}'")
    return row


def size_of(row):
    return int(row["m"]), int(row["n"]), int(row["k"])


def product(source, size, seconds, dtype, axes, **more):
    return Figure(source=source, module="gemm", case="gemm.cuda.transformer", metric="tflops", unit="TFLOP/s", seconds=seconds,
                  rate=flop(size) * 1e-12, work={"flops": float(flop(size)), "bytes": 0.0}, axes=axes | {"pass": "forward", "dtype": dtype},
                  derived=dict(zip("mnk", size)), **more)


def block_places():
    for model in MODELS:
        for tp in DEGREES:
            for layer in LAYERS:
                yield {"model": model.name, "tokens": TOKENS, "tp": tp, "gemm": layer}, shape(model, tp, layer)


def table_a_products(folder, name, dtype):
    by_size = {size_of(row): row for row in rows_of(folder, name)}
    return [product(AICONFIGURATOR, size, float(by_size[size]["time_us"]) * 1e-6, dtype, axes, grade="A", executions=36)
            for axes, size in block_places() if size in by_size]


def table_b_products(folder):
    """Llama-2 70B has the layers of Llama-3 70B."""
    by_size = {size_of(row): row for row in rows_of(folder, "gemm_bf16_b.csv") if row["source"].startswith("vidur/Llama-2-70b-hf/")}
    return [product(VIDUR, size, float(row["time_us"]) * 1e-6, "fp16", axes, grade="A", executions=20,
                    least_s=float(row["time_min_us"]) * 1e-6, most_s=float(row["time_max_us"]) * 1e-6)
            for axes, size in block_places() if axes["model"] == "llama3-70b" and (row := by_size.get(size))]


def collective(source, row, **more):
    ranks, size = int(row["ranks"]), int(row["size_bytes"])
    factor = BUSBW_SHARE[row["op"]] * (ranks - 1) / ranks
    return Figure(source=source, grade="A", module="collectives", case=f"collectives.nccl.{row['op']}", metric="busbw_gb_per_s",
                  unit="GB/s", seconds=float(row["time_us"]) * 1e-6, rate=factor * size * 1e-9, ranks=ranks,
                  axes={"bytes": size, "dtype": row["dtype"]}, work={"flops": 0.0, "bytes": float(size)}, **more)


def collectives_a(folder):
    """At 32 MiB, and at the largest size of the table."""
    rows = [row for row in rows_of(folder, "collectives_a.csv") if row["dtype"] == "fp16" and row["op"] in BUSBW_SHARE]
    chosen = []
    for op in BUSBW_SHARE:
        for ranks in ("2", "4", "8"):
            sizes = {int(row["size_bytes"]): row for row in rows if (row["op"], row["ranks"]) == (op, ranks)}
            if COLLECTIVE_BYTES not in sizes:
                raise BadTable(f"collectives_a.csv: expected {op} among {ranks} of {COLLECTIVE_BYTES} bytes in fp16")
            chosen += [sizes[size] for size in sorted({COLLECTIVE_BYTES, max(sizes)})]
    return [collective(AICONFIGURATOR, row) for row in chosen]


def collectives_b(folder):
    return [collective(VIDUR, row, executions=33, least_s=float(row["time_min_us"]) * 1e-6, most_s=float(row["time_max_us"]) * 1e-6)
            for row in rows_of(folder, "collectives_b.csv")
            if row["source"] == "vidur/h100_dgx" and row["op"] == "all_reduce" and int(row["size_bytes"]) == COLLECTIVE_BYTES
            and row["ranks"] == row["devices_per_node"]]


def documents():
    """README.md of fast.cu: cuBLAS of square matrices, and a sum of 2^30 numbers of 4 bytes."""
    read = 4 * 2**30
    figures = [Figure(source=FAST_CU, grade="B", module="memory", case="memory.cuda.read", metric="bandwidth_gb_per_s", unit="GB/s",
                      seconds=read * 1e-9 / rate, rate=read * 1e-9, axes={"bytes": read, "by": kernel},
                      work={"flops": 0.0, "bytes": float(read)}) for kernel, rate in (("own kernel", 3240.11), ("CUB", 3193.0))]
    for side, tflops in ((4096, 716.0), (8192, 795.0)):
        work = flop((side, side, side))
        figures.append(Figure(source=FAST_CU, grade="B", module="gemm", case="gemm.cuda.matmul", metric="tflops", unit="TFLOP/s",
                              seconds=work * 1e-12 / tflops, rate=work * 1e-12, work={"flops": float(work), "bytes": 0.0},
                              derived={"m": side, "n": side, "k": side},
                              axes={"m": side, "n": 0, "k": 0, "dtype": "bf16", "layout": "forward"}))
    return figures


def all_figures(folder):
    return (table_a_products(folder, "gemm_bf16_a.csv", "bf16") + table_a_products(folder, "gemm_fp8_a.csv", "fp8_e4m3") +
            table_b_products(folder) + collectives_a(folder) + collectives_b(folder) + documents())


def peak_of(figure):
    return PEAK_TFLOPS[figure.axes["dtype"]] if figure.metric == "tflops" else None
