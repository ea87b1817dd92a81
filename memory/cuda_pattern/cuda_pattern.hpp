// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Memory pattern test of a GPU: a hash of address and seed, then its inverse, over a stated share of the free
// memory. One iteration writes, checks and inverts, and checks again.
#pragma once

#include <vector>

#include "harness/core/measure/measure.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "memory/cuda/cuda_declarations.hpp"
#include "memory/cuda/cuda_formula.hpp"
#include "memory/cuda/cuda_operands.hpp"
#include "memory/cuda_pattern/cuda_pattern_kernels.hpp"

namespace assay::memory {

/// A fault that was planted to see whether it is found.
struct PlantedFault {
  std::uint64_t address = 0;
  std::uint64_t bits = 0;
};

/// True when the log holds exactly this fault.
bool is_exactly(const MismatchLog& log, const PlantedFault& fault);

/// Outcome of the test. Memory that was asked for and not had makes it not_checked, never right.
struct PatternOutcome {
  std::int64_t asked_bytes = 0, tested_bytes = 0, rounds = 0;
  bool planted_fault_found = false;
};
core::Verification judge_pattern(const PatternOutcome& outcome, const MismatchLog& log);

class CudaPattern : public DeclaredCudaPattern {
 public:
  using Site = cuda::GatedSite;

  CudaPattern(const Settings& settings, cuda::DeviceSite& site);
  void enqueue();
  std::int64_t launches_per_iteration() const { return 3 * static_cast<std::int64_t>(pieces_.size()); }
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement& measurement) const;
  std::vector<core::Fact> facts() const;

  /// Damages one word between the writing and the checking of the next enqueue(), for tests.
  PlantedFault plant_in_next_round(std::uint64_t bits);

 private:
  void load_kernels();
  PatternPiece piece(std::size_t index) const;
  void fill(std::uint64_t seed);
  void plant(const PlantedFault& fault);
  bool finds_a_planted_fault();

  cudaStream_t stream_;
  int blocks_;
  DeviceMismatches mismatches_;
  std::int64_t free_bytes_ = 0;
  PatternOutcome outcome_;
  std::vector<cuda::DeviceBuffer> pieces_;
  PlantedFault next_fault_;
  MismatchLog found_{};
};

std::vector<core::Case> cuda_pattern_cases(const machine::Machine& machine);

}  // namespace assay::memory
