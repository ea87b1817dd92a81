#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Planted renames of metrics, conditions and axes on one side of the records.
import unittest

from planted_tree import PlantedTree

NAMES = "harness/core/names.hpp"


class CheckRecordNames(PlantedTree):
    check = "check-record-names"

    def setUp(self):
        super().setUp()
        self.plant(NAMES, 'namespace assay::core::names {\ninline constexpr const char* busbw_gb_per_s = "busbw_gb_per_s";\n'
                   'inline constexpr const char* slowdown = "slowdown";\n}\n')
        self.plant("collectives/trial.cpp", '{core::names::busbw_gb_per_s, "GB/s"}; {core::names::slowdown, ""};\n'
                   'axis("bytes");\n')
        self.plant("results/show/table.cpp", 'metric(core::names::busbw_gb_per_s); metric(core::names::slowdown);\n'
                   'field_text(point.axes, {"bytes"});\n')

    def test_names_that_both_sides_use_pass(self):
        self.assertEqual(self.findings(), [])

    def test_a_metric_that_a_module_renames_is_found(self):
        self.plant("collectives/trial.cpp", '{"bus_gb_per_s", "GB/s"}; {core::names::slowdown, ""}; axis("bytes");\n')
        self.assertEqual(self.findings(), [f"{NAMES}:1: no source that writes records uses 'busbw_gb_per_s'"])

    def test_a_metric_that_a_module_types_is_found(self):
        self.plant("rdma/trial.cpp", '\n{"busbw_gb_per_s", "GB/s"};\n')
        self.assertEqual(self.findings(), [f"rdma/trial.cpp:2: 'busbw_gb_per_s' is a constant of {NAMES}"])

    def test_a_metric_that_readers_rename_is_found(self):
        self.plant("results/show/table.cpp", 'metric("bus_gb_per_s"); metric(core::names::slowdown);\n')
        self.assertEqual(self.findings(), [
            f"{NAMES}:1: no source that reads records uses 'busbw_gb_per_s'",
            f"results/show/table.cpp:1: 'bus_gb_per_s' is read from records: use a constant of {NAMES}"])

    def test_a_condition_that_readers_type_is_found(self):
        self.plant("results/export/csv.cpp", 'field_text(record.conditions, {"nccl_version"});\n')
        self.assertEqual(self.findings(), [
            f"results/export/csv.cpp:1: 'nccl_version' is read from records: use a constant of {NAMES}"])

    def test_a_constant_of_another_value_is_found(self):
        self.plant(NAMES, 'inline constexpr const char* busbw_gb_per_s = "busbw_gb_per_s";\n'
                   'inline constexpr const char* slowdown = "slow_down";\n')
        self.assertEqual(self.findings(), [f"{NAMES}:1: the constant slowdown holds 'slow_down'"])

    def test_an_axis_that_a_module_renames_is_found(self):
        self.plant("collectives/trial.cpp", '{core::names::busbw_gb_per_s}; {core::names::slowdown}; axis("size_bytes");\n')
        self.assertEqual(self.findings(), ["results/show/table.cpp:2: 'bytes' is an axis of no module"])

    def test_tests_may_type_names(self):
        self.plant("rdma/tests/trial_test.cpp", 'EXPECT_EQ(metric("busbw_gb_per_s"), 1);\n')
        self.assertEqual(self.findings(), [])


unittest.main()
