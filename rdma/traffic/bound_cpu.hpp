// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The CPU that a rank's measuring thread is bound to while a point runs. Two ranks that poll on one CPU would
// wait for each other's time slice, and a thread far from its adapter pays for every doorbell and completion.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/host/pinned_threads.hpp"
#include "rdma/verbs/device.hpp"

namespace assay::rdma {

class BoundCpu {
 public:
  /// Binds the calling thread until destruction on that thread. `machines`: what names each rank's machine.
  /// Throws Error where a CPU asked for by its number cannot be had; near the device is tried only.
  BoundCpu(int wanted, const Device& device, const std::vector<std::string>& machines, int rank);

  int cpu() const { return cpu_; }  // -1: not bound

 private:
  int cpu_ = -1;
  std::unique_ptr<host::PinnedThreads> binding_;
};

/// This machine's name for BoundCpu: the same for all processes that share its CPUs.
std::string this_machine();

/// The CPU of the `index`th of `ranks` ranks on a machine: one of NUMA node `node`'s (-1: of any), the first
/// of which is left to interrupts where there are enough. -1: there are too few.
int near_cpu_of(int index, int ranks, int node);

}  // namespace assay::rdma
