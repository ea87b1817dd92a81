// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A GEMM on the host as a trial: operand sets in rotation, one clock around the library's calls.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gemm/host_peak.hpp"
#include "gemm/points.hpp"
#include "harness/core/benchmark.hpp"
#include "harness/host/arena.hpp"
#include "harness/host/host_counters.hpp"
#include "harness/host/openmp_site.hpp"
#include "harness/machine/machine.hpp"
#include "harness/workload/host_library.hpp"

namespace assay::gemm {

/// All that the machine has by default.
core::Axis threads_axis(const machine::Machine& machine);

/// Sets that go round so that 3x `cache_bytes` pass between two uses of one; 1 when hot.
std::int64_t operand_sets(const Problem& problem, CacheState cache, std::int64_t cache_bytes);

/// Why this build or machine cannot do what is asked; empty when it can.
std::optional<std::string> host_unsupported(const machine::Machine& machine, const Request& request);

class HostGemm final : public core::Trial {
 public:
  /// Binds the threads, fills the operands, prepares the product. Throws core::Error.
  HostGemm(const machine::Machine& machine, const Request& request, int threads);

  core::Timing run(std::int64_t iterations) override;
  core::Verification verify() override;
  void sampling_begins() override { counters_.begin(); }
  void sampling_ends() override { counters_.end(); }
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> facts() override;

 private:
  core::Verification verify_set(std::int64_t set) const;

  machine::Cpu cpu_;
  Request request_;
  host::OpenMpSite site_;
  host::HostCounters counters_;
  std::int64_t sets_;
  host::Arena memory_;
  std::unique_ptr<workload::HostProduct> product_;
  std::int64_t next_ = 0, last_ = 0;
  std::string peak_source_;  // as metrics() found it, or why there is no peak
};

}  // namespace assay::gemm
