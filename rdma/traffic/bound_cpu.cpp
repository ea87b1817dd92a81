// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/bound_cpu.hpp"

#include <algorithm>
#include <fstream>

#include "harness/core/error.hpp"
#include "rdma/traffic/settings.hpp"

namespace assay::rdma {
namespace {

int automatic(const Device& device, const std::vector<std::string>& machines, int rank) {
  const std::string& here = machines[static_cast<std::size_t>(rank)];
  const auto index = std::count(machines.begin(), machines.begin() + rank, here);
  const auto ranks = std::count(machines.begin(), machines.end(), here);
  return near_cpu_of(static_cast<int>(index), static_cast<int>(ranks), device.numa_node());
}

}  // namespace

int near_cpu_of(int index, int ranks, int node) {
  for (const std::size_t spared : {1U, 0U}) {
    try {
      return host::choose_cpus(ranks + static_cast<int>(spared), node)
          .at(static_cast<std::size_t>(index) + spared);
    } catch (const core::Error&) {
      continue;  // fewer CPUs than that
    }
  }
  return -1;
}

BoundCpu::BoundCpu(int wanted, const Device& device, const std::vector<std::string>& machines, int rank) {
  if (wanted == any_cpu) return;
  cpu_ = wanted == near_cpu ? automatic(device, machines, rank) : wanted;
  if (cpu_ < 0) return;
  try {
    binding_ = std::make_unique<host::PinnedThreads>(std::vector<int>{cpu_});
  } catch (const core::Error&) {
    if (wanted != near_cpu) throw;
    cpu_ = -1;
  }
}

std::string this_machine() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  return boot;
}

}  // namespace assay::rdma
