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

class CopyTrial {
 public:
  CopyTrial(const CopyWay& way, cuda::GatedSite& site);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check() { return copy_.verify(); }
  /// Reads the link while copies run.
  void sampling_ends();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();

 private:
  CopyWay way_;
  cuda::GatedSite& site_;
  HostCopy copy_;
  std::optional<HostLink> link_;
};

}  // namespace assay::offload
