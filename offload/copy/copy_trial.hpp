// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A host copy as what is measured: behind a gate and by events where the driver queues it, by the host's
// clock where it copies through memory of its own.
#pragma once

#include <optional>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/cuda/device_site.hpp"
#include "offload/copy/host_copy.hpp"
#include "offload/copy/host_link.hpp"

namespace assay::offload {

class CopyTrial final : public core::Trial {
 public:
  CopyTrial(const CopyWay& way, int gpu);

  core::Timing run(std::int64_t iterations) override;
  core::Verification verify() override { return copy_.verify(); }
  std::vector<core::Signal> signals() override { return conditions_.signals(); }
  void sampling_begins() override;
  /// Reads the link while copies run.
  void sampling_ends() override;
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> facts() override;

 private:
  CopyWay way_;
  cuda::DeviceSite site_;
  cuda::GatedTimer timer_;
  cuda::DeviceConditions conditions_;
  HostCopy copy_;
  std::optional<HostLink> link_;
};

}  // namespace assay::offload
