// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The silent corruption probe on a GPU: tensor cores multiply, ordinary units have computed the truth with
// whole numbers, every element of every product is compared there, and the host foretells the checksums.
#pragma once

#include <cstddef>
#include <vector>

#include "gemm/check/corruption.hpp"
#include "gemm/device/device_gemm.hpp"
#include "gemm/device/device_summary.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "harness/integrity/checksums.hpp"
#include "harness/integrity/detection.hpp"
#include "harness/machine/machine.hpp"

namespace assay::gemm {

/// The truth of one product in device memory, and what is compared with it.
class DeviceTruth {
 public:
  /// Queues the making of the truth. Throws core::Error(cuda).
  DeviceTruth(const Problem& problem, cudaStream_t stream);

  /// Queues a comparison of every element; what differs is added to the log.
  void compare(const void* output);
  /// Waits, and takes the log away.
  integrity::MismatchLog take_log();
  struct Summary {
    integrity::Checksums checksums;
    Digest digest;
  };
  /// Waits for the checksums and the digest of an output.
  Summary summarize(const void* output);

 private:
  Problem problem_;
  cudaStream_t stream_;
  cuda::DeviceBuffer truth_, log_;
  DeviceSummary summary_;
  cuda::DeviceBuffer columns_;
};

class DeviceCorruption : public DeviceProductCase<DeclaredDeviceCorruption> {
 public:
  DeviceCorruption(const Settings& settings, cuda::DeviceSite& site);
  void enqueue();
  std::int64_t launches_per_iteration() const { return 3; }
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement&) const;
  std::vector<core::Fact> facts() const;

  /// For tests: flips these bits of one element of the next product.
  void flip_in_next_product(std::int64_t position, std::uint64_t bits) { flip_ = {position, bits}; }

 private:
  void multiply_and_compare();

  struct Flip {
    std::int64_t position = 0;
    std::uint64_t bits = 0;
  };
  Problem problem_;
  cuda::DeviceSite& site_;
  DeviceGemm gemm_;
  DeviceTruth truth_;
  Flip flip_;
  CorruptionFound found_{};
};

class DeviceSelfTest : public DeviceProductCase<DeclaredDeviceSelfTest> {
 public:
  DeviceSelfTest(const Settings& settings, cuda::DeviceSite& site);
  /// One product and its comparison; the faults are planted after it, in check().
  void enqueue();
  std::int64_t launches_per_iteration() const { return 2; }
  core::Verification check();
  std::vector<core::Metric> metrics(const core::Measurement&) const { return table_.metrics(); }
  std::vector<core::Fact> facts() const;

 private:
  void flip(const integrity::Fault& fault);
  std::vector<bool> ask(const integrity::Fault& fault);

  Problem problem_;
  integrity::StudyPlan plan_;
  cuda::DeviceSite& site_;
  DeviceGemm gemm_;
  DeviceTruth truth_;
  integrity::Checksums expected_;
  Digest digest_;
  integrity::DetectionTable table_;
};

}  // namespace assay::gemm
