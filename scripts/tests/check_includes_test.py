#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Planted includes: what the design allows passes, every crossing is found.
import re
import subprocess
import unittest

from planted_tree import SCRIPTS, PlantedTree

HEADERS = (
    "harness/core/axis.hpp", "harness/machine/machine.hpp", "harness/machine/nvml/nvml.hpp", "harness/host/arena.hpp",
    "harness/cuda/buffer.hpp", "harness/integrity/digest.hpp", "harness/nccl/library.hpp", "harness/plan/plan.hpp",
    "harness/run/module_main.hpp", "harness/front/suite/processes/plan_run.hpp", "results/record/record.hpp", "gemm/cases.hpp", "memory/cases.hpp",
    "memory/host/stream_kernels.hpp",
)


class CheckIncludes(PlantedTree):
    check = "check-includes"

    def setUp(self):
        super().setUp()
        for header in HEADERS:
            self.plant(header)

    def includes(self, path, *headers):
        self.plant(path, "".join(f"#include {header}\n" for header in headers))
        return self.findings()

    def assert_refused(self, path, header, why):
        found = self.includes(path, header)
        self.assertEqual(len(found), 1, found)
        self.assertIn(f"{path}:1: includes {header[1:-1]}: ", found[0])
        self.assertIn(why, found[0])

    def assert_allowed(self, path, *headers):
        self.assertEqual(self.includes(path, *headers), [])

    def test_what_the_design_allows_passes(self):
        self.assert_allowed("memory/main.cpp", '"memory/cases.hpp"', '"harness/run/module_main.hpp"', "<memory>")
        self.assert_allowed("memory/cases.cpp", '"harness/core/axis.hpp"', '"harness/machine/machine.hpp"',
                            '"harness/host/arena.hpp"', '"harness/cuda/buffer.hpp"', '"harness/nccl/library.hpp"', "<fmt/format.h>")
        self.assert_allowed("harness/run/module_main.cpp", '"results/record/record.hpp"', '"harness/plan/plan.hpp"',
                            '"harness/machine/machine.hpp"', '"harness/core/axis.hpp"')
        self.assert_allowed("harness/cuda/device.cpp", '"harness/machine/nvml/nvml.hpp"', "<cuda_runtime.h>")
        self.assert_allowed("memory/stream_kernels.cu", '"harness/core/axis.hpp"', '"harness/integrity/digest.hpp"',
                            '"memory/host/stream_kernels.hpp"', "<cuda_runtime.h>", "<cstdint>")
        self.assert_allowed("results/record/journal.cpp", '"results/record/record.hpp"', "<nlohmann/json.hpp>")

    def test_what_stands_for_the_gpus_code_in_tests_is_the_host_compilers(self):
        self.plant("harness/cuda/tests/simulated/device_language.hpp")
        self.assert_allowed("memory/tests/simulated/memory/accesses.cuh",
                            '"harness/cuda/tests/simulated/device_language.hpp"')
        self.assert_refused("memory/accesses.cuh", '"harness/cuda/tests/simulated/device_language.hpp"', "nvcc")

    def test_a_module_in_another_module_is_found(self):
        self.assert_refused("memory/copy.cpp", '"gemm/cases.hpp"', "may include harness/core")

    def test_a_module_that_sees_results_is_found(self):
        self.assert_refused("gemm/cases.cpp", '"results/record/record.hpp"', "may include")

    def test_a_module_that_sees_the_runner_outside_main_is_found(self):
        self.assert_refused("gemm/cases.cpp", '"harness/run/module_main.hpp"', "may include")

    def test_a_test_of_a_module_is_bound_as_the_module_is(self):
        self.assert_refused("gemm/tests/cases_test.cpp", '"memory/cases.hpp"', "may include")

    def test_core_sees_nothing_of_ours(self):
        self.assert_refused("harness/core/measure.cpp", '"harness/machine/machine.hpp"', "nothing of this project")

    def test_results_see_of_the_harness_its_core_only(self):
        self.assert_allowed("results/store/store.cpp", '"harness/core/axis.hpp"')
        self.assert_refused("results/store/store.cpp", '"harness/machine/machine.hpp"', "may include harness/core")

    def test_a_folder_of_results_sees_those_below_it_only(self):
        self.plant("results/judge/verdicts.hpp")
        self.assert_allowed("results/report/verdicts.cpp", '"results/judge/verdicts.hpp"', '"results/record/record.hpp"')
        self.assert_refused("results/record/journal.cpp", '"results/judge/verdicts.hpp"', "may include harness/core")

    def test_machine_and_host_do_not_see_each_other(self):
        self.assert_refused("harness/host/arena.cpp", '"harness/machine/machine.hpp"', "may include harness/core")

    def test_cuda_sees_of_machine_only_nvml(self):
        self.assert_refused("harness/cuda/device.cpp", '"harness/machine/machine.hpp"', "nvml.hpp")

    def test_nccls_opening_sees_core_only(self):
        self.assert_refused("harness/nccl/library.cpp", '"harness/cuda/buffer.hpp"', "may include harness/core")

    def test_integrity_sees_core_only(self):
        self.assert_refused("harness/integrity/faults.cpp", '"harness/host/arena.hpp"', "may include harness/core")

    def test_the_campaign_starts_modules_and_never_includes_them(self):
        self.assert_refused("harness/front/suite/processes/plan_run.cpp", '"memory/cases.hpp"', "may include")

    def test_a_kernel_file_that_sees_more_than_core_is_found(self):
        self.assert_refused("memory/stream.cu", '"harness/cuda/buffer.hpp"', "nvcc")

    def test_a_kernel_file_that_sees_json_is_found(self):
        self.assert_refused("memory/stream.cu", "<nlohmann/json.hpp>", "nvcc")

    def test_a_header_that_a_kernel_file_reads_is_bound_as_the_kernel_file_is(self):
        self.plant("memory/stream.cu", '#include "memory/host/stream_kernels.hpp"\n')
        self.assert_refused("memory/host/stream_kernels.hpp", '"harness/cuda/buffer.hpp"', "nvcc")

    def test_cuda_where_none_belongs_is_found(self):
        for folder in ("harness/run", "harness/front/health", "harness/plan", "results/store"):
            with self.subTest(folder):
                self.plant(f"{folder}/two.cpp", "#include <nvml.h>\n")
                self.assert_refused(f"{folder}/two.cpp", "<cuda_runtime.h>", "sees no CUDA")
                self.plant(f"{folder}/two.cpp")

    def test_every_pair_of_folders_is_judged_by_the_table(self):
        rule = {}
        for row in (SCRIPTS / "check-includes").read_text(encoding="utf-8").splitlines():
            if match := re.match(r'    "([a-z/]+)": \(([^()]*)\),$', row):
                rule[match[1]] = re.findall(r'"([^"]+)"', match[2])
        self.assertGreater(len(rule), 14)
        for folder in rule:
            self.plant(f"{folder}/planted.hpp")
        refused = []
        for folder, allowed in rule.items():
            others = [other for other in rule if other != folder]
            self.plant(f"{folder}/planted.cpp", "".join(f'#include "{other}/planted.hpp"\n' for other in others))
            refused += [f"{folder}/planted.cpp:{line}: includes {other}/planted.hpp: " for line, other in enumerate(others, 1)
                        if not any(other == one or other.startswith(one + "/") for one in (*allowed, folder))]
        found = self.findings()
        self.assertEqual(sorted(re.sub(r"(planted.hpp: ).*", r"\1", line) for line in found), sorted(refused))

    def test_fmt_in_a_header_is_found(self):
        self.assert_refused("memory/cases.hpp", "<fmt/format.h>", "fmt belongs in .cpp")

    def test_an_include_that_is_not_written_from_the_root_is_found(self):
        self.assert_refused("memory/cases.cpp", '"cases.hpp"', "from the project root")

    def test_an_own_header_in_angle_brackets_is_found(self):
        self.assert_refused("memory/cases.cpp", "<memory/cases.hpp>", 'with "..."')

    def test_a_file_in_a_folder_without_a_rule_is_found(self):
        self.assert_refused("attic/old.cpp", '"harness/core/axis.hpp"', "no folder of the include table")

    def test_the_documentation_shows_the_rule_as_it_is(self):
        shown = subprocess.run([SCRIPTS / "check-includes", "--markdown"], capture_output=True, text=True, check=True).stdout
        page = (SCRIPTS.parent / "docs/developing/architecture.md").read_text(encoding="utf-8")
        self.assertIn(shown, page, "docs/developing/architecture.md must hold what `scripts/check-includes --markdown` prints")


unittest.main()
