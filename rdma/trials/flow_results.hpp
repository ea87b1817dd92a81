// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Results of each flow, gathered from all ranks, and the figures made of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/team/team.hpp"
#include "rdma/traffic/sender.hpp"

namespace assay::rdma {

struct FlowResult {
  std::size_t flow = 0;
  double seconds = 0;  // of `messages`
  std::int64_t messages = 0;
  std::vector<std::int64_t> posted;  // by queue pair
  std::vector<double> each_s;        // of a probe

  double gb_per_s(const Flow& flow_of) const;
};

/// Every rank calls it; the flows of all ranks, by flow.
std::vector<FlowResult> gather_results(team::Team& team, std::vector<Sender>& senders);

/// Message rate; bandwidth of each flow and each direction, their sum, the slowest; the spread over queue
/// pairs; probes' quantiles.
std::vector<core::Metric> metrics_of(const std::vector<FlowResult>& results, const std::vector<Flow>& flows);
/// Bytes of all messages since sampling began, also of those that were not timed.
double bytes_posted(const std::vector<FlowResult>& results, const std::vector<Flow>& flows);
/// A flow's report without a rate: whose it is.
inline core::FlowReport report_of(const Flow& flow) { return {.from = flow.from, .to = flow.to}; }
/// The rate and the queue pairs, of gather_queue_pairs(), of each flow but probes; none where there are more
/// flows than a record lists.
std::vector<core::FlowReport> flow_reports(
    const std::vector<FlowResult>& results, const std::vector<Flow>& flows,
    const std::vector<std::vector<core::QueuePairReport>>& queue_pairs);

}  // namespace assay::rdma
