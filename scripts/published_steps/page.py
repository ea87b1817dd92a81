# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The page docs/evidence/published-steps.md.
from published_steps import judged as judge
from published_steps.rows import CLASSES

WORST = 12

HEAD = """# Published training steps

Written by `scripts/published-steps`: {rows} steps that others published, each with its own settings and the shipped system of its GPU
(`model/examples/systems`), by `assay predict --model assay`. Nothing is fitted to a row. Rows and sources: `model/examples/published`.
{given}
"""


def markdown(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in lines)


def by_class(all_judged):
    rows = []
    for kind, members in judge.grouped(judge.timed(all_judged), lambda row: row.kind).items():
        error = judge.error_of(members)
        bar = judge.BARS.get(kind)
        rows.append([CLASSES[kind], error.rows, f"{error.mean_ratio:.2f}", f"{error.least:.2f} to {error.most:.2f}", f"{error.mean_error_percent:.1f}",
                     bar or "", error.beyond])
    rows.sort(key=lambda row: list(CLASSES.values()).index(row[0]))
    return markdown(["class", "rows", "predicted / published", "range", "mean error, %", f"wanted, %", f"beyond {judge.WITHIN} %"], rows)


def by_series(all_judged):
    rows = []
    for series, members in judge.grouped(judge.timed(all_judged), lambda row: row.series if row.kind != "given" else "given").items():
        error = judge.error_of(members)
        sizes = sorted({one.row.gpus for one in members})
        row = members[0].row
        rows.append([series, row.system, f"{sizes[0]} to {sizes[-1]}" if len(sizes) > 1 else sizes[0], error.rows,
                     f"{error.mean_ratio:.2f}", f"{error.mean_error_percent:.1f}", "; ".join(dict.fromkeys(members[0].predicted.nearest))])
    return markdown(["series", "system", "GPUs", "rows", "predicted / published", "mean error, %", "written as"], rows)


def cause_of(one, causes):
    """The first cause whose words are all in the row's id."""
    return next((cause for words, cause in causes.items() if all(word in one.row.id for word in words.split())), "")


def worst(all_judged, causes):
    by_series = {}
    for one in judge.timed(all_judged):
        if one.row.kind != "given" and (one.row.series not in by_series or abs(one.error_percent) > abs(by_series[one.row.series].error_percent)):
            by_series[one.row.series] = one
    rows = sorted(by_series.values(), key=lambda one: -abs(one.error_percent))[:WORST]
    return markdown(["row", "published, s", "predicted, s", "error, %", "why", "guessed, or written as"],
                    [[one.row.id, f"{one.row.step_s:.4g}", f"{one.predicted.step_s:.4g}", f"{one.error_percent:+.0f}", cause_of(one, causes),
                      "; ".join(dict.fromkeys([*one.row.guessed, *one.predicted.nearest]))] for one in rows])


def refused(all_judged):
    rows = {}
    for one in all_judged:
        if not one.predicted.step_s:
            rows.setdefault(one.predicted.refused, []).append(one.row.id)
    return markdown(["rows", "first", "why"], [[len(ids), ids[0], why] for why, ids in rows.items()]) if rows else ""


def memory(all_judged):
    over = [one for one in judge.timed(all_judged) if not one.predicted.fits]
    text = f"{len(over)} of {len(judge.timed(all_judged))} steps that ran would not fit by their prediction"
    if not over:
        return text + ".\n"
    most = max(over, key=lambda one: one.predicted.needs_bytes / one.predicted.has_bytes)
    return (f"{text} (their time is that of a larger memory); the most, {most.row.id}, needs {most.predicted.needs_bytes / 2**30:.0f} GiB of "
            f"{most.predicted.has_bytes / 2**30:.0f}.\n")


def order(all_judged):
    right, wrong = judge.orders(all_judged)
    text = f"{right} of {right + len(wrong)} pairs of mappings that a publication has of one model are in its order (tokens a second and GPU).\n"
    rows = []
    for pair in wrong:
        fast, slow = sorted(pair, key=lambda one: -one.row.tokens_per_s)
        rows.append([fast.row.id, slow.row.id, *(f"{value:.4g}" for value in (fast.row.tokens_per_s, slow.row.tokens_per_s, fast.tokens_per_s, slow.tokens_per_s))])
    return text + ("\n" + markdown(["faster", "slower", "published", "", "predicted", ""], rows) if rows else "")


def text(all_judged, given, causes):
    parts = [HEAD.format(rows=sum(one.row.kind != "given" for one in all_judged), given=given)]
    parts.append("## By class\n\n" + by_class(all_judged))
    parts.append("## Worst rows, one of each series\n\n" + worst(all_judged, causes))
    slope_rows = [[series, f"{first} to {last}", f"{published:+.1f}", f"{predicted:+.1f}"] for series, first, last, published, predicted in judge.slopes(all_judged)]
    parts.append("## Growth of the step with size\n\n" + markdown(["series", "GPUs", "published, %", "predicted, %"], slope_rows))
    parts.append("## Order of mappings\n\n" + order(all_judged))
    parts.append("## Memory\n\n" + memory(all_judged))
    if refused(all_judged):
        parts.append("## Not predicted\n\n" + refused(all_judged))
    parts.append("## By series\n\n" + by_series(all_judged))
    return "\n".join(parts)
