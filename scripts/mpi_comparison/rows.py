# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What is compared: one row is one operation at one size on one number of ranks.
import dataclasses

IMB_NAMES = {"all_reduce": "Allreduce", "all_gather": "Allgather", "all_to_all": "Alltoall"}
LARGEST = 16 << 20


class Failed(Exception):
    """One of the two programs gave no number; the text says which and why."""


@dataclasses.dataclass(frozen=True)
class Row:
    operation: str
    ranks: int
    imb_bytes: int  # as IMB counts: the vector of an all-reduce, one rank's block elsewhere

    @property
    def bytes(self):
        """As assay counts: the larger buffer of a rank, all blocks together."""
        return self.imb_bytes if self.operation == "all_reduce" else self.imb_bytes * self.ranks


def rows_of(operation, ranks, sizes):
    """Those whose larger buffer is at most 16 MiB, and the block that just fills it."""
    blocks = set(sizes) | ({LARGEST // ranks} if LARGEST in sizes else set())
    rows = [Row(operation, ranks, size) for size in sorted(blocks)]
    return [row for row in rows if row.bytes <= LARGEST]
