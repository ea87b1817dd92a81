// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A GEMM on the host: operand sets in rotation, one clock around the library's calls. Cases: a sweep of
// sizes and types, the shapes of transformer blocks, and attention's batched products.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gemm/host/host_peak.hpp"
#include "gemm/points.hpp"
#include "harness/core/measure/case_of.hpp"
#include "harness/host/arena.hpp"
#include "harness/host/host_site.hpp"
#include "harness/host/openmp_site.hpp"
#include "harness/machine/machine.hpp"
#include "harness/workload/host_library.hpp"

namespace assay::gemm {

/// All that the machine has by default.
core::Axis threads_axis(const machine::Machine& machine);

/// Sets that go round so that 3x `cache_bytes` pass between two uses of one; 1 when hot.
std::int64_t operand_sets(const Problem& problem, CacheState cache, std::int64_t cache_bytes);

/// Why the library or machine cannot do what is asked; empty when it can.
std::optional<std::string> host_unsupported(const machine::Machine& machine, const Request& request);

class HostGemm {
 public:
  using Site = host::CountedSite;
  struct Settings {
    Request request;
    int threads = 1;
    machine::Cpu cpu = {};
    std::int64_t cache_bytes = 0;  // of the last level
    Site::Place place = {};
  };
  static constexpr core::Headline headline = core::Headline::tflops;
  static Settings settings(const Request& request, int threads, const machine::Machine& machine) {
    return {request, threads, machine.cpu, machine.last_level_cache_bytes()};
  }
  static core::Work work(const Settings& settings) { return gemm::work(settings.request); }
  static std::vector<core::Fact> derived(const Settings& settings) { return gemm::derived(settings.request); }
  static std::optional<std::string> impossible(const Settings& settings) {
    return settings.request.impossible;
  }
  static std::optional<std::string> not_built(const Settings& settings) {
    return workload::host_library(settings.request.problem.dtype).not_built();
  }
  static std::optional<std::string> unsupported(const Settings& settings, const machine::Machine& machine) {
    return host_unsupported(machine, settings.request);
  }

  /// Binds the threads, fills the operands, prepares the product. Throws core::Error.
  HostGemm(const Settings& settings, Site& site);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts() const;

 private:
  core::Verification check_set(std::int64_t set) const;

  machine::Cpu cpu_;
  Request request_;
  host::OpenMpSite threads_;
  std::int64_t sets_;
  host::Arena memory_;
  std::unique_ptr<workload::HostProduct> product_;
  std::int64_t next_ = 0, last_ = 0;
  std::string peak_source_;  // as metrics() found it, or why there is no peak
};

}  // namespace assay::gemm
