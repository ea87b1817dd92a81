// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/node_copies.hpp"

#include <fmt/core.h>

#include "harness/cuda/launch_chunks.hpp"

namespace assay::offload {

NodeCopies::NodeCopies(const std::vector<CopyWay>& ways) {
  for (const CopyWay& way : ways)
    gpus_.push_back(std::make_unique<GpuQueue>(way, static_cast<int>(gpus_.size())));
}

std::vector<double> NodeCopies::run(const std::vector<GpuQueue*>& gpus, std::int64_t iterations) {
  std::vector<double> seconds(gpus.size());
  for (const std::int64_t count : cuda::launch_chunks(iterations, gpus.front()->launches()).iterations) {
    std::vector<cuda::GateHold> holds;
    for (GpuQueue* gpu : gpus) holds.push_back(gpu->queue(count));
    for (cuda::GateHold& hold : holds) hold.open();
    for (std::size_t i = 0; i < gpus.size(); ++i) seconds[i] += gpus[i]->seconds();
  }
  return seconds;
}

std::vector<double> NodeCopies::run_together(std::int64_t iterations) {
  std::vector<GpuQueue*> all;
  for (const auto& gpu : gpus_) all.push_back(gpu.get());
  return run(all, iterations);
}

std::vector<double> NodeCopies::run_alone(std::int64_t iterations) {
  std::vector<double> seconds;
  for (const auto& gpu : gpus_) seconds.push_back(run({gpu.get()}, iterations).front());
  return seconds;
}

core::Verification NodeCopies::verify() {
  core::Verification seen;
  for (const auto& gpu : gpus_) {
    seen = gpu->verify();
    if (seen.result == core::Verification::Result::right) continue;
    seen.why = fmt::format("GPU {}: {}", gpu->gpu(), seen.why);
    return seen;
  }
  return seen;
}

}  // namespace assay::offload
