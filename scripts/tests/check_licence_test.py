#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Files with, without and with half of the licence lines.
import unittest

from planted_tree import PlantedTree

# Written in two parts so that this file's own lines stay the only ones.
COPYRIGHT = "SPDX-FileCopyrightText: " + "The assay authors"
LICENCE = "SPDX-License-Identifier: " + "Apache-2.0"


class CheckLicence(PlantedTree):
    check = "check-licence"

    def test_both_lines_pass_in_every_language(self):
        self.plant("a.cpp", f"// {COPYRIGHT}\n// {LICENCE}\n")
        self.plant("CMakeLists.txt", f"# {COPYRIGHT}\n# {LICENCE}\n")
        self.plant("run", f"#!/usr/bin/env bash\n# {COPYRIGHT}\n# {LICENCE}\n")
        self.assertEqual(self.findings(), [])

    def test_a_file_without_them_is_found(self):
        self.plant("a.cpp", "int x;\n")
        self.assertEqual(len(self.findings()), 1)

    def test_a_file_with_one_of_them_is_found(self):
        self.plant("a.py", f"# {LICENCE}\n")
        self.plant("run", f"#!/usr/bin/env bash\n# {COPYRIGHT}\n")
        self.assertEqual(len(self.findings()), 2)

    def test_a_file_that_has_them_further_down_is_found(self):
        self.plant("a.cpp", f"int x;\n// {COPYRIGHT}\n// {LICENCE}\n")
        self.assertEqual(len(self.findings()), 1)


unittest.main()
