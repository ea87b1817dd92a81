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

  core::Timing do_run(std::int64_t iterations) override;
  core::Verification do_verify() override { return copy_.verify(); }
  std::vector<core::Signal> do_signals() override { return site_.signals(); }
  void do_sampling_begins() override;
  /// Reads the link while copies run.
  void do_sampling_ends() override;
  std::vector<core::Metric> do_metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> do_facts() override;

 private:
  CopyWay way_;
  cuda::GatedSite site_;
  HostCopy copy_;
  std::optional<HostLink> link_;
};

}  // namespace assay::offload
