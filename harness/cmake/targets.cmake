# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay_library, assay_program, assay_tool, assay_test: the kinds of target, with warnings and include root in one place.
add_library(assay_build INTERFACE)
target_include_directories(assay_build INTERFACE ${PROJECT_SOURCE_DIR})
# In a unit of several files, a local name may well be that of another file's function.
set(assay_shadow -Wshadow)
if(ASSAY_UNITY_BUILD)
  set(assay_shadow -Wshadow=local)
endif()
# -Wrestrict is wrong about `"literal" + std::string` in g++ 12 (GCC bug 105651).
set(assay_warnings -Wall -Wextra -Wconversion ${assay_shadow} -Wno-restrict -Werror)
# clang builds the fuzz targets alone, and the warnings that count are g++'s.
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
  set(assay_warnings -w)
endif()
foreach(flag ${assay_warnings})
  target_compile_options(assay_build INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${flag}>)
endforeach()
target_compile_options(assay_build INTERFACE
  "$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xcompiler=-Wall,-Wextra,-Wconversion,-Wshadow,-Werror --Werror=all-warnings>")
if(ASSAY_SANITIZE)
  target_compile_options(assay_build INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${ASSAY_SANITIZE} -fno-omit-frame-pointer>)
  # GCC warns of instrumented code that it has made itself (-Wmaybe-uninitialized).
  # Checks of every pointer double the time to compile, and what they see crashes or is the address sanitizer's anyway.
  if(ASSAY_SANITIZE MATCHES undefined)
    target_compile_options(assay_build INTERFACE
      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize=null,alignment,vptr,object-size,pointer-overflow,nonnull-attribute,returns-nonnull-attribute$<SEMICOLON>-Wno-maybe-uninitialized>)
  endif()
  target_link_options(assay_build INTERFACE -fsanitize=${ASSAY_SANITIZE})
endif()
if(ASSAY_FUZZ)
  target_compile_options(assay_build INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
endif()
# Bundled libraries are found next to the program, and by each other: hence DT_RPATH and not DT_RUNPATH.
target_link_options(assay_build INTERFACE -Wl,--disable-new-dtags)

# assay_library(name [CASES ...] SOURCES ... [LINK ...] [PRIVATE_LINK ...]). CASES are sources that hand out cases, without
# `.cpp`: folder/<name>.cpp, or folder/<name>_cases.cpp, defines `std::vector<core::Case> <name>_cases(const Surroundings&)`.
function(assay_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "CASES;SOURCES;LINK;PRIVATE_LINK")
  list(TRANSFORM arg_CASES APPEND .cpp OUTPUT_VARIABLE case_sources)
  add_library(${name} STATIC ${case_sources} ${arg_SOURCES})
  set_target_properties(${name} PROPERTIES ASSAY_CASES "${arg_CASES}")
  target_link_libraries(${name} PUBLIC assay_build ${arg_LINK} PRIVATE ${arg_PRIVATE_LINK})
endfunction()

# assay_case_list(module OF library ...): the library <module>_cases, whose cases(surroundings) hands out the CASES of these
# libraries in their order. A library that this build does not have is left out. One whose property ASSAY_ABSENT says what
# this build lacks for its cases is listed, and unsupported for that reason. Neither needs a stand-in.
# <module>/cases.hpp declares cases() and what `Surroundings` are.
function(assay_case_list module)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "OF")
  foreach(library ${arg_OF})
    if(TARGET ${library})
      list(APPEND libraries ${library})
      get_target_property(cases ${library} ASSAY_CASES)
      get_target_property(absent ${library} ASSAY_ABSENT)
      foreach(name ${cases})
        string(REGEX REPLACE "^.*/|_cases$" "" name ${name})
        set(made ${name}_cases\(around\))
        if(absent)
          set(made "core::absent(${made}, \"${absent}\")")
        endif()
        string(APPEND declarations "std::vector<core::Case> ${name}_cases(const Surroundings&);\n")
        string(APPEND calls "  std::ranges::move(${made}, std::back_inserter(all));\n")
      endforeach()
    endif()
  endforeach()
  set(list ${CMAKE_CURRENT_BINARY_DIR}/case_list.cpp)
  file(CONFIGURE OUTPUT ${list} @ONLY CONTENT [=[
// Generated from the CASES in @module@/CMakeLists.txt.
#include <algorithm>
#include <iterator>

#include "@module@/cases.hpp"

namespace assay::@module@ {

@declarations@
std::vector<core::Case> cases(const Surroundings& around) {
  std::vector<core::Case> all;
@calls@  return all;
}

}  // namespace assay::@module@
]=])
  assay_library(${module}_cases SOURCES ${list} LINK ${libraries})
endfunction()

