#!/usr/bin/env python3
# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Planted names of CUDA that 12.0 does not have.
import unittest

from planted_tree import PlantedTree

LIST = "scripts/cuda_names.txt"
NEWER = "cuNewCall 12.8 -> the point is unsupported"


class CheckCudaNames(PlantedTree):
    check = "check-cuda-names"

    def setUp(self):
        super().setUp()
        self.plant(LIST, f"# comment\ncudaMalloc CUresult\n{NEWER}\n")
        self.plant("memory/old.cpp", '#include <cuda_runtime_api.h>\ncudaMalloc(&p, 8);  // not cudaMallocFancy\nCUresult r;\n'
                   'library.find_if_there("cuNewCall", call);\nsetenv("CUDA_VISIBLE_DEVICES", "0", 1);\n')

    def test_names_of_12_0_and_a_newer_one_that_is_asked_for_pass(self):
        self.assertEqual(self.findings(), [])

    def test_a_name_that_is_not_of_12_0_is_found_in_code_kernels_and_tests(self):
        for path, text, name in (("gemm/a.cpp", "cudaFree(p);", "cudaFree"), ("gemm/a.cu", "CU_NEW_FLAG", "CU_NEW_FLAG"),
                                 ("gemm/a_kernels.hpp", "cublasLtNew x;", "cublasLtNew"), ("gemm/tests/a_test.cpp", "CUBLASLT_NEW", "CUBLASLT_NEW")):
            with self.subTest(path):
                self.plant(path, f"\n{text}\n")
                self.assertEqual(self.findings(), [f"{path}:2: {name} is not a name of CUDA 12.0 in {LIST}"])
                (self.root / path).unlink()

    def test_a_name_between_quotes_that_is_in_no_list_is_found(self):
        self.plant("rdma/a.cpp", 'library.find_if_there("cuNewestCall", call);\n')
        self.assertEqual(self.findings(), [f"rdma/a.cpp:1: cuNewestCall is not a name of CUDA 12.0 in {LIST}"])

    def test_a_newer_name_that_code_calls_is_found(self):
        self.plant("rdma/a.cpp", 'cuNewCall(0);\n')
        self.assertEqual(self.findings(), ['rdma/a.cpp:1: cuNewCall is newer than CUDA 12.0: ask the library for "cuNewCall"'])

    def test_a_newer_name_without_which_the_program_ends_is_found(self):
        self.plant("rdma/a.cpp", 'library_.find("cuNewCall", call);\n')
        self.assertEqual(self.findings(), ["rdma/a.cpp:1: cuNewCall is newer than CUDA 12.0, and the program ends where the library lacks it: "
                                           "find_if_there"])

    def test_a_function_of_nvml_is_asked_for_by_its_name(self):
        self.plant(LIST, f"cudaMalloc CUresult nvmlInit_v2\n{NEWER}\nnvmlDeviceGetNew 12.4 -> the value is unknown\n")
        self.plant("harness/a.cpp", 'find(call.init, "nvmlInit_v2");\nfind(call.made, "nvmlDeviceGetNew");\n')
        self.plant("harness/tests/fake.cpp", "int nvmlInit_v2() { return 0; }\nint nvmlDeviceGetNew() { return 0; }\n")
        self.assertEqual(self.findings(), [])
        self.plant("harness/b.cpp", 'find(call.other, "nvmlDeviceGetNewest");\nnvmlInit_v2();\n')
        self.assertEqual(self.findings(), ['harness/b.cpp:1: nvmlDeviceGetNewest is not a name of CUDA 12.0 in scripts/cuda_names.txt',
                                           'harness/b.cpp:2: nvmlInit_v2 is of NVML, which is not linked: ask the library for "nvmlInit_v2"'])

    def test_a_name_that_nothing_uses_and_a_line_without_a_consequence_are_found(self):
        self.plant(LIST, f"cudaMalloc CUresult cudaFree\n{NEWER}\ncudaOther 13.0 ->\ncudaOld 11.7 -> nothing\n")
        expected = "expected 'NAME VERSION -> what happens without it', VERSION above 12.0"
        self.assertEqual(self.findings(), [f"{LIST}:3: {expected}", f"{LIST}:4: {expected}", f"{LIST}:1: no source uses cudaFree"])


unittest.main()
