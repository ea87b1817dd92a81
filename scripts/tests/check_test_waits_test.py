#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Planted sleeps, in unit tests, their fixtures, and tests of other labels.
import unittest

from planted_tree import PlantedTree

FOUND = ("a unit test sleeps: wait for an event, script the clock, or look for the state "
         "(harness/core/tests/eventually.hpp)")


class CheckTestWaits(PlantedTree):
    check = "check-test-waits"

    def test_every_form_of_sleep_is_found(self):
        for number, line in enumerate((
                "std::this_thread::sleep_for(5ms);", "std::this_thread::sleep_until(then);", "usleep(10);", "::sleep(1);", "nanosleep(&a, &b);",
                'run("sleep 0.5; exec " + module);', '"for i in 1 2; do echo; sleep 0.2; done"')):
            self.plant(f"model/tests/a{number}_test.cpp", f"\n{line}\n")
        self.assertEqual(self.findings(), [f"model/tests/a{number}_test.cpp:2: {FOUND}" for number in range(7)])

    def test_a_fixture_is_read_too(self):
        self.plant("model/tests/fixture.hpp", "usleep(10);\n")
        self.assertEqual(self.findings(), [f"model/tests/fixture.hpp:1: {FOUND}"])

    def test_what_looks_for_a_state_and_what_never_ends_is_no_sleep(self):
        self.plant("model/tests/a_test.cpp", '"until test -e f; do sleep 0.01; done"\n"exec sleep 600"\n{"/bin/sleep", "60"}\nsleep_s_(1);\n'
                   '"for look in 1 2; do test -e f && break; sleep 0.05; done"\n')
        self.assertEqual(self.findings(), [])

    def test_tests_of_other_labels_and_product_code_may_sleep(self):
        self.plant("model/CMakeLists.txt", "assay_test(a LABEL device SOURCES tests/a_test.cpp LINK model)\n"
                   "assay_test(b LABEL unit\n  SOURCES tests/b*.cpp LINK model)\n")
        for path in ("model/tests/a_test.cpp", "model/tests/b_test.cpp", "model/model.cpp"):
            self.plant(path, "usleep(10);\n")
        self.assertEqual(self.findings(), [f"model/tests/b_test.cpp:1: {FOUND}"])

    def test_scripts_labelled_unit_are_read_and_others_are_not(self):
        folder = "${CMAKE_CURRENT_SOURCE_DIR}/tests"
        self.plant("model/CMakeLists.txt", f"assay_script_test(unit.a SCRIPT {folder}/a_test.py TIMEOUT 9)\n"
                   f"  add_test(NAME unit.b COMMAND python3 -B {folder}/b_test.py)\nassay_script_test(cluster.c SCRIPT {folder}/c_test.py)\n")
        for name in "abc":
            self.plant(f"model/tests/{name}_test.py", "time.sleep(1)\n")
        self.assertEqual(self.findings(), [f"model/tests/{name}_test.py:1: {FOUND}" for name in "ab"])

    def test_a_file_that_sleeps_no_more_leaves_the_list(self):
        self.plant("harness/core/tests/eventually.hpp", "int a;\n")
        self.assertEqual(self.findings(), ["scripts/check-test-waits:1: harness/core/tests/eventually.hpp sleeps no more: take it off KEPT"])


unittest.main()
