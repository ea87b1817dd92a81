#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What compare-mpi-benchmarks reads out of IMB and out of a journal, and how it judges it.
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from mpi_comparison import assay, imb, table
from mpi_comparison.rows import Failed, Row, rows_of

IMB_TEXT = """# Allreduce
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
            8         1000        73.38       123.72        94.44
            8         1000        65.68       113.77        85.73
"""


def point(**changes):
    return {"status": "ok", "reason": "", "verification": {"result": "right", "why": ""}, "time": {"value_s": 5e-5},
            "metrics": [{"name": "rank_mean_avg_us", "value": 60.0}, {"name": "rank_mean_max_us", "value": 70.0}]} | changes


class Comparison(unittest.TestCase):
    row = Row("all_reduce", 4, 8)

    def test_sizes_are_those_of_the_whole_buffer(self):
        self.assertEqual(Row("all_gather", 8, 1024).bytes, 8192)
        self.assertEqual(self.row.bytes, 8)

    def test_no_buffer_is_over_16_mib_and_the_largest_is_that(self):
        self.assertEqual([row.bytes for row in rows_of("all_to_all", 8, [8, 16 << 20])], [64, 16 << 20])

    def test_every_window_of_imb_is_read(self):
        self.assertEqual([window["avg"] for window in imb.results(IMB_TEXT, self.row, 2)], [94.44, 85.73])

    def test_a_window_of_imb_that_is_missing_is_told(self):
        with self.assertRaisesRegex(Failed, "printed 2 of 3 lines"):
            imb.results(IMB_TEXT, self.row, 3)

    def test_times_of_a_point_are_in_microseconds(self):
        self.assertEqual(assay.times_of(point(), self.row), {"median": 50.0, "avg": 60.0, "max": 70.0})

    def test_a_point_that_failed_or_is_wrong_is_no_time(self):
        for bad in (point(status="failed", reason="no"), point(verification={"result": "wrong", "why": "no"})):
            with self.assertRaises(Failed):
                assay.times_of(bad, self.row)

    def test_the_best_window_counts_and_the_middle_one_says_how_quiet_it_was(self):
        theirs = [[{"avg": value, "max": value, "min": value} for value in launch] for launch in ((100.0, 300.0), (150.0,))]
        line = table.summary(self.row, [[assay.times_of(point(), self.row)]], theirs)
        self.assertEqual(line["imb_avg_us"], 100.0)
        self.assertAlmostEqual(line["imb_slowness_percent"], 50)
        self.assertAlmostEqual(line["imb_apart_percent"], 50)
        self.assertAlmostEqual(line["our_apart_percent"], 0)
        self.assertAlmostEqual(line["avg_ratio"], 0.6)

    def test_a_difference_beyond_the_tolerance_is_never_called_within(self):
        quiet = {"imb_apart_percent": 1, "our_apart_percent": 2}
        self.assertEqual(table.verdict({"avg_ratio": 1.02} | quiet, 0.03), "yes")
        self.assertEqual(table.verdict({"avg_ratio": 1.04} | quiet, 0.03), "no")
        self.assertEqual(table.verdict({"avg_ratio": 0.96, "imb_apart_percent": 9, "our_apart_percent": 2}, 0.03),
                         "no, but a program differs more from itself")


if __name__ == "__main__":
    unittest.main()
