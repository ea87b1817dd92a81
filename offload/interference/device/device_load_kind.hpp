// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Loads that may run on a GPU, or between it and the host, at the same time as something else: their kinds,
// their names, and a point's settings of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/workload/problem.hpp"

namespace assay::offload {

enum class DeviceLoadKind {
  gemm,         // a bf16 product by cuBLASLt
  stream,       // c = a + 3 b over arrays beyond the L2
  copy_h2d,     // pinned host memory to the device, by a copy engine
  copy_d2h,     // and back
  sm_copy_h2d,  // the same by thread blocks that address the host's memory
  sm_copy_d2h,
  nccl,  // an all-reduce with another GPU of the node
  spin,  // thread blocks that hold a multiprocessor each and do nothing
};

std::string to_string(DeviceLoadKind kind);
std::vector<std::string> all_device_loads();
/// Kinds that can be disturbed: all but spin.
std::vector<std::string> all_device_victims();
/// Throws a usage Error that names `axis` and what is accepted.
DeviceLoadKind device_load_from(const std::string& axis, const std::string& word);

/// As an aggressor it is thread blocks that stay, a multiprocessor each; else it is queued.
bool is_resident(DeviceLoadKind kind);
bool is_by_engine(DeviceLoadKind kind);
/// How many multiprocessors it holds as an aggressor is known: its blocks' own, or none of a copy engine.
bool is_taking_known(DeviceLoadKind kind);

struct DeviceLoadSettings {
  workload::Problem product = {};  // of a gemm: bf16, forward
  std::int64_t bytes = 0;          // of a stream's arrays together; of a copy, or a message, on either side
  int node = -1;                   // NUMA node of the host's memory
  int victim_blocks = 1;           // thread blocks of a victim that copies by multiprocessors
};

}  // namespace assay::offload
