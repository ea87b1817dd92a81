# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Every option, explained. AUTO builds what is found; ON makes absence fatal; OFF leaves it out.
set(ASSAY_WITH_CUDA AUTO CACHE STRING "CUDA cases (needs the CUDA toolkit): AUTO, ON or OFF")
set(ASSAY_WITH_ONEDNN AUTO CACHE STRING "host GEMM in bf16, int8 and fp32 (needs oneDNN): AUTO, ON or OFF")
set(ASSAY_WITH_BLAS AUTO CACHE STRING "host GEMM in fp64 (needs OpenBLAS): AUTO, ON or OFF")
set(ASSAY_WITH_VERBS AUTO CACHE STRING "the rdma room (needs libibverbs): AUTO, ON or OFF")
set(ASSAY_WITH_MPI AUTO CACHE STRING "teams under mpirun (needs MPI's headers): AUTO, ON or OFF")
set(ASSAY_WITH_CHARTS AUTO CACHE STRING "charts in the HTML report (needs node and npm): AUTO, ON or OFF")
foreach(option ASSAY_WITH_CUDA ASSAY_WITH_ONEDNN ASSAY_WITH_BLAS ASSAY_WITH_VERBS ASSAY_WITH_MPI ASSAY_WITH_CHARTS)
  if(NOT ${option} MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "${option} takes AUTO, ON or OFF; got '${${option}}'")
  endif()
endforeach()
option(ASSAY_BUILD_TESTS "build the tests" ON)
set(ASSAY_TEST_LABELS "" CACHE STRING "labels of the tests to build, e.g. unit;golden; empty builds all")
set(ASSAY_SHARED_DATA_DIR "" CACHE PATH "public test inputs (H100 timings, model vectors); tests that need them skip when empty")
set(ASSAY_SANITIZE "" CACHE STRING "sanitizers to build with, e.g. address,undefined")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# ccache where it is, unless the caller chose a launcher.
find_program(ASSAY_CCACHE ccache)
if(ASSAY_CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${ASSAY_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${ASSAY_CCACHE})
endif()
