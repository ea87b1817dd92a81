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

#include "gemm/check/corruption.hpp"
#include "gemm/check/result_detectors.hpp"
#include "gemm/points.hpp"
#include "harness/core/measure/case_of.hpp"
#include "harness/core/names.hpp"
#include "harness/host/arena.hpp"
#include "harness/host/host_site.hpp"
#include "harness/host/openmp_site.hpp"
#include "harness/integrity/detection.hpp"
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
  static std::optional<std::string> not_built(const Settings& settings) {
    return workload::host_library(settings.request.problem.dtype).not_built();
  }
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

/// Does the probe see what it is there to see? Faults are planted in the exact result of a product, and every
/// detector is asked about each: the comparison of all bits must miss none, of the others the rate is
/// reported.
class HostSelfTest {
 public:
  using Site = core::OwnClock;
  struct Settings {
    Request request;
    integrity::StudyPlan plan = {};
    Site::Place place = {};
  };
  static constexpr std::string_view name = "gemm.host.corruption_self_test";
  static constexpr std::string_view measures =
      "silent corruption: what the probe and simpler checks catch of bits flipped in an exact product";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes() {
    return self_test_axes({.sizes = {std::int64_t{64}}, .dtypes = {"fp32", "bf16", "fp16", "int8"}});
  }
  static Settings settings(const core::Point& point) {
    return {self_test_request(point), integrity::study_plan(point)};
  }
  static core::Work work(const Settings&) {
    return {.bytes_counted = "nothing: faults are counted, not bytes"};
  }
  static std::vector<core::Fact> derived(const Settings& settings) { return gemm::derived(settings.request); }

  explicit HostSelfTest(const Settings& settings);
  HostSelfTest(const Settings& settings, Site&) : HostSelfTest(settings) {}

  /// One iteration plants every kind of fault; the next one plants others.
  core::Timing enqueue(std::int64_t iterations);
  core::Verification check() { return table_.verification(); }
  std::vector<core::Metric> metrics(const core::Measurement&) const { return table_.metrics(); }
  std::vector<core::Fact> facts() const { return {{core::names::detection, table_.to_json()}}; }

 private:
  std::vector<std::byte> right_, faulty_;
  Problem problem_;
  ResultDetectors detectors_;
  integrity::StudyPlan plan_;
  integrity::DetectionTable table_;
};

}  // namespace assay::gemm
