// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Latency under load, open loop: messages are due at a share of the rate that the same flow reached
// unhindered, and each is timed from when it was due, so that a stall is charged to all messages it delays.
#pragma once

#include "rdma/trials/stream_trial.hpp"

namespace assay::rdma {

class LoadedTrial : public StreamTrial {
 public:
  /// `load_percent` of the closed-loop message rate, which the first run measures before it begins.
  LoadedTrial(const machine::Machine& machine, team::Team& team, const Settings& settings, int load_percent);

  core::Timing enqueue(std::int64_t iterations);
  std::vector<core::Metric> metrics(const core::Measurement& measurement);

 private:
  double closed_loop_rate();

  int load_percent_;
  double rate_per_s_ = 0, offered_per_s_ = 0;
};

}  // namespace assay::rdma
