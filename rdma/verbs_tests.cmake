# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Included by rdma/CMakeLists.txt where libibverbs was found: programs on replaced adapters, and on real ones.

# The module's program on simulated adapters (docs/developing/testing.md), which replace libibverbs and the clock of
# traffic; in simulated/ and never installed.
assay_wants_tests(unit simulated_adapters)
if(TARGET assay-rdma AND simulated_adapters)
  add_executable(simulated-assay-rdma main.cpp ranks.cpp ${PROJECT_SOURCE_DIR}/harness/run/tests/simulated_origin.cpp
                                      tests/simulated/adapter.cpp tests/simulated/device_calls.cpp tests/simulated/fabric.cpp
                                      tests/simulated/messages.cpp tests/simulated/object_calls.cpp tests/simulated/thread_clock.cpp)
  set_target_properties(simulated-assay-rdma PROPERTIES OUTPUT_NAME assay-rdma UNITY_BUILD OFF
                        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/simulated)
  target_link_libraries(simulated-assay-rdma PRIVATE rdma_cases harness_run harness_machine simulated_node PkgConfig::VERBS
                                                     CLI11::CLI11 fmt::fmt)
endif()

# libibverbs is replaced at link time by tests/fake_*.cpp: no device, no kernel module.
if(ASSAY_BUILD_TESTS)
  set(fake_verbs tests/fake_device_calls.cpp tests/fake_object_calls.cpp tests/fake_verbs.cpp tests/fake_world.cpp
                 tests/on_ranks.cpp ${PROJECT_SOURCE_DIR}/harness/machine/tests/fake_hcas.cpp
                 ${PROJECT_SOURCE_DIR}/harness/machine/tests/fake_node.cpp)
  # The refusal of rdma_cm, which would otherwise be compiled only where librdmacm is missing.
  assay_test(rdma_no_cm_test LABEL unit
    SOURCES ${fake_verbs} verbs/no_cm_connections.cpp tests/no_cm_connections_test.cpp
    LINK rdma_cases fmt::fmt)
  if(ASSAY_RDMACM_FOUND)
    list(APPEND fake_verbs tests/fake_rdma_cm.cpp tests/cm_connections_test.cpp)
  endif()
  assay_test(rdma_test LABEL unit
    SOURCES ${fake_verbs} tests/bound_cpu_test.cpp tests/connection_rate_test.cpp tests/declarations_test.cpp tests/device_test.cpp tests/every_step_test.cpp tests/flow_ports_test.cpp tests/link_watch_test.cpp
            tests/operation_test.cpp tests/pairing_test.cpp tests/pattern_test.cpp tests/ping_pong_test.cpp tests/ports_test.cpp tests/poster_test.cpp
            tests/queue_pair_test.cpp tests/seats_test.cpp tests/sender_test.cpp tests/settings_test.cpp tests/stream_test.cpp
            tests/trials_test.cpp tests/wiring_test.cpp
    LINK rdma_cases fmt::fmt)
endif()

# Strangers at the door of `assay-rdma serve`, which needs no device for that.
if(ASSAY_BUILD_TESTS AND TARGET assay-rdma AND (NOT ASSAY_TEST_LABELS OR "team" IN_LIST ASSAY_TEST_LABELS))
  foreach(name strangers closed_door)
    add_test(NAME team.rdma_${name}
             COMMAND python3 -B ${CMAKE_CURRENT_SOURCE_DIR}/tests/${name}_test.py $<TARGET_FILE:assay-rdma>
                     ${PROJECT_SOURCE_DIR}/harness/team/tests)
    set_tests_properties(team.rdma_${name} PROPERTIES LABELS team TIMEOUT 120)
  endforeach()
endif()

# The real module over soft RoCE, on virtual hosts.
if(TARGET assay-rdma)
  foreach(name operations patterns rails campaign faults bad_input)
    assay_verbs_test(${name} SCRIPT ${PROJECT_SOURCE_DIR}/rdma/tests/${name}_test.py LIMIT 600)
  endforeach()
  assay_verbs_test(beside_perftest SCRIPT ${PROJECT_SOURCE_DIR}/scripts/compare-verbs
                   ARGS --program $<TARGET_FILE:assay-rdma> LIMIT 800)
  if(TEST verbs.beside_perftest)
    set_tests_properties(verbs.beside_perftest PROPERTIES PROCESSORS 4)  # alone: it compares times
  endif()
endif()
