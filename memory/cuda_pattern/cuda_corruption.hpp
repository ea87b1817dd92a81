// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Silent corruption on the way through GPU memory and its links: a pattern is written, copied within the
// device or to the host and back, and compared word by word; and the self-test of that comparison.
#pragma once

#include <vector>

#include "harness/core/names.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "harness/integrity/detection.hpp"
#include "memory/copy_probe.hpp"
#include "memory/cuda/cuda_declarations.hpp"
#include "memory/cuda/cuda_formula.hpp"
#include "memory/cuda/cuda_operands.hpp"

namespace assay::memory {

class CudaCorruption : public DeclaredCudaCorruption {
 public:
  using Site = cuda::GatedSite;

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

class CudaSelfTest : public DeclaredCudaSelfTest {
 public:
  using Site = cuda::GatedSite;

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
