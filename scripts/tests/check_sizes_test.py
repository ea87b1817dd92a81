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

    def plant_files(self, folder, count):
        for number in range(count):
            self.plant(f"{folder}/file{number}.cpp", "// x\n")

    def test_a_folder_of_30_files_passes_with_its_tests_and_rooms(self):
        self.plant_files("room", 30)
        self.plant_files("room/tests", 31)
        self.plant_files("room/inner", 1)
        self.plant("room/page.ts", "// x\n")
        self.assertEqual(self.findings(), [])

    def test_a_folder_of_31_files_is_found(self):
        self.plant_files("room", 31)
        self.assertEqual(self.findings(), ["room: 31 files; a folder is one subject with up to 30"])

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
