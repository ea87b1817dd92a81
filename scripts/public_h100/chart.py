# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Efficiency against tensor-parallel degree as one SVG file: a panel for each model, lines of layers, the block with its band.
from public_h100.prediction import CAPTION, DTYPE
from public_h100.shapes import DEGREES, LAYERS, MODELS, PEAK_TFLOPS
from public_h100.tables import LAYER_NAMES

WIDTH, HEIGHT = 800, 420
LEFT, TOP, PANEL, GAP, TALL = 44, 62, 345, 55, 260
LOWEST, HIGHEST = 0.5, 0.9  # of the peak
TITLES = {"llama3-70b": "Llama-3 70B", "gpt3-175b": "GPT-3 175B"}
STYLE = """
:root { --page: #ffffff; --text: #1b1f24; --line: #d5d9df; --layer-1: #0b62b0; --layer-2: #c2410c; --layer-3: #15803d; --layer-4: #7c3aed; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --text: #e7eaee; --line: #363d47; --layer-1: #6cb6ff; --layer-2: #ff9a62; --layer-3: #6fd08c; --layer-4: #b79bff; } }
svg { font: 12px system-ui, sans-serif; }
text { fill: var(--text); }
.grid { stroke: var(--line); }
.layer { fill: none; stroke-width: 1.75; }
.block { fill: none; stroke: var(--text); stroke-width: 4; }
.band { fill: var(--text); fill-opacity: 0.13; }
.measured { fill: var(--page); stroke: var(--text); stroke-width: 2; }
"""


def x_of(panel, tp):
    return LEFT + panel * (PANEL + GAP) + (DEGREES.index(tp) + 0.5) * PANEL / len(DEGREES)


def y_of(share):
    return TOP + (HIGHEST - share) / (HIGHEST - LOWEST) * TALL


def points(panel, shares):
    return " ".join(f"{x_of(panel, tp):.1f},{y_of(share):.1f}" for tp, share in shares)


def text(x, y, words, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{words}</text>'


def grid(panel):
    left = LEFT + panel * (PANEL + GAP)
    for percent in range(round(100 * LOWEST), round(100 * HIGHEST) + 1, 10):
        y = y_of(percent / 100)
        yield f'<line class="grid" x1="{left}" x2="{left + PANEL}" y1="{y:.1f}" y2="{y:.1f}"/>'
        yield text(left - 6, y + 4, percent, ' text-anchor="end"')
    for tp in DEGREES:
        yield text(x_of(panel, tp), TOP + TALL + 18, tp, ' text-anchor="middle"')
    yield text(left + PANEL / 2, TOP + TALL + 36, "tensor-parallel degree", ' text-anchor="middle"')


def curves(panel, model, efficiencies):
    block = [(tp, efficiencies[model.name, tp, "block"]) for tp in DEGREES]
    edges = [(tp, one.upper) for tp, one in block] + [(tp, one.lower) for tp, one in reversed(block)]
    yield f'<polygon class="band" points="{points(panel, edges)}"/>'
    for at, layer in enumerate(LAYERS, 1):
        line = points(panel, [(tp, efficiencies[model.name, tp, layer].value) for tp in DEGREES])
        yield f'<polyline class="layer" stroke="var(--layer-{at})" points="{line}"/>'
    yield f'<polyline class="block" points="{points(panel, [(tp, one.value) for tp, one in block])}"/>'


def legend():
    x = LEFT
    entries = [(f'stroke="var(--layer-{at})" stroke-width="1.75"', LAYER_NAMES[layer]) for at, layer in enumerate(LAYERS, 1)]
    for line, words in [*entries, ('class="block"', "whole block, predicted")]:
        yield f'<line {line} x1="{x}" x2="{x + 20}" y1="16" y2="16"/>{text(x + 26, 20, words)}'
        x += 44 + 6.2 * len(words)
    yield f'<circle class="measured" cx="{x + 6}" cy="16" r="4.5"/>{text(x + 16, 20, "whole block, measured")}'


def svg(efficiencies, measured):
    parts = [*legend()]
    for panel, model in enumerate(MODELS):
        left = LEFT + panel * (PANEL + GAP)
        parts += [text(left, TOP - 12, f"{TITLES[model.name]}, % of peak", ' font-size="14" font-weight="600"'), *grid(panel),
                  *curves(panel, model, efficiencies)]
    parts += [f'<circle class="measured" cx="{x_of(0, tp):.1f}" cy="{y_of(share):.1f}" r="4.5"/>' for tp, share in measured.items()]
    caption, rest = CAPTION.format(peak=PEAK_TFLOPS[DTYPE]).split(" Band: ")
    parts += [text(LEFT, HEIGHT - 36, caption), text(LEFT, HEIGHT - 18, "Band: " + rest + " Measured: results/reference/h100-sxm-80gb.")]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">\n'
            f'<!-- SPDX-FileCopyrightText: The assay authors -->\n<!-- SPDX-License-Identifier: Apache-2.0 -->\n<style>{STYLE}</style>\n'
            '<rect width="100%" height="100%" fill="var(--page)"/>\n' + "\n".join(parts) + "\n</svg>\n")
