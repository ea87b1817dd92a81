#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
"""assay.read has the points that `assay show points` has, as frames, or as arrays where pandas is missing."""

import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

from here import FABRICS, run

import assay
import numpy


class Store(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.store = str(pathlib.Path(cls.folder.name) / "store.sqlite")
        journal = pathlib.Path(cls.folder.name) / "journal.jsonl"
        assay.fabric.simulate(FABRICS / "zone-128.toml", FABRICS / "ring-128.toml", journal=journal)
        run("import", journal, "--store", cls.store)
        cls.shown = json.loads(run("show", "points", "--store", cls.store, "--format", "json")[0])["rows"]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check_points(self, points):
        self.assertEqual(len(points["case"]), len(self.shown))
        self.assertGreater(len(self.shown), 0)
        for row, shown in enumerate(self.shown):
            name, point, _, unit, n, _, status = shown
            self.assertEqual([points[column][row] for column in ("case", "point", "unit", "n", "status")],
                             [name, point, unit, n, status])
        self.assertEqual(set(points["origin"]), {"simulated"})

    def test_frames_where_pandas_is_there(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("python3-pandas is not installed")
        points = assay.read(self.store).points()
        self.assertIsInstance(points, pandas.DataFrame)
        self.check_points(points)
        self.assertEqual(points["value"].dtype, numpy.float64)
        runs = assay.read(self.store).runs()
        self.assertEqual(list(runs["origin"]), ["simulated"])
        self.assertEqual(runs["points"][0], len(points))

    def test_arrays_where_it_is_not(self):
        with mock.patch.dict(sys.modules, {"pandas": None}):
            points = assay.read(self.store).points()
        self.assertIsInstance(points, dict)
        self.check_points(points)
        self.assertTrue(all(isinstance(column, numpy.ndarray) for column in points.values()))

    def test_filters_and_limits(self):
        store = assay.read(self.store)
        self.assertEqual(len(store.points(limit=1)["case"]), 1)
        self.assertEqual(len(store.points(filter="no.such.*")["case"]), 0)
        self.assertEqual(store.samples(int(store.points()["id"][0])).dtype, numpy.float64)

    def test_a_run_that_is_not_there_is_refused(self):
        with self.assertRaisesRegex(assay.UsageError, "r99"):
            assay.read(self.store).points("r99")

    def test_samples_of_a_point_that_is_not_there_are_refused(self):
        with self.assertRaisesRegex(assay.UsageError, "no point 1000000000"):
            assay.read(self.store).samples(10**9)

    def test_what_is_no_store_is_refused(self):
        with self.assertRaisesRegex(assay.UsageError, "zone-128.toml"):
            assay.read(FABRICS / "zone-128.toml")


if __name__ == "__main__":
    unittest.main()
