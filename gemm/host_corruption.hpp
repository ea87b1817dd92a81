// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The silent corruption probe on the host: each product of the library is compared bit by bit with the truth
// and cleared, so that none can pass for the next.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "gemm/corruption.hpp"
#include "harness/core/benchmark.hpp"
#include "harness/host/arena.hpp"
#include "harness/host/host_counters.hpp"
#include "harness/host/openmp_site.hpp"
#include "harness/workload/host_library.hpp"

namespace assay::gemm {

using workload::HostProduct;

class HostCorruption final : public core::Trial {
 public:
  /// `product`: null for the one of the library. Throws core::Error.
  HostCorruption(const Request& request, int threads, std::unique_ptr<HostProduct> product = nullptr);

  core::Timing run(std::int64_t iterations) override;
  core::Verification verify() override;
  void sampling_begins() override { counters_.begin(); }
  void sampling_ends() override { counters_.end(); }
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> facts() override;

 private:
  void multiply_and_compare();

  Problem problem_;
  std::vector<std::byte> truth_;  // made before the threads are bound: threads started later share one CPU
  host::OpenMpSite site_;
  host::HostCounters counters_;
  host::Arena a_, b_, c_;
  std::unique_ptr<HostProduct> product_;
  CorruptionFound found_{};
};

}  // namespace assay::gemm
