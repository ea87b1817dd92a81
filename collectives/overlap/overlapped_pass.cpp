// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/overlapped_pass.hpp"

#include <utility>

#include "harness/core/seconds_since.hpp"

namespace assay::collectives {
OverlappedPass::OverlappedPass(PassPlan plan, LayerWork& work, std::function<void(std::size_t)> exchange)
    : plan_(std::move(plan)), work_(work), lane_(plan_.exchanges(), std::move(exchange)) {}

PassTimes OverlappedPass::run(const std::function<void()>& barrier) {
  return time_parts(plan_, barrier,
                    {.compute = [this] { return run_compute(); },
                     .exchange = [this] { return run_exchanges(); },
                     .together = [this](PassTimes& times) { run_together(times); }});
}

double OverlappedPass::run_compute() {
  const double began = core::steady_seconds();
  for (int layer = 0; layer < plan_.layers; ++layer) work_.layer();
  return core::steady_seconds() - began;
}

std::vector<double> OverlappedPass::run_exchanges() {
  lane_.restart();
  lane_.allow(plan_.exchanges());
  lane_.await(plan_.exchanges());
  return {lane_.took_s().begin(), lane_.took_s().end()};
}

void OverlappedPass::run_together(PassTimes& times) {
  lane_.restart();
  const double began = core::steady_seconds();
  for (int layer = 0; layer < plan_.layers; ++layer) {
    lane_.allow(plan_.allowed(layer));
    if (!plan_.is_backward()) lane_.await(static_cast<std::size_t>(layer) + 1);
    const double computes = core::steady_seconds();
    work_.layer();
    times.compute_beside += core::steady_seconds() - computes;
  }
  lane_.allow(plan_.exchanges());
  lane_.await(plan_.exchanges());
  times.together = core::steady_seconds() - began;
  times.communication_beside = total_s(lane_.took_s());
}

}  // namespace assay::collectives
