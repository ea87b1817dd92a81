# SPDX-FileCopyrightText: The assay authors
# SPDX-License-Identifier: Apache-2.0
# Included by rdma/CMakeLists.txt where libibverbs was found.

# Device memory where CUDA is built, its refusal elsewhere.
if(ASSAY_CUDA_FOUND)
  set(device_memory verbs/cuda_memory.cpp)
  set(device_memory_links harness_cuda)
else()
  set(device_memory verbs/no_cuda_memory.cpp)
endif()

# Connections through librdmacm where it is, their refusal elsewhere.
if(ASSAY_RDMACM_FOUND)
  set(connection_manager verbs/cm_connections.cpp)
  set(connection_manager_links PkgConfig::RDMACM)
else()
  set(connection_manager verbs/no_cm_connections.cpp)
endif()

assay_library(rdma_verbs MEASURED
  SOURCES verbs/check.cpp verbs/device.cpp verbs/memory.cpp verbs/opcode.cpp
          verbs/queue_pair.cpp verbs/queue_pair_states.cpp verbs/wake_up.cpp
          ${connection_manager} ${device_memory}
  LINK rdma_declared harness_core harness_host ${connection_manager_links} ${device_memory_links}
  PRIVATE_LINK fmt::fmt)

set_source_files_properties(${connection_manager} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # rdma_no_cm_test replaces it

assay_library(rdma_trials MEASURED
  CASES pair_cases trials/connection_rate pattern_cases trials/ports
  SOURCES traffic/bound_cpu.cpp traffic/content.cpp
          traffic/wiring/lane_addresses.cpp traffic/wiring/pairing.cpp traffic/ping_pong.cpp traffic/poster.cpp traffic/receiver.cpp
          traffic/wiring/seats.cpp traffic/sender.cpp traffic/stream.cpp traffic/tick_clock.cpp traffic/wiring/wiring.cpp trials/conditions.cpp
          trials/flow_ports.cpp trials/flow_results.cpp trials/latency_trial.cpp trials/link_watch.cpp
          trials/stream_trial.cpp verbs_case.cpp
  LINK rdma_declared rdma_verbs harness_link rdma_path harness_team harness_machine
  PRIVATE_LINK fmt::fmt nlohmann_json::nlohmann_json)
set_source_files_properties(traffic/tick_clock.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # simulated adapters replace it
