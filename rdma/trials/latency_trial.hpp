// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Latency of one message at a time between ranks 0 and 1.
#pragma once

#include <optional>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "rdma/traffic/ping_pong.hpp"
#include "rdma/trials/link_watch.hpp"

namespace assay::rdma {

class LatencyTrial {
 public:
  LatencyTrial(const machine::Machine& machine, team::Team& team, const Settings& settings,
               Fault fault = Fault::none);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check();
  void sampling_begins();
  void sampling_ends();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();
  std::vector<core::LinkReport> links() { return {watch_.report()}; }

 private:
  Wiring wiring_;
  PingPong ping_pong_;
  LinkWatch watch_;
  double latency_s_ = 0;  // of the last run, at the first rank
  std::optional<HostTime> host_time_;
};

/// The settings of a latency point: one queue pair, a few messages deep, a slot to send and one to receive.
Settings latency_settings(const core::Point& point);

}  // namespace assay::rdma
