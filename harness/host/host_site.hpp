// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The host as a site: threads pinned by hwloc, time by the steady clock from a common start edge to the
// slowest end.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/host/host_counters.hpp"
#include "harness/host/pinned_threads.hpp"

namespace assay::host {

struct HostSite {
  PinnedThreads threads;
  int numa_node = -1;  // of the memory; -1: that of the thread that touches it first
};

/// Joins a benchmark class with the host. B::enqueue(std::int64_t iterations) runs its body that many times
/// on site.threads and returns the seconds of the slowest thread.
template <class B>
class HostTrial final : public core::Trial {
 public:
  HostTrial(const core::Point& point, std::vector<int> cpus, int numa_node)
      : cpus_(std::move(cpus)), site_{PinnedThreads(cpus_), numa_node}, benchmark_(point, site_) {}

  core::Timing run(std::int64_t iterations) override { return {.seconds = benchmark_.enqueue(iterations)}; }
  core::Verification verify() override { return benchmark_.check(); }
  void sampling_begins() override { counters_.begin(); }
  void sampling_ends() override { counters_.end(); }
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override {
    if constexpr (requires { benchmark_.metrics(measurement); }) return benchmark_.metrics(measurement);
    return {};
  }
  std::vector<core::Fact> facts() override {
    std::vector<core::Fact> all = counters_.facts();
    all.emplace_back("cpus", cpu_list(cpus_));
    if constexpr (requires { benchmark_.facts(); })
      for (core::Fact& fact : benchmark_.facts()) all.push_back(std::move(fact));
    return all;
  }

 private:
  std::vector<int> cpus_;
  HostSite site_;
  HostCounters counters_;
  B benchmark_;
};

}  // namespace assay::host
