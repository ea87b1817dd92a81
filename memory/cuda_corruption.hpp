// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Silent corruption on the way through GPU memory and its links: a pattern is written, copied within the
// device or to the host and back, and compared word by word; and the self-test of that comparison.
#pragma once

#include <string_view>
#include <vector>

#include "harness/core/case_of.hpp"
#include "harness/core/names.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/device_site.hpp"
#include "harness/integrity/detection.hpp"
#include "harness/machine/machine.hpp"
#include "memory/copy_probe.hpp"
#include "memory/cuda_formula.hpp"
#include "memory/cuda_operands.hpp"

namespace assay::memory {

/// 16-byte units of the source, which is half of the footprint. Throws a usage Error where that is zero.
std::uint64_t quads_of(const core::Point& point);

class CudaCorruption {
 public:
  using Site = cuda::GatedSite;
  struct Settings {
    std::uint64_t quads = 0;
    bool by_host = false;
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.corruption";
  static constexpr std::string_view measures =
      "silent corruption: patterns written, copied and compared word by word, within a GPU or by way of the "
      "host";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings& settings);

  CudaCorruption(const Settings& settings, cuda::DeviceSite& site);
  /// One round, with a pattern of its own.
  void enqueue();
  std::int64_t launches_per_iteration() const { return staging_.size() > 0 ? 6 : 5; }
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement&) const { return copies_metrics(found_); }
  std::vector<core::Fact> facts() const { return copies_facts(found_); }

  /// For tests: flips these bits of a word of the next copy.
  void flip_in_next_copy(std::uint64_t word, std::uint64_t bits) { flip_ = {word, bits}; }

 private:
  void copy();

  struct Flip {
    std::uint64_t word = 0, bits = 0;
  };
  cudaStream_t stream_;
  int blocks_;
  std::uint64_t quads_;
  cuda::DeviceBuffer source_, copy_;
  cuda::PinnedBuffer staging_;  // empty where the copy stays on the device
  DeviceMismatches mismatches_;
  Flip flip_;
  CopiesFound found_{};
};

class CudaSelfTest {
 public:
  using Site = cuda::GatedSite;
  struct Settings {
    std::uint64_t words = 0;
    integrity::StudyPlan plan = {};
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "memory.cuda.corruption_self_test";
  static constexpr std::string_view measures =
      "silent corruption: whether the comparison on the GPU finds bits flipped in its memory";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings&) {
    return {.bytes_counted = "nothing: faults are counted, not bytes"};
  }

  CudaSelfTest(const Settings& settings, cuda::DeviceSite& site);
  /// One writing and comparing; the faults are planted after it, in check().
  void enqueue();
  std::int64_t launches_per_iteration() const { return 2; }
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement&) const { return table_.metrics(); }
  std::vector<core::Fact> facts() const { return {{core::names::detection, table_.to_json()}}; }

 private:
  void compare();
  void flip(const integrity::Fault& fault);
  bool finds(const integrity::Fault& fault);

  cudaStream_t stream_;
  int blocks_;
  std::uint64_t quads_;
  integrity::StudyPlan plan_;
  cuda::DeviceBuffer words_;
  DeviceMismatches mismatches_;
  integrity::DetectionTable table_;
};

std::vector<core::Case> cuda_corruption_cases(const machine::Machine& machine);

}  // namespace assay::memory
