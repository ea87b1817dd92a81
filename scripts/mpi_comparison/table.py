# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The table. Other processes make a window slower, never faster: the best window is compared. Next to it is how much slower
# the middle one was, which says how quiet the machine was, and how far apart the best windows of a program's own launches are:
# what two programs that do the same would differ by.
import statistics


def slowness(values):
    """Percent by which the middle window is slower than the best."""
    return (statistics.median(values) / min(values) - 1) * 100


def apart(launches):
    """Percent by which the best window of the slowest launch is slower than that of the fastest; `launches`: a list each."""
    best = [min(windows) for windows in launches]
    return (max(best) / min(best) - 1) * 100


def size_text(size):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit and size % unit == 0:
            return f"{size // unit} {name}"
    return f"{size} B"


def summary(row, ours, theirs):
    """`ours` and `theirs`: launches, each with what its windows gave."""
    line = {"operation": row.operation, "ranks": row.ranks, "bytes": row.bytes}
    for who, launches, names in (("imb", theirs, ("avg", "max")), ("our", ours, ("avg", "max", "median"))):
        for name in names:
            line[f"{who}_{name}_us"] = min(window[name] for windows in launches for window in windows)
        line[f"{who}_slowness_percent"] = slowness([window["avg"] for windows in launches for window in windows])
        line[f"{who}_apart_percent"] = apart([[window["avg"] for window in windows] for windows in launches])
    return line | {"avg_ratio": line["our_avg_us"] / line["imb_avg_us"], "median_ratio": line["our_median_us"] / line["imb_avg_us"]}


def verdict(line, tolerance):
    off = abs(line["avg_ratio"] - 1)
    if off <= tolerance:
        return "yes"
    own = max(line["imb_apart_percent"], line["our_apart_percent"]) / 100
    return "no, but a program differs more from itself" if off <= own else "no"


def text(lines, tolerance):
    head = ["ranks", "operation", "buffer", "IMB t_avg", "ours, so defined", "ratio", "our median (slowest rank)", "ratio",
            "middle window: IMB", "ours", "launches apart: IMB", "ours", f"within {tolerance:.0%}"]
    rows = [head, ["---"] * len(head)]
    for line in lines:
        rows.append([str(line["ranks"]), line["operation"], size_text(line["bytes"]), f"{line['imb_avg_us']:.1f} us",
                     f"{line['our_avg_us']:.1f} us", f"{line['avg_ratio']:.3f}", f"{line['our_median_us']:.1f} us",
                     f"{line['median_ratio']:.3f}", f"+{line['imb_slowness_percent']:.0f} %", f"+{line['our_slowness_percent']:.0f} %",
                     f"{line['imb_apart_percent']:.1f} %", f"{line['our_apart_percent']:.1f} %", verdict(line, tolerance)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)
