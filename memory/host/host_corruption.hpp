// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Silent corruption on the way through host memory: each thread writes a pattern, copies it, and compares
// both the copy and the source with what was written; and the self-test of that comparison.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/measure/case_of.hpp"
#include "harness/host/arena.hpp"
#include "harness/host/host_site.hpp"
#include "harness/integrity/detection.hpp"
#include "harness/integrity/digest.hpp"
#include "harness/machine/machine.hpp"
#include "memory/copy_probe.hpp"
#include "memory/host/host_placement.hpp"

namespace assay::memory {

class HostCorruption {
 public:
  using Site = host::HostSite;
  using Settings = HostSettings;  // bytes: source and copy of all threads
  static constexpr std::string_view name = "memory.host.corruption";
  static constexpr std::string_view measures =
      "silent corruption: patterns written, copied and compared word by word in host memory";
  static constexpr core::Headline headline = core::Headline::time_us;

  static std::vector<core::Axis> axes(const machine::Machine& machine);
  static Settings settings(const core::Point& point) { return host_settings(point); }
  static core::Work work(const Settings& settings);
  static std::optional<std::string> unsupported(const Settings& settings, const machine::Machine& machine);

  /// Throws Error.
  HostCorruption(const Settings& settings, host::HostSite& site);

  /// One iteration is one round; the pattern differs from that of the round before in every bit, or as a
  /// whole.
  double enqueue(std::int64_t iterations);
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement&) const { return copies_metrics(found_); }
  std::vector<core::Fact> facts() const;

  /// For tests: damages the copies of a round before they are compared.
  using Damage = std::function<void(std::span<std::uint64_t> copy, int rank, std::uint64_t round)>;
  void damage_with(Damage damage) { damage_ = std::move(damage); }

 private:
  std::span<std::uint64_t> source(int rank) const;
  std::span<std::uint64_t> copy(int rank) const;
  std::uint64_t offset(int rank) const;
  void round(int rank, std::uint64_t number, integrity::MismatchLog& log);

  std::size_t words_;  // of one thread's source
  host::HostSite& site_;
  host::Arena arena_;
  std::vector<integrity::MismatchLog> logs_;  // by rank
  CopiesFound found_{};
  Damage damage_;
};

/// 8-byte words that a thread copies; 0 where the footprint is too small for the threads.
std::size_t words_of_thread(const HostSettings& settings);

class HostSelfTest {
 public:
  using Site = host::HostSite;
  struct Settings {
    std::uint64_t words = 0;
    integrity::StudyPlan plan = {};
    host::HostPlace place = {};
  };
  static constexpr std::string_view name = "memory.host.corruption_self_test";
  static constexpr std::string_view measures =
      "silent corruption: whether the comparison finds bits flipped in a copy";
  static constexpr core::Headline headline = core::Headline::time_us;

  static std::vector<core::Axis> axes() { return self_test_axes(2048); }
  static Settings settings(const core::Point& point) {
    return {.words = words_of(point), .plan = integrity::study_plan(point)};
  }
  static core::Work work(const Settings&) {
    return {.bytes_counted = "nothing: faults are counted, not bytes"};
  }

  HostSelfTest(const Settings& settings, host::HostSite& site);

  /// One iteration plants every kind of fault in a copy and compares after each.
  double enqueue(std::int64_t iterations);
  core::Verification check() { return table_.verification(); }
  std::vector<core::Metric> metrics(const core::Measurement&) const { return table_.metrics(); }
  std::vector<core::Fact> facts() const;

 private:
  integrity::Elements elements() const;
  std::vector<bool> ask(const integrity::Fault& fault);

  host::HostSite& site_;
  host::Arena arena_;
  std::span<std::uint64_t> words_;
  integrity::Digest digest_;
  integrity::StudyPlan plan_;
  integrity::DetectionTable table_;
};

std::vector<core::Case> host_corruption_cases(const machine::Machine& machine);

}  // namespace assay::memory
