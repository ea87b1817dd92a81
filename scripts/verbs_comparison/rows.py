# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What is compared: one row is one operation at one size, with the settings both programs get.
import dataclasses

OPERATIONS = ("write", "send", "read")
BANDWIDTH_BYTES = (64, 4096, 65536, 1 << 20)
LATENCY_BYTES = 64
MIB = 1 << 20
# In perftest's event mode one look at the completion queue takes at most 16 completions and nothing looks again before the
# next event: with a completion for each of 128 messages it sleeps for ever. Fewer completions keep it going.
EVENT_MODERATION = 64
# Of the bytes that move in one measurement; perftest counts its ramp-up and drain, a round trip or two of these.
MEASURED_BYTES = {64: 320_000, 4096: 8 * MIB, 65536: 24 * MIB, MIB: 48 * MIB}
LATENCY_EXCHANGES = 3000


@dataclasses.dataclass(frozen=True)
class Row:
    operation: str
    kind: str  # bandwidth | latency
    bytes: int
    completion: str = "polling"  # | events
    qps: int = 1

    @property
    def tx_depth(self):
        """Of one queue pair; 8 MiB in flight in all: what assay-rdma keeps on a slow link (docs/method/rdma.md)."""
        return max(1, min(128, 8 * MIB // self.bytes // self.qps))

    @property
    def moderation(self):
        return min(EVENT_MODERATION, self.tx_depth) if self.completion == "events" else 1

    @property
    def iterations(self):
        """Of one queue pair."""
        return LATENCY_EXCHANGES if self.kind == "latency" else MEASURED_BYTES[self.bytes] // self.bytes // self.qps

    def better(self, values):
        return max(values) if self.kind == "bandwidth" else min(values)

    def holds(self, ratio, tolerance):
        """Ours is at least as good as theirs."""
        return ratio >= 1 - tolerance if self.kind == "bandwidth" else ratio <= 1 + tolerance


def bandwidth_rows(operation, completion):
    return [Row(operation, "bandwidth", size, completion) for size in BANDWIDTH_BYTES]


def rows_of_several_queue_pairs():
    return [Row(operation, "bandwidth", size, qps=4) for operation in ("write", "read") for size in (64, 65536)]


def virtual_rows():
    """One processor: two programs that poll would wait for each other's time slice, so whatever needs both sleeps."""
    rows = bandwidth_rows("write", "polling") + bandwidth_rows("read", "polling") + bandwidth_rows("send", "events")
    rows += rows_of_several_queue_pairs()
    return rows + [Row(operation, "latency", LATENCY_BYTES, "events") for operation in ("send", "read")]


def real_rows():
    rows = [row for operation in OPERATIONS for row in bandwidth_rows(operation, "polling")] + rows_of_several_queue_pairs()
    rows += [Row(operation, "latency", LATENCY_BYTES) for operation in OPERATIONS]
    return rows + [Row(operation, "latency", LATENCY_BYTES, "events") for operation in ("send", "read")]
