#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The limits themselves pass; one line more is found.
import unittest

from planted_tree import PlantedTree


def function(lines):
    return "int f() {\n" + "  g();\n" * (lines - 2) + "}\n"


class CheckSizes(PlantedTree):
    check = "check-sizes"

    def test_a_file_of_300_lines_passes(self):
        self.plant("a.cpp", "// x\n" * 300)
        self.assertEqual(self.findings(), [])

    def test_a_file_of_301_lines_is_found(self):
        self.plant("a.hpp", "// x\n" * 301)
        self.assertEqual(self.findings(), ["a.hpp:301: 301 lines; a file has up to 300"])

    def test_a_function_of_40_lines_passes(self):
        self.plant("a.cpp", function(40))
        self.assertEqual(self.findings(), [])

    def test_a_function_of_41_lines_is_found(self):
        self.plant("a.cpp", "\n" + function(41))
        self.assertEqual(self.findings(), ["a.cpp:2: f has 41 lines; a function has up to 40"])

    def test_a_long_kernel_is_found(self):
        self.plant("a.cu", function(50).replace("int f", "__global__ void f"))
        self.assertEqual(self.findings(), ["a.cu:1: f has 50 lines; a function has up to 40"])

    def test_a_long_python_function_is_found(self):
        self.plant("a.py", "def f():\n" + "    g()\n" * 40)
        self.assertEqual(self.findings(), ["a.py:1: f has 41 lines; a function has up to 40"])


unittest.main()
