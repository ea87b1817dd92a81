#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Planted idioms, in pages and in code.
import re
import unittest

from planted_tree import SCRIPTS, PlantedTree

NOBODY = "'nobody': write no one, no load, unknown"


class CheckIdioms(PlantedTree):
    check = "check-idioms"

    def test_plain_english_passes(self):
        self.plant("docs/index.md", "The counter reports it. There is no GPU. It has no room for three.\n")
        self.plant("harness/a.cpp", '/// The counter reports it.\nconst char* text = "no GPU";\n')
        self.assertEqual(self.findings(), [])

    def test_an_idiom_is_found_with_its_replacement(self):
        self.plant("docs/index.md", "\nNobody looks.\n")
        self.plant("README.md", "The rooms measure.\n")
        self.assertEqual(self.findings(), ["README.md:1: 'rooms': write module",
                                           "docs/index.md:2: 'Nobody': write no one, no load, unknown"])

    def test_what_programs_print_is_left_out_of_pages(self):
        self.plant("docs/index.md", "`not told`\n\n```text\nnot told\n```\n")
        self.assertEqual(self.findings(), [])

    def test_comments_and_texts_of_code_are_read(self):
        for path, text in {
                "harness/a.cpp": '#include "b.hpp"\n// nobody\n',
                "harness/b.hpp": '\nthrow Error(fmt::format("{}: nobody", it));\n',
                "harness/c.cu": "/* one\n   nobody */\n",
                "harness/i.hpp": "char quote = '\\'', two = '\"';\nint many = 4'000;  // nobody's\n",
                "model/d.cpp": 'const char* page =\n    R"(nobody)";\n',
                "scripts/e.py": '\nprint("nobody")\n',
                "scripts/f": "#!/usr/bin/env python3\n# nobody\n",
                "scripts/g.sh": "\necho nobody\n",
                "harness/plan/h.toml": "\nabout = \"nobody\"\n",
                "CMakeLists.txt": "\nmessage(STATUS nobody)\n"}.items():
            self.plant(path, text)
        self.assertEqual(sorted(self.findings()), sorted(f"{path}:2: {NOBODY}" for path in (
            "CMakeLists.txt", "harness/a.cpp", "harness/b.hpp", "harness/c.cu", "harness/i.hpp", "harness/plan/h.toml", "model/d.cpp", "scripts/e.py",
            "scripts/f", "scripts/g.sh")))

    def test_a_comment_that_begins_without_its_noun_is_found(self):
        self.plant("harness/a.cpp", "// SPDX\n// What a run is.\n\n  /// Of one step.\nint a;\n/// The step\n/// of which\n/// What follows.\n")
        self.assertEqual(self.findings(), ["harness/a.cpp:2: 'What' begins a comment: begin with a noun or a verb",
                                           "harness/a.cpp:4: 'Of' begins a comment: begin with a noun or a verb"])

    def test_names_and_included_files_are_not_texts(self):
        self.plant("harness/a.cpp", "#include \"harness/nobody.hpp\"\nvoid tell(int told) { x = '\"'; tell(told); }\n")
        self.plant("scripts/a.py", "def tell(told):\n    return told\n")
        self.assertEqual(self.findings(), [])

    def test_tests_are_left_out(self):
        self.plant("harness/core/tests/a_test.cpp", "// nobody\n")
        self.assertEqual(self.findings(), [])

    def test_a_text_that_is_data_stays_in_its_file_only(self):
        self.plant("harness/front/health/finding.cpp", 'return "not told";\n')
        self.assertEqual(self.findings(), [])
        self.plant("harness/front/health/other.cpp", 'return "not told";\n')
        self.assertEqual(len(self.findings()), 1)

    def to_do(self):
        text = (SCRIPTS / self.check).read_text()
        return re.findall(r'"([^"]+)"', re.search(r"^TO_DO = \((.*?)\)", text, re.DOTALL | re.MULTILINE)[1])

    def test_a_folder_still_to_do_may_have_idioms_and_leaves_the_list_when_it_has_none(self):
        folder = next((entry for entry in self.to_do() if "." not in entry), None)
        if folder is None:
            self.skipTest("no folder is left to do")
        self.plant(f"{folder}/a.cpp", "// nobody\n")
        self.assertEqual(self.findings(), [])
        self.plant(f"{folder}/a.cpp", "// no one\n")
        self.assertEqual(self.findings(), [f"scripts/check-idioms:1: {folder} is clean: take it off TO_DO"])

    def test_the_list_of_code_still_to_do_only_shrinks(self):
        at_first = ("collectives", "gemm", "memory", "offload", "rdma", "results", "harness/link/classify.cpp", "harness/link/classify.hpp",
                    "harness/team/lockstep.cpp")
        for entry in self.to_do():
            self.assertTrue(any(entry == folder or entry.startswith(folder + "/") for folder in at_first), entry)


unittest.main()
