#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Planted names that say too little.
import unittest

from planted_tree import PlantedTree


class CheckNames(PlantedTree):
    check = "check-names"

    def test_telling_names_pass(self):
        self.plant("results/record/journal.cpp", "double bandwidth_gb_per_s;\n")
        self.plant("harness/communicator.hpp", "")
        self.assertEqual(self.findings(), [])

    def test_an_ambiguous_unit_is_found(self):
        self.plant("a.cpp", "\ndouble busbw_Gbps;\n")
        self.assertEqual(self.findings(), ["a.cpp:2: gbps may be bits or bytes; say gb_per_s or gbit_per_s"])

    def test_a_file_that_is_named_after_nothing_is_found(self):
        for name in ("utils.cpp", "string_util.hpp", "common.cmake", "test-helpers.py"):
            self.plant(f"src/{name}")
        found = self.findings()
        self.assertEqual(len(found), 4, found)
        self.assertIn("src/common.cmake:1: 'common.cmake' says nothing about what is inside", found)

    def test_a_folder_that_is_named_after_nothing_is_found(self):
        self.plant("common/clock.hpp")
        self.assertEqual(self.findings(), ["common/clock.hpp:1: 'common' says nothing about what is inside"])


unittest.main()
