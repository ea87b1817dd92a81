# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The table of ratios, and which of them fall short.


def spread(values):
    """Percent between the best and the worst round."""
    return (max(values) / min(values) - 1) * 100


def line(row, result):
    unit = (lambda value: f"{value:,.0f} msg/s") if row.kind == "bandwidth" else (lambda value: f"{value:.2f} us")
    return (f"| {row.operation} | {row.kind} | {row.bytes} | {row.completion} | {row.qps} | {row.tx_depth if row.kind == 'bandwidth' else 1} "
            f"| {row.moderation if row.kind == 'bandwidth' else '-'} "
            f"| {unit(row.better(result['ours']))} | {unit(row.better(result['theirs']))} "
            f"| {spread(result['ours']):.1f} / {spread(result['theirs']):.1f} % | {result['ratio']:.3f} |")


def text(rows, results):
    head = ["| operation | kind | bytes | completion | queue pairs | tx depth | cq moderation | ours | perftest | spread of rounds | ours / theirs |",
            "|---|---|---|---|---|---|---|---|---|---|---|"]
    return "\n".join(head + [line(row, result) for row, result in zip(rows, results, strict=True)])


def short(rows, results, tolerance):
    """Rows in which perftest is better by more than the tolerance, in words."""
    return [f"{row.operation} {row.kind} at {row.bytes} B on {row.qps} queue pairs: ours / perftest's is {result['ratio']:.3f}, expected "
            f"{'at least' if row.kind == 'bandwidth' else 'at most'} 1.00 within {tolerance:.0%}"
            for row, result in zip(rows, results, strict=True) if not row.holds(result["ratio"], tolerance)]
