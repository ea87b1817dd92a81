# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Efficiency of transformer blocks against tensor-parallel degree, predicted by `assay fit` from the public table of bf16 products
# without any row of the blocks' own (n, k) pairs. Its error: of pairs that the fit did not see.
import csv
import dataclasses
import json
import math
import re
import subprocess

from public_h100.figures import BadTable, rows_of, size_of
from public_h100.shapes import DEGREES, LAYERS, MODELS, PEAK_TFLOPS, flop, shape

DTYPE = "bf16"
WHOLE = "whole block (%)"
LARGE_TOKENS = 2048  # rows that the fit is judged on have as many at least
JUDGED = re.compile(r"^all +(\d+) +([\d.]+) +([\d.]+) +([+-][\d.]+)$", re.MULTILINE)
CAPTION = ("Predicted from imported timings: forward pass, 4,096 tokens, bf16, of {peak:.1f} TFLOP/s (1,980 MHz). "
           "Band: 90 % of products that the fit had not seen.")


@dataclasses.dataclass(frozen=True)
class Efficiency:
    value: float  # share of the peak
    lower: float
    upper: float


@dataclasses.dataclass(frozen=True)
class Judged:
    rows: int
    mape_percent: float
    p90_percent: float
    bias_percent: float


class Assay:
    def __init__(self, program):
        self.program = program

    def __call__(self, *words):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BadTable((done.stderr or done.stdout).strip())
        return done.stdout


def least_us(size):
    return flop(size) / PEAK_TFLOPS[DTYPE] * 1e-6


def write_rows(path, rows):
    with path.open("w", newline="", encoding="utf-8") as lines:
        table = csv.DictWriter(lines, ("m", "n", "k", "dtype", "time_us", "source", "origin"))
        table.writeheader()
        table.writerows(rows)


def row_of(size, time_us, source, origin):
    return dict(zip("mnk", size)) | {"dtype": DTYPE, "time_us": time_us, "source": source, "origin": origin}


def block_shapes():
    return {(model.name, tp, layer): shape(model, tp, layer) for model in MODELS for tp in DEGREES for layer in LAYERS}


def split_table(data, folder):
    """Files of the rows to fit, and of large ones with the blocks' (n, k) to judge the fit on."""
    own = {size[1:] for size in block_shapes().values()}
    kept, judged = [], []
    for row in rows_of(data, "gemm_bf16_a.csv"):
        size = size_of(row)
        as_row = row_of(size, row["time_us"], row["source"], "imported")
        if size[1:] not in own:
            kept.append(as_row)
        elif size[0] >= LARGE_TOKENS:
            judged.append(as_row)
    write_rows(folder / "fit.csv", kept)
    write_rows(folder / "judged-a.csv", judged)
    other = [row_of(size_of(row), row["time_us"], row["source"].split("/")[0], "imported") for row in rows_of(data, "gemm_bf16_b.csv")
             if size_of(row)[1:] in own and size_of(row)[0] >= LARGE_TOKENS and "Llama-2-70b" in row["source"]]
    write_rows(folder / "judged-b.csv", other)


def judged(assay, coefficients, rows):
    found = JUDGED.search(assay("fit", "evaluate", coefficients, "--csv", rows))
    if not found:
        raise BadTable(f"{rows.name}: expected rows of the blocks' (n, k) from {LARGE_TOKENS} tokens on")
    return Judged(int(found[1]), *map(float, found.groups()[1:]))


def predicted_us(assay, coefficients, folder):
    """Rows need a time: the least at the peak, of which the prediction's error is its distance from the peak."""
    sizes = sorted(set(block_shapes().values()))
    write_rows(folder / "shapes.csv", [row_of(size, least_us(size), "aiconfigurator", "predicted") for size in sizes])
    assay("fit", "evaluate", coefficients, "--csv", folder / "shapes.csv", "--predictions", folder / "predictions.csv")
    with (folder / "predictions.csv").open(newline="", encoding="utf-8") as lines:
        times = {tuple(map(int, re.findall(r"\d+", row["what"].split(" ", 1)[1]))): float(row["predicted_us"]) for row in csv.DictReader(lines)}
    missing = [size for size in sizes if size not in times]
    if missing:
        raise BadTable(f"the fit has seen {missing}, or cannot predict it")
    return times


def error_by_size(coefficients):
    """Share that nine of ten products of unseen (n, k) are off at most, by FLOP."""
    decades = json.loads(coefficients.read_text(encoding="utf-8"))["models"][DTYPE]["held_out"]["pairs"]["by_decade"]
    names = {size: f"1e{math.floor(math.log10(flop(size)))}" for size in block_shapes().values()}
    if absent := set(names.values()) - set(decades):
        raise BadTable(f"gemm_bf16_a.csv: expected products of {', '.join(sorted(absent))} FLOP, to know the error there")
    return lambda size: decades[names[size]]["p90_percent"] / 100


def efficiency_of(sizes, times, error):
    """Time-weighted; for the band every layer is at the same end."""
    least = sum(map(least_us, sizes))
    return Efficiency(least / sum(times[size] for size in sizes), least / sum(times[size] * (1 + error(size)) for size in sizes),
                      least / sum(times[size] * (1 - error(size)) for size in sizes))


def measured_blocks(assay, journal, folder):
    """Of Llama-3 70B on the H100 of results/reference/h100-sxm-80gb, by degree."""
    store = folder / "measured.sqlite"
    assay("import", journal, "--store", store)
    table = csv.DictReader(assay("show", "--store", store, "gemm", "--format", "csv").splitlines())
    wanted = [row for row in table if row["pass"] == "forward" and row["dtype"] == DTYPE and int(row["tp"]) in DEGREES]
    return {int(row["tp"]): float(row[WHOLE]) / 100 for row in wanted}


def predict(assay, data, folder):
    """Efficiencies by model, degree and layer ("block": all four), and how far off the fit is elsewhere."""
    split_table(data, folder)
    coefficients = folder / "coefficients.json"
    assay("fit", "gemm", "--csv", folder / "fit.csv", "-o", coefficients)
    times, error, shapes = predicted_us(assay, coefficients, folder), error_by_size(coefficients), block_shapes()
    efficiencies = {place: efficiency_of([size], times, error) for place, size in shapes.items()}
    for model in MODELS:
        for tp in DEGREES:
            sizes = [shapes[model.name, tp, layer] for layer in LAYERS]
            efficiencies[model.name, tp, "block"] = efficiency_of(sizes, times, error)
    return efficiencies, {name: judged(assay, coefficients, folder / f"judged-{name}.csv") for name in ("a", "b")}
