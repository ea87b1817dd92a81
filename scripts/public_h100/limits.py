# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Figures as limits: a first band, below the lowest public figure of each point by what public sources differ.
import json
import math

from public_h100.figures import BadTable, rows_of, size_of
from public_h100.shapes import flop

LEAST_FLOP = 1e9  # below, launches decide
# One table's all-reduces of 8 GPUs in int8 and fp16, which move equal bytes, differ by 15 to 27 % from 64 MiB up.
COLLECTIVES_BELOW = 0.25
# Chosen for other software: the two kernels of the one source differ by 1.5 %.
MEMORY_BELOW = 0.10
NOT_IN_QUICK_M = 4096  # plan quick measures the square product of 8,192 alone
SAME_PEAK = {"bf16": "16-bit", "fp16": "16-bit", "fp8_e4m3": "fp8"}
HEAD = """# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Made by scripts/import-public-h100. Imported, none measured by assay: a first band for a machine without a fleet of its own.
about = "{about}: imported figures of public sources"

[machine]
gpu = "NVIDIA H100 80GB HBM3*"
"""


def products_below(folder):
    """Share of the rate that nine of ten shapes of one table have at most less than in the other."""
    a = {size_of(row): float(row["time_us"]) for row in rows_of(folder, "gemm_bf16_a.csv")}
    longer = sorted(float(row["time_us"]) / a[size] for row in rows_of(folder, "gemm_bf16_b.csv")
                    if flop(size := size_of(row)) > LEAST_FLOP and size in a)
    if not longer:
        raise BadTable("gemm_bf16_b.csv: expected shapes of gemm_bf16_a.csv above 1 GFLOP")
    return 1 - 1 / longer[math.ceil(0.9 * len(longer)) - 1]


def limit_point(figure):
    ranks = {"ranks": figure.ranks} if figure.ranks > 1 else {}
    cold = {"cache_state": "cold"} if figure.module == "memory" else {}
    return {name: value for name, value in figure.axes.items() if name != "by"} | ranks | cold


def with_dtype(point, dtype):
    return point | ({"dtype": dtype} if "dtype" in point else {})


def grouped(figures):
    """Figures of one point; bf16 and fp16 have one peak."""
    groups = {}
    for figure in figures:
        point = with_dtype(limit_point(figure), SAME_PEAK[figure.axes["dtype"]] if figure.module == "gemm" else None)
        if figure.module == "collectives":
            del point["dtype"]
        groups.setdefault((figure.case, json.dumps(point)), []).append(figure)
    return groups.values()


def rounded_down(value):
    step = 10 ** (math.floor(math.log10(value)) - 2)
    return f"{math.floor(value / step) * step:g}"


def source_text(figures, below):
    said = [f"grade {figure.grade}, {figure.value:.0f} of {figure.place}" + (f" ({figure.axes['dtype']})" if "dtype" in figure.axes else "")
            for figure in figures]
    return f"imported: {'; '.join(said)}; {100 * below:.0f} % below the lowest"


def limit_text(figures, below):
    first = figures[0]
    point = limit_point(first)
    if first.module == "gemm":
        point = with_dtype(point, "fp8_e4m3" if first.axes["dtype"] == "fp8_e4m3" else "bf16")
    else:
        point.pop("dtype", None)
    axes = ", ".join(f"{name} = {json.dumps(value)}" for name, value in point.items())
    lowest = rounded_down(min(figure.value for figure in figures) * (1 - below))
    return (f'\n[[limit]]\ncase = "{first.case}"\npoint = {{ {axes} }}\nmetric = "{first.metric}"\nlowest = {lowest}\n'
            f'unit = "{first.unit}"\nsource = "{source_text(figures, below)}"\n')


def file_text(about, figures, below_by_module):
    return HEAD.format(about=about) + "".join(limit_text(group, below_by_module[group[0].module]) for group in grouped(figures))


def limit_files(figures, folder):
    below = {"gemm": products_below(folder), "memory": MEMORY_BELOW, "collectives": COLLECTIVES_BELOW}
    gpt3 = [figure for figure in figures if figure.axes.get("model") == "gpt3-175b"]
    collectives = [figure for figure in figures if figure.module == "collectives"]
    one_gpu = [figure for figure in figures if figure not in gpt3 and figure not in collectives and figure.axes.get("m") != NOT_IN_QUICK_M]
    return {"limits-gpu.toml": file_text("One H100 SXM: products of Llama-3 70B, square products, HBM", one_gpu, below),
            "limits-gpt3-175b.toml": file_text("One H100 SXM: products of GPT-3 175B", gpt3, below),
            "limits-collectives.toml": file_text("H100 SXM, 2, 4 and 8 GPUs of one node: NCCL", collectives, below)}
