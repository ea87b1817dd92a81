# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# assay_test, assay_fuzz, assay_script_test and their like: the kinds of test.

# Every test and what it starts: what a build under sanitizers is for.
add_custom_target(assay_tests)

# assay_wants_tests(label result): whether tests of that label are built.
function(assay_wants_tests label result)
  set(${result} OFF PARENT_SCOPE)
  if(ASSAY_BUILD_TESTS AND (NOT ASSAY_TEST_LABELS OR label IN_LIST ASSAY_TEST_LABELS))
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

# Test programs of this tree are listed in test_programs.txt; those of ASSAY_TESTS_ELSEWHERE are left out.
set(assay_tests_elsewhere "")
if(ASSAY_TESTS_ELSEWHERE)
  get_filename_component(elsewhere ${ASSAY_TESTS_ELSEWHERE} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
  file(STRINGS ${elsewhere}/test_programs.txt assay_tests_elsewhere)
endif()
function(assay_list_test_programs)
  get_property(programs GLOBAL PROPERTY assay_test_programs)
  list(JOIN programs "\n" lines)
  file(WRITE ${PROJECT_BINARY_DIR}/test_programs.txt "${lines}\n")
endfunction()
cmake_language(DEFER CALL assay_list_test_programs)

# assay_leaves_out_tests_here(result): whether this folder is in one of ASSAY_SANITIZE_WITHOUT.
function(assay_leaves_out_tests_here result)
  set(${result} OFF PARENT_SCOPE)
  file(RELATIVE_PATH here ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(folder IN LISTS ASSAY_SANITIZE_WITHOUT)
    if(ASSAY_SANITIZE AND "${here}/" MATCHES "^${folder}/")
      set(${result} ON PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# One ctest test for each four of the sources.
function(assay_sharded_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;FILTER" "SOURCES;ENVIRONMENT")
  list(LENGTH arg_SOURCES shards)
  math(EXPR shards "(${shards} + 3) / 4")
  foreach(shard RANGE 1 ${shards})
    math(EXPR index "${shard} - 1")
    set(test ${arg_LABEL}.${name}.${shard})
    add_test(NAME ${test} COMMAND ${name} --gtest_filter=${arg_FILTER}*)
    set_tests_properties(${test} PROPERTIES LABELS "${arg_LABEL}" COST 50
      ENVIRONMENT "${arg_ENVIRONMENT};GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# assay_test(name LABEL unit|golden|... SOURCES ... LINK ... [FILTER filter] [ALONE filter] [UNSANITIZED] [APART] [ENVIRONMENT ...]):
# a GoogleTest executable. Each of its tests becomes a ctest test; GTEST_SKIP shows as skipped, with its reason. Under sanitizers,
# where a process takes 0.1 to 0.3 s to start and end, one ctest test runs the tests of four sources, but for those that are APART,
# which look at the memory of their process. UNSANITIZED tests measure memory, which sanitizers hold, or simulate error rates, which they slow to minutes. Tests of ALONE compare times:
# no other test runs next to them. Those labelled device are installed, so that a node without a compiler can run them
# (scripts/assay-device-check).
function(assay_test name)
  if(NOT TARGET GTest::gtest_main)
    return()
  endif()
  include(GoogleTest)
  cmake_parse_arguments(PARSE_ARGV 1 arg "UNSANITIZED;APART" "LABEL;FILTER;ALONE" "SOURCES;LINK;ENVIRONMENT")
  assay_wants_tests(${arg_LABEL} wanted)
  assay_leaves_out_tests_here(left_out)
  if(NOT wanted OR left_out OR name IN_LIST assay_tests_elsewhere OR (ASSAY_TEST_TARGETS AND NOT name IN_LIST ASSAY_TEST_TARGETS)
     OR (arg_UNSANITIZED AND ASSAY_SANITIZE))
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY assay_test_programs ${name})
  assay_sources(arg_SOURCES ${arg_SOURCES})
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
  if(ASSAY_SANITIZE AND NOT arg_ALONE AND NOT arg_APART)
    assay_sharded_test(${name} LABEL ${arg_LABEL} FILTER "${arg_FILTER}" SOURCES ${arg_SOURCES} ENVIRONMENT "${arg_ENVIRONMENT}")
    return()
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

# assay_fuzz(name LINK ...): tests/fuzz/<name>_fuzz.cpp under libFuzzer, begun from the inputs in tests/fuzz/corpus/<name>
# and from structured seeds, with a dictionary (scripts/tests/hostile_inputs.py). What it finds new is kept in the build tree. The
# gate runs each for 5 s; scripts/fuzz runs them as long as asked.
add_custom_target(assay_fuzz
  COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/fuzz
  COMMAND python3 -B ${PROJECT_SOURCE_DIR}/scripts/tests/hostile_inputs.py ${PROJECT_BINARY_DIR}/fuzz VERBATIM)
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
  add_test(NAME fuzz.${name} COMMAND ${name}_fuzz -max_total_time=5 -timeout=10 -rss_limit_mb=2048 -max_len=65536
           -print_final_stats=1 -artifact_prefix=${PROJECT_BINARY_DIR}/fuzz/crashes/${name}-
           -dict=${PROJECT_BINARY_DIR}/fuzz/hostile.dict ${found} ${PROJECT_BINARY_DIR}/fuzz/seeds ${CMAKE_CURRENT_SOURCE_DIR}/tests/fuzz/corpus/${name})
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
