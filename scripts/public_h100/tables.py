# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Figures as tables of Markdown, for the page of the folder.
from public_h100.figures import peak_of
from public_h100.shapes import DEGREES, LAYERS, MODELS

LAYER_NAMES = {"qkv": "qkv", "attention_output": "attention output", "up_gate": "up and gate", "down": "down"}


def markdown(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def place_of(figure):
    axes = figure.axes
    if "model" in axes:
        return f"{axes['model']}, {LAYER_NAMES[axes['gemm']]}, `tp` {axes['tp']}"
    if figure.module == "gemm":
        return f"square, m = {axes['m']:,}"
    if figure.module == "memory":
        return f"read of HBM, {axes['by']}"
    return f"{figure.case.split('.')[-1]}, {figure.ranks} GPUs, {axes['bytes'] >> 20} MiB"


def column_of(figure):
    return f"{figure.axes['dtype']}, {figure.source.name}" if "dtype" in figure.axes else figure.source.name


def table_of(figures, what):
    columns = list(dict.fromkeys(map(column_of, figures)))
    rows = {}
    for figure in figures:
        rows.setdefault(place_of(figure), {})[column_of(figure)] = f"{figure.value:.0f}"
    grades = {column_of(figure): figure.grade for figure in figures}
    header = [what, *(f"{column} ({grades[column]})" for column in columns)]
    return markdown(header, [[place, *(values.get(column, "") for column in columns)] for place, values in rows.items()])


def figures_table(figures):
    products = [figure for figure in figures if peak_of(figure) and figure.grade == "A"]
    collectives = [figure for figure in figures if figure.module == "collectives"]
    others = [figure for figure in figures if figure.grade == "B"]
    return "\n".join([table_of(products, "TFLOP/s, imported"), table_of(collectives, "busbw, GB/s, imported"),
                      markdown(["figure, imported", "value", "unit"], [[f"{place_of(figure)} ({column_of(figure)})", f"{figure.value:.0f}", figure.unit]
                                                                       for figure in others])])


def efficiency_table(efficiencies, measured):
    """Percent of the peak."""
    rows = []
    for model in MODELS:
        for tp in DEGREES:
            block = efficiencies[model.name, tp, "block"]
            layers = [f"{100 * efficiencies[model.name, tp, layer].value:.1f}" for layer in LAYERS]
            seen = f"{100 * measured[tp]:.1f}" if model.name == "llama3-70b" else ""
            rows.append([model.name, tp, *layers, f"{100 * block.value:.1f}", f"{100 * block.lower:.1f} to {100 * block.upper:.1f}", seen])
    return markdown(["%, predicted from imported", "`tp`", *map(LAYER_NAMES.get, LAYERS), "block", "band", "block, measured"], rows)


def errors_table(judged):
    names = {"a": "products of the blocks' (n, k) from 2,048 tokens on, same table, not seen by the fit", "b": "the same of the other table (vidur, fp16)"}
    return markdown(["error of the fit", "rows", "MAPE, %", "p90, %", "bias, %"],
                    [[names[name], one.rows, one.mape_percent, one.p90_percent, f"{one.bias_percent:+}"] for name, one in judged.items()])
