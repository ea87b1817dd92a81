# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# The checks of scripts/lint as ctest tests, and the tests of the scripts themselves. A check whose tool is absent is
# skipped and says so.
assay_wants_tests(lint lint_tests)
if(NOT lint_tests)
  return()
endif()

foreach(check format includes sizes names cuda writers records licence shell spelling idioms)
  add_test(NAME lint.${check} COMMAND ${PROJECT_SOURCE_DIR}/scripts/lint ${check})
  set_tests_properties(lint.${check} PROPERTIES LABELS lint SKIP_RETURN_CODE 77)
endforeach()
add_test(NAME lint.tidy COMMAND ${PROJECT_SOURCE_DIR}/scripts/lint tidy --recent 20 --build ${PROJECT_BINARY_DIR})
set_tests_properties(lint.tidy PROPERTIES LABELS lint SKIP_RETURN_CODE 77 TIMEOUT 2400 PROCESSORS 4 COST 1000)

# Each script answers an unknown flag with exit status 2 and one line.
foreach(script setup configure quickstart test format lint approve source-files skipped-tests failed-tests tidy fuzz
        check-includes check-sizes check-names check-cuda-names check-writers check-record-names check-licence check-idioms check-documentation verbs-vm slurm-loopback
        assay-device-check bare-check check-advisories device-check benchmark-all import-public-h100 predict-public-h100 published-steps ../.ci/run)
  string(REGEX REPLACE "^.*/" "" name "${script}")
  add_test(NAME lint.scripts.${name}.refuses_an_unknown_flag
           COMMAND ${PROJECT_SOURCE_DIR}/scripts/tests/refuses_unknown_flag.sh ${PROJECT_SOURCE_DIR}/scripts/${script})
  set_tests_properties(lint.scripts.${name}.refuses_an_unknown_flag PROPERTIES LABELS lint)
endforeach()

# Planted faults in a small tree, which the checks must find.
foreach(test check_advisories check_includes check_sizes check_names check_cuda_names check_writers check_record_names check_licence check_idioms check_test_waits setup configure skipped_tests failed_tests first_paint host_memory preset_settings completion verbs_vm verbs_vm_arguments slurm_loopback
        device_check device_check_time device_check_peers device_pack kubernetes_manifest kubernetes_health node_check site_files mpi_comparison draw_crossover benchmark_all published_steps)
  add_test(NAME lint.scripts.${test}
           COMMAND python3 -B ${PROJECT_SOURCE_DIR}/scripts/tests/${test}_test.py)
  set_tests_properties(lint.scripts.${test} PROPERTIES LABELS lint SKIP_RETURN_CODE 77
                       ENVIRONMENT "ASSAY_BIN_DIR=${PROJECT_BINARY_DIR}/bin")
endforeach()

# The table that ends a configure run.
add_test(NAME golden.configure_summary
         COMMAND python3 -B ${PROJECT_SOURCE_DIR}/scripts/tests/configure_summary_test.py)
set_tests_properties(golden.configure_summary PROPERTIES LABELS golden TIMEOUT 900)

# A build without every optional component, against this one.
assay_script_test(golden.every_build_knows_every_case SCRIPT ${PROJECT_SOURCE_DIR}/scripts/tests/bare_build_test.py
                  TIMEOUT 3000 COST 900)

# The programs of this build under attack: secrets in their environment, signals, faults, hostile input, sizes that double.
assay_script_test(golden.secrets SCRIPT ${PROJECT_SOURCE_DIR}/scripts/tests/secrets_test.py TIMEOUT 300)
assay_script_test(golden.stop_signals SCRIPT ${PROJECT_SOURCE_DIR}/scripts/tests/stop_signals_test.py TIMEOUT 120)
assay_script_test(golden.injected_faults SCRIPT ${PROJECT_SOURCE_DIR}/scripts/tests/injected_faults_test.py TIMEOUT 300)
assay_script_test(golden.linear_time SCRIPT ${PROJECT_SOURCE_DIR}/scripts/tests/linear_time_test.py TIMEOUT 600)
assay_script_test(golden.hostile_inputs SCRIPT ${PROJECT_SOURCE_DIR}/scripts/tests/hostile_inputs_test.py TIMEOUT 600)

# Programs and libraries of this build: where they search libraries, and how they are hardened.
assay_script_test(golden.elf_files SCRIPT ${PROJECT_SOURCE_DIR}/scripts/tests/elf_test.py TIMEOUT 300)

# The pages against the programs of this build: links, words, flags, sessions that any machine can repeat.
add_test(NAME golden.documentation COMMAND python3 -B ${PROJECT_SOURCE_DIR}/scripts/tests/documentation_test.py)
set_tests_properties(golden.documentation PROPERTIES LABELS golden TIMEOUT 600 ENVIRONMENT "ASSAY_BIN_DIR=${PROJECT_BINARY_DIR}/bin")
