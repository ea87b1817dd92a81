# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""assay.read: a store of records as tables."""

import os

from . import _assay
from ._inputs import whole


def _table(columns):
    """A pandas frame where pandas is there, else a dict of NumPy arrays."""
    try:
        import pandas
    except ImportError:
        import numpy

        return {name: values if isinstance(values, numpy.ndarray) else numpy.array(values, dtype=object)
                for name, values in columns.items()}
    return pandas.DataFrame(columns)


class Store:
    """A store of records that `assay run` or `assay import` wrote; read() opens it. It is only read."""

    def __init__(self, path):
        self.path = os.fspath(path)
        self.runs()  # refuses other files

    def __repr__(self):
        return f"assay.read({self.path!r})"

    def runs(self):
        """All runs, the latest first: id, start (ISO 8601, UTC), origin, and counts of points by status (no unit)."""
        return _table(_assay.store_runs(self.path))

    def points(self, run="", filter="", limit=1_000_000):
        """The points of a run in the order measured, as a pandas frame, or a dict of NumPy arrays without pandas.

        run: "" is the latest. filter: a glob over cases or case/point. limit: rows at most.
        "value", "lower" and "upper" are of the headline "metric" in "unit"; "efficiency" is a share of the peak;
        times are in seconds, "work_bytes" in bytes, "work_flops" in FLOP; "axis.NAME" is each axis of the case;
        "origin" is measured, imported, simulated or predicted.
        """
        return _table(_assay.store_points(self.path, run, filter, whole("limit", limit, 0, 1e9)))

    def samples(self, point):
        """The samples of a point (its "id"), in seconds an iteration, in the order taken: a NumPy array.

        Raises UsageError where the store has no such point.
        """
        return _assay.store_samples(self.path, whole("point", point, 0, 1e18))


def read(store):
    """Open a store of records: a Store, whose points have their units in their columns.

    store: its file. Raises UsageError where it is none.
    """
    return Store(store)
