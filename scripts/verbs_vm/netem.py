# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What the wire does to a host's packets on their way out, as arguments of tc's netem.
import re

from verbs_vm.outcome import UsageError

PERCENT = re.compile(r"\d+(\.\d+)?%( \d+(\.\d+)?%)?")
TIME = re.compile(r"\d+(\.\d+)?(us|ms|s)( \d+(\.\d+)?(us|ms|s))?")
RATE = re.compile(r"\d+(\.\d+)?[kmg]?bit")
# impairment -> (what it looks like, an example)
IMPAIRMENTS = {
    "delay": (TIME, "10ms"),
    "loss": (PERCENT, "1%"),
    "corrupt": (PERCENT, "1%"),
    "duplicate": (PERCENT, "1%"),
    "reorder": (PERCENT, "1%"),
    "rate": (RATE, "20mbit"),
}
QUEUE = "limit 10000"  # netem's own 1,000 packets would lose some under delay alone


def check(impairment, value):
    form, example = IMPAIRMENTS[impairment]
    if not form.fullmatch(value):
        raise UsageError(f"--{impairment} takes a value like {example}; got '{value}'")


def text(impairments):
    """Arguments for tc ... netem, or '' for a clean wire. impairments: name -> value."""
    for name, value in impairments.items():
        check(name, value)
    if "reorder" in impairments and "delay" not in impairments:
        raise UsageError("--reorder needs --delay: the packets that overtake are those not delayed")
    parts = [f"{name} {impairments[name]}" for name in IMPAIRMENTS if name in impairments]
    return " ".join([QUEUE, *parts]) if parts else ""