# assay_list(target HEADER header NAMESPACE namespace TYPE Thing FOLDER folder NAMES name ...): one list of things. Each is a source
# FOLDER/name.cpp with a function `Thing name_thing()`; `const std::vector<Thing>& things()`, which HEADER declares, has all of
# them in this order.
function(assay_list target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;NAMESPACE;TYPE;FOLDER" "NAMES")
  string(TOLOWER ${arg_TYPE} thing)
  set(declared "")
  set(listed "")
  foreach(name ${arg_NAMES})
    target_sources(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER}/${name}.cpp)
    string(APPEND declared "${arg_TYPE} ${name}_${thing}();\n")
    string(APPEND listed "      ${name}_${thing}(),\n")
  endforeach()
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${thing}_list.cpp)
  file(CONFIGURE OUTPUT ${list} CONTENT
    "#include \"${arg_HEADER}\"\n\nnamespace ${arg_NAMESPACE} {\n\n${declared}\nconst std::vector<${arg_TYPE}>& ${thing}s() {\n  static const std::vector<${arg_TYPE}> all{\n${listed}  };\n  return all;\n}\n\n}  // namespace ${arg_NAMESPACE}\n" @ONLY)
  target_sources(${target} PRIVATE ${list})
endfunction()

# assay_program(name SOURCES ... LINK ...): built into bin/, installed into bin/.
function(assay_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
  install(TARGETS ${name} RUNTIME_DEPENDENCY_SET assay_runtime DESTINATION bin)
  set_property(GLOBAL APPEND PROPERTY ASSAY_PROGRAMS ${name})
endfunction()

# assay_tool(name SOURCES ... LINK ...): a program for developers, never installed. A build without tests makes it by name
# only (`cmake --build build/release --target <name>`): who installs assay does not wait for it.
function(assay_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE assay_build ${arg_LINK})
  if(NOT ASSAY_BUILD_TESTS)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endfunction()

# Every test and what it starts: what a build under sanitizers is for.
add_custom_target(assay_tests)

# assay_wants_tests(label result): whether tests of that label are built.
function(assay_wants_tests label result)
  set(${result} OFF PARENT_SCOPE)
  if(ASSAY_BUILD_TESTS AND (NOT ASSAY_TEST_LABELS OR label IN_LIST ASSAY_TEST_LABELS))
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

# assay_test(name LABEL unit|golden|... SOURCES ... LINK ... [FILTER filter] [ALONE filter] [ENVIRONMENT ...]): a GoogleTest
# executable. Each of its tests becomes a ctest test; GTEST_SKIP shows as skipped, with its reason. Tests of ALONE compare
# times: no other test runs next to them. Those labelled device are installed, so that a node without a compiler can run them
# (scripts/assay-device-check).
function(assay_test name)
  if(NOT TARGET GTest::gtest_main)
    return()
  endif()
  include(GoogleTest)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;FILTER;ALONE" "SOURCES;LINK;ENVIRONMENT")
  assay_wants_tests(${arg_LABEL} wanted)
  if(NOT wanted OR (ASSAY_TEST_TARGETS AND NOT name IN_LIST ASSAY_TEST_TARGETS))
    return()
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_compile_options(${name} PRIVATE $<$<AND:$<CONFIG:Debug>,$<COMPILE_LANGUAGE:CXX>>:-O0>)  # compiles in half the time
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gmock GTest::gtest_main)
  add_dependencies(assay_tests ${name})
  target_compile_definitions(${name} PRIVATE ASSAY_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                             ASSAY_BUILD_DIR="${PROJECT_BINARY_DIR}" ASSAY_BIN_DIR="${PROJECT_BINARY_DIR}/bin")
  if(arg_LABEL STREQUAL "device")
    set_target_properties(${name} PROPERTIES INSTALL_RPATH "$ORIGIN/../../../lib")
    install(TARGETS ${name} RUNTIME_DEPENDENCY_SET assay_runtime DESTINATION libexec/assay/device-tests)
    set(alone RESOURCE_LOCK gpu)  # tests that share a GPU disturb each other's clocks
  endif()
  if(arg_ALONE)
    gtest_discover_tests(${name} TEST_PREFIX "${arg_LABEL}." TEST_FILTER "${arg_ALONE}" NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60
                         PROPERTIES LABELS "${arg_LABEL}" RUN_SERIAL ON ENVIRONMENT "${arg_ENVIRONMENT}")
    string(APPEND arg_FILTER "-${arg_ALONE}")
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${arg_LABEL}." TEST_FILTER "${arg_FILTER}" NO_PRETTY_VALUES
                       DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS "${arg_LABEL}" ${alone} ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()

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

