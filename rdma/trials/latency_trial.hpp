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

class LatencyTrial final : public core::Trial {
 public:
  LatencyTrial(const machine::Machine& machine, team::Team& team, const Settings& settings,
               Fault fault = Fault::none);

  core::Timing run(std::int64_t iterations) override;
  core::Verification verify() override;
  void sampling_begins() override;
  void sampling_ends() override;
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> facts() override;

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
