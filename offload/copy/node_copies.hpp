// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Host copies of several GPUs at once: gates on all of them, opened one right after the other.
#pragma once

#include <memory>
#include <vector>

#include "offload/copy/gpu_queue.hpp"
#include "offload/copy/node_metrics.hpp"

namespace assay::offload {

class NodeCopies {
 public:
  /// `ways` by GPU, from device 0 on. Throws core::Error.
  explicit NodeCopies(const std::vector<CopyWay>& ways);

  /// Seconds of each GPU for `iterations` copies, all at once.
  std::vector<double> run_together(std::int64_t iterations);
  /// The same, one GPU after the other.
  std::vector<double> run_alone(std::int64_t iterations);
  core::Verification verify();

 private:
  std::vector<double> run(const std::vector<GpuQueue*>& gpus, std::int64_t iterations);

  std::vector<std::unique_ptr<GpuQueue>> gpus_;
};

}  // namespace assay::offload
