// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Interface of the simulated NCCL to the test whose program opens it.
#pragma once

#include <atomic>

namespace assay::offload::tests {

struct SimulatedNccl {
  std::atomic<int> communicators{0};  // that are there now
  std::atomic<bool> communicators_fail{false}, reductions_are_wrong{false};
};

/// One for the library and the program: the linker makes a static variable of an inline function one.
inline SimulatedNccl& nccl() {
  static SimulatedNccl one;
  return one;
}

}  // namespace assay::offload::tests