# assay_fuzz(name LINK ...): tests/fuzz/<name>_fuzz.cpp under libFuzzer, begun from the inputs in tests/fuzz/corpus/<name>.
# What it finds new is kept in the build tree. The gate runs each for 15 s; scripts/fuzz runs them as long as asked.
add_custom_target(assay_fuzz)
function(assay_fuzz name)
  if(NOT ASSAY_FUZZ)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LINK")
  set(found ${PROJECT_BINARY_DIR}/fuzz/${name})
  file(MAKE_DIRECTORY ${found} ${PROJECT_BINARY_DIR}/fuzz/crashes)
  add_executable(${name}_fuzz tests/fuzz/${name}_fuzz.cpp)
  target_link_libraries(${name}_fuzz PRIVATE ${arg_LINK})
  target_link_options(${name}_fuzz PRIVATE -fsanitize=fuzzer)
  add_dependencies(assay_fuzz ${name}_fuzz)
  add_test(NAME fuzz.${name} COMMAND ${name}_fuzz -max_total_time=15 -timeout=10 -rss_limit_mb=2048 -max_len=65536
           -print_final_stats=1 -artifact_prefix=${PROJECT_BINARY_DIR}/fuzz/crashes/${name}-
           ${found} ${CMAKE_CURRENT_SOURCE_DIR}/tests/fuzz/corpus/${name})
  set_tests_properties(fuzz.${name} PROPERTIES LABELS fuzz TIMEOUT 120 COST 100)
endfunction()

# assay_verbs_test(name SCRIPT path [ARGS ...] LIMIT seconds): a script that runs virtual hosts by scripts/verbs-vm and
# finds it in ASSAY_VERBS_VM, the programs in ASSAY_BIN_DIR, and how long their commands may run in ASSAY_VERBS_LIMIT_S.
# CTest's limit adds the hosts' boot (240 s) and end, so that a hang is reported by the run that knows where it was. One
# at a time, with little else running, so that timings are not disturbed. Exit status 77 and a line `skipped: ...` where
# virtual hosts cannot run.
function(assay_verbs_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SCRIPT;LIMIT" "ARGS")
  assay_wants_tests(verbs wanted)
  if(NOT wanted)
    return()
  endif()
  math(EXPR timeout_s "${arg_LIMIT} + 300")
  add_test(NAME verbs.${name} COMMAND ${arg_SCRIPT} ${arg_ARGS})
  set_tests_properties(verbs.${name} PROPERTIES LABELS verbs SKIP_RETURN_CODE 77 TIMEOUT ${timeout_s}
                       FIXTURES_REQUIRED verbs_image RESOURCE_LOCK verbs_hosts PROCESSORS 2 COST 800 ENVIRONMENT
                       "ASSAY_VERBS_VM=${PROJECT_SOURCE_DIR}/scripts/verbs-vm;ASSAY_BIN_DIR=${PROJECT_BINARY_DIR}/bin;ASSAY_VERBS_LIMIT_S=${arg_LIMIT}")
endfunction()

# assay_script_test(label.name SCRIPT file [ARGS ...] TIMEOUT seconds [COST n]): a Python script that starts programs of
# this build, which it finds by ASSAY_BUILD_DIR. Exit status 77 and a line `skipped: ...` where it cannot run.
function(assay_script_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SCRIPT;TIMEOUT;COST" "ARGS")
  string(REGEX REPLACE "[.].*" "" label ${name})
  add_test(NAME ${name} COMMAND python3 -B ${arg_SCRIPT} ${arg_ARGS})
  set_tests_properties(${name} PROPERTIES LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT ${arg_TIMEOUT} PROCESSORS 2
                       ENVIRONMENT "ASSAY_BUILD_DIR=${PROJECT_BINARY_DIR}")
  if(arg_COST)
    set_tests_properties(${name} PROPERTIES COST ${arg_COST})
  endif()
endfunction()

# assay_cluster_test(name CLASS class): the tests of one class of harness/front/suite/tests/cluster_test.py, which starts a
# Slurm of its own on this host.
function(assay_cluster_test name class)
  assay_wants_tests(cluster wanted)
  if(wanted)
    assay_script_test(cluster.${name} SCRIPT ${PROJECT_SOURCE_DIR}/harness/front/suite/tests/cluster_test.py ARGS ${class} TIMEOUT 600 COST 700)
  endif()
endfunction()

# assay_test_data(out VARIABLE name FOLDER folder ABOUT text): where test inputs of one kind are, by a cache variable or below
# ASSAY_SHARED_DATA_DIR; empty where neither is set, and the tests that need them say so and are skipped.
function(assay_test_data out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "VARIABLE;FOLDER;ABOUT" "")
  set(${arg_VARIABLE} "" CACHE PATH "${arg_ABOUT} (default: ${arg_FOLDER}/ of ASSAY_SHARED_DATA_DIR)")
  set(found "${${arg_VARIABLE}}")
  if(NOT found AND ASSAY_SHARED_DATA_DIR)
    set(found ${ASSAY_SHARED_DATA_DIR}/${arg_FOLDER})
  endif()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()
