// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The host as a site: the kernel's counters are read while sampling; threads pinned by hwloc, time by the
// steady clock from a common start edge to the slowest end.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "harness/core/measure/case_of.hpp"
#include "harness/host/host_counters.hpp"
#include "harness/host/pinned_threads.hpp"

namespace assay::host {

struct HostPlace {
  std::int64_t threads = 1;
  std::int64_t cpu_node = -1;   // NUMA node of the threads; -1: any
  std::int64_t numa_node = -1;  // of the memory; -1: that of the thread that touches it first
};

/// For benchmarks that bind their own threads and take the time themselves.
class CountedSite : public core::Condition {
 public:
  struct Place {};
  explicit CountedSite(Place = {}) {}

  void sampling_begins() override { counters_.begin(); }
  void sampling_ends() override { counters_.end(); }
  std::vector<core::Fact> facts() override { return counters_.facts(); }

 private:
  HostCounters counters_;
};

/// B::enqueue(iterations) runs its body that many times on site.threads and returns the seconds of the
/// slowest thread.
class HostSite : public CountedSite {
 public:
  using Place = HostPlace;
  /// Throws a usage Error where the node does not exist or has fewer CPUs.
  explicit HostSite(const HostPlace& place)
      : HostSite(choose_cpus(static_cast<int>(place.threads), static_cast<int>(place.cpu_node)),
                 static_cast<int>(place.numa_node)) {}
  HostSite(std::vector<int> cpus, int memory_node)
      : cpus_(std::move(cpus)), threads(cpus_), numa_node(memory_node) {}

  template <class B>
  core::Timing time(B& benchmark, std::int64_t iterations) {
    return {.seconds = benchmark.enqueue(iterations)};
  }

  std::vector<core::Fact> facts() override {
    std::vector<core::Fact> all = CountedSite::facts();
    all.emplace_back("cpus", cpu_list(cpus_));
    return all;
  }

 private:
  std::vector<int> cpus_;

 public:
  PinnedThreads threads;
  int numa_node;
};

}  // namespace assay::host
