# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# What runs on the GPU of threads (harness/cuda/tests/simulated): kernels, tests and programs.

# assay_simulated_kernels(target KERNELS file.cu ... [TWINS folder ...]): compiles kernels for the GPU of threads in
# harness/cuda/tests/simulated. Headers under TWINS are found before those of the same name.
function(assay_simulated_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "KERNELS;TWINS")
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(kernel ${arg_KERNELS})
    set(unit ${CMAKE_CURRENT_BINARY_DIR}/simulated/${kernel}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT
      "#include \"harness/cuda/tests/simulated/device_language.hpp\"\n#include \"${folder}/${kernel}\"\n")
    set_source_files_properties(${unit} PROPERTIES COMPILE_OPTIONS -Wno-unknown-pragmas)
    target_sources(${target} PRIVATE ${unit})
  endforeach()
  target_include_directories(${target} BEFORE PRIVATE ${PROJECT_SOURCE_DIR}/harness/cuda/tests/simulated/device ${arg_TWINS})
endfunction()

# assay_on_simulated_gpu(target [KERNELS ... [TWINS ...]] [CUBLASLT yes]): makes a program use that GPU. Its runtime and
# kernels are linked as objects, and so stand before the libraries' own. With CUBLASLT a simulated one is opened, which
# finds the GPU in the program.
function(assay_on_simulated_gpu target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CUBLASLT" "KERNELS;TWINS")
  target_link_libraries(${target} PRIVATE simulated_gpu)
  assay_simulated_kernels(${target} KERNELS ${arg_KERNELS} TWINS ${arg_TWINS})
  if(arg_CUBLASLT)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/harness/workload/tests/simulated/choose_cublaslt.cpp)
    set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON)
    target_compile_definitions(${target} PRIVATE ASSAY_SIMULATED_CUBLASLT="$<TARGET_FILE:simulated_cublaslt>")
    add_dependencies(${target} simulated_cublaslt)
  endif()
endfunction()

# assay_simulated_gpu_test(name SOURCES ... LINK ... [FILTER filter] ...): a test of GPU code on that GPU; the rest as above.
function(assay_simulated_gpu_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CUBLASLT" "FILTER" "SOURCES;LINK;KERNELS;TWINS")
  assay_test(${name} LABEL unit SOURCES ${arg_SOURCES} LINK ${arg_LINK} FILTER "${arg_FILTER}")
  if(TARGET ${name})
    assay_on_simulated_gpu(${name} KERNELS ${arg_KERNELS} TWINS ${arg_TWINS} CUBLASLT ${arg_CUBLASLT})
  endif()
endfunction()

# assay_simulated_program(module LINK ... ...): the module's program on that GPU, in simulated/ and never installed. Its records
# say `simulated`.
function(assay_simulated_program module)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CUBLASLT" "" "LINK;KERNELS;TWINS")
  assay_wants_tests(unit wanted)
  if(NOT wanted)
    return()
  endif()
  add_executable(simulated-assay-${module} main.cpp ${PROJECT_SOURCE_DIR}/harness/run/tests/simulated_origin.cpp
                                         ${PROJECT_SOURCE_DIR}/harness/cuda/tests/simulated/from_environment.cpp)
  set_target_properties(simulated-assay-${module} PROPERTIES OUTPUT_NAME assay-${module}
                        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/simulated)
  target_link_libraries(simulated-assay-${module} PRIVATE ${arg_LINK})
  assay_on_simulated_gpu(simulated-assay-${module} KERNELS ${arg_KERNELS} TWINS ${arg_TWINS} CUBLASLT ${arg_CUBLASLT})
endfunction()
