# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Included by memory/CMakeLists.txt where CUDA was found.
assay_library(memory_cuda MEASURED
  CASES cuda/cuda_stream cuda/cuda_driver_copy cuda/cuda_latency cuda_pattern/cuda_pattern cuda_pattern/cuda_corruption cuda/cuda_vector
  SOURCES cuda/cuda_bulk_copy.cu cuda/cuda_chase.cpp cuda_pattern/cuda_check_kernels.cu cuda/cuda_latency_kernels.cu cuda/cuda_operands.cpp
          cuda_pattern/cuda_pattern_kernels.cu cuda/cuda_stream_kernels.cu cuda/cuda_vector_kernels.cu
  LINK harness_cuda harness_machine memory_cuda_declared
  PRIVATE_LINK fmt::fmt)
# The formulas of the data are constexpr, and shared by host and device.
target_compile_options(memory_cuda PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)

if(ASSAY_BUILD_TESTS)
  assay_test(memory_cuda_test LABEL unit
    SOURCES tests/cuda_cases_test.cpp tests/cuda_corruption_test.cpp tests/cuda_formula_test.cpp tests/cuda_geometry_test.cpp
            tests/cuda_pattern_test.cpp
    LINK memory_cases)
  set(kernels cuda/cuda_bulk_copy.cu cuda_pattern/cuda_check_kernels.cu cuda/cuda_latency_kernels.cu cuda_pattern/cuda_pattern_kernels.cu cuda/cuda_stream_kernels.cu cuda/cuda_vector_kernels.cu)
  set(twins ${CMAKE_CURRENT_SOURCE_DIR}/tests/simulated)
  # A gigabyte by single loads takes a GPU.
  assay_simulated_gpu_test(memory_cuda_simulated_test
    SOURCES tests/cuda_device_test.cpp tests/simulated_capability_test.cpp tests/simulated_peers_test.cpp KERNELS ${kernels} TWINS ${twins} LINK memory_cases FILTER "-*TheL2AnswersSooner*")
  assay_test(memory_cuda_device_test LABEL device SOURCES tests/cuda_device_test.cpp LINK memory_cases)
endif()
