// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Latency of one message at a time between two ranks.
#pragma once

#include <optional>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "rdma/traffic/ping_pong.hpp"
#include "rdma/traffic/wiring/pattern.hpp"
#include "rdma/trials/flow_results.hpp"
#include "rdma/trials/link_watch.hpp"

namespace assay::rdma {

class LatencyTrial {
 public:
  /// From `ends.first` to `ends.second`.
  LatencyTrial(const machine::Machine& machine, team::Team& team, const Settings& settings,
               Pair ends = {0, 1});

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check();
  void sampling_begins();
  void sampling_ends();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();
  std::vector<core::LinkReport> links() { return {watch_.report()}; }
  std::vector<core::FlowReport> flows() { return {report_of(wiring_.flows().front())}; }

 private:
  Wiring wiring_;
  PingPong ping_pong_;
  LinkWatch watch_;
  double latency_s_ = 0;  // of the last run, at the first rank
  std::optional<HostTime> host_time_;
};

}  // namespace assay::rdma
