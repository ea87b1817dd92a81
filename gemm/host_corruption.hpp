// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The silent corruption probe on the host: each product of the library is compared bit by bit with the truth
// and cleared, so that none can pass for the next.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gemm/corruption.hpp"
#include "harness/core/case_of.hpp"
#include "harness/host/arena.hpp"
#include "harness/host/host_site.hpp"
#include "harness/host/openmp_site.hpp"
#include "harness/machine/machine.hpp"
#include "harness/workload/host_library.hpp"

namespace assay::gemm {

using workload::HostProduct;

class HostCorruption {
 public:
  using Site = host::CountedSite;
  struct Settings {
    Request request;
    int threads = 1;
    Site::Place place = {};
  };
  static constexpr std::string_view name = "gemm.host.corruption";
  static constexpr std::string_view measures =
      "silent corruption: each product of the host's GEMM library compared bit by bit with the exact one";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes(const machine::Machine& machine);
  static Settings settings(const core::Point& point) {
    return {corruption_request(point), static_cast<int>(point.integer("threads"))};
  }
  static core::Work work(const Settings& settings) { return gemm::work(settings.request); }
  static std::vector<core::Fact> derived(const Settings& settings) { return gemm::derived(settings.request); }
  static std::optional<std::string> unsupported(const Settings& settings, const machine::Machine& machine);

  /// `product`: null for the one of the library. Throws core::Error.
  HostCorruption(const Settings& settings, Site& site, std::unique_ptr<HostProduct> product = nullptr);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement& measurement) const;
  std::vector<core::Fact> facts() const;

 private:
  void multiply_and_compare();

  Problem problem_;
  std::vector<std::byte> truth_;  // made before the threads are bound: threads started later share one CPU
  host::OpenMpSite threads_;
  host::Arena a_, b_, c_;
  std::unique_ptr<HostProduct> product_;
  CorruptionFound found_{};
};

/// The probe and its self-test.
std::vector<core::Case> host_corruption_cases(const machine::Machine& machine);

}  // namespace assay::gemm
