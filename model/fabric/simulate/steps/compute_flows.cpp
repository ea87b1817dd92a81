// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/steps/compute_flows.hpp"

#include <algorithm>

namespace assay::model::fabric {

namespace {

/// Paths that also pass the processors of both ends: what joins flows whose rates depend on one another.
Paths joined_paths(const Paths& paths, LinkId processor, const ProcessorUse& use) {
  Paths joined;
  std::vector<LinkId> path;
  for (std::size_t flow = 0; flow < paths.size(); ++flow) {
    path.assign(paths[flow].begin(), paths[flow].end());
    if (use.taken[flow] <= 0 && !path.empty())
      path.insert(path.end(), {processor + use.from[flow], processor + use.to[flow]});
    joined.append(path);
  }
  return joined;
}

}  // namespace

Timeline timeline_with_compute(std::span<const Message> messages, std::span<const Precedence> precedences,
                               const Paths& paths, LinkId processor, const ProcessorUse& use,
                               const SharingRule& rule) {
  const std::uint32_t gpus = std::max(std::ranges::max(use.from), std::ranges::max(use.to)) + 1;
  const Paths joined = joined_paths(paths, processor, use);
  std::vector<char> communicates(gpus);
  std::vector<FlowId> sent;
  const SharingRule with_compute = [&](std::span<const FlowId> flows, std::span<double> rates) {
    sent.clear();
    std::ranges::copy_if(flows, std::back_inserter(sent), [&](FlowId flow) { return use.taken[flow] <= 0; });
    if (!sent.empty()) rule(sent, rates);
    for (const FlowId flow : sent) communicates[use.from[flow]] = communicates[use.to[flow]] = 1;
    for (const FlowId flow : flows)
      if (use.taken[flow] > 0) rates[flow] = 1 - (communicates[use.from[flow]] != 0 ? use.taken[flow] : 0);
    for (const FlowId flow : sent) communicates[use.from[flow]] = communicates[use.to[flow]] = 0;
  };
  return timeline_of(messages, precedences, joined, std::size_t{processor} + gpus, with_compute);
}

}  // namespace assay::model::fabric
