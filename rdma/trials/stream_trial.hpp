// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth: rounds of flows, each rank's part in them, verified and bracketed by counters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/team/cpu_time.hpp"
#include "rdma/traffic/stream.hpp"
#include "rdma/traffic/wiring/schedule.hpp"
#include "rdma/trials/flow_results.hpp"
#include "rdma/trials/link_watch.hpp"

namespace assay::rdma {

class StreamTrial {
 public:
  StreamTrial(const machine::Machine& machine, team::Team& team, const Settings& settings,
              const Schedule& schedule, Fault fault = Fault::none);

  core::Timing enqueue(std::int64_t iterations);
  core::Verification check();
  void sampling_begins();
  void sampling_ends();
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts();
  std::vector<core::LinkReport> links() { return {watch_.report()}; }
  std::vector<core::FlowReport> flows();

 protected:
  Wiring& wiring() { return wiring_; }
  Stream& stream() { return stream_; }
  const std::vector<FlowResult>& results() const { return results_; }
  const LinkWatch& watch() const { return watch_; }
  /// Sends over these flows; the slowest of all ranks, known to every rank. One rank's failure is thrown at
  /// all.
  double slowest_seconds(const std::vector<std::size_t>& flows, std::int64_t messages);

 private:
  void rerun_suspects();
  void add_cpu(std::vector<core::Metric>& metrics);
  void prepare_content();
  std::optional<std::string> check_lane(const Lane& lane, std::size_t place, std::int64_t posted) const;
  std::optional<std::string> check_slots(const Lane& lane, std::int64_t slots) const;
  void count_arrivals(const Lane& lane, std::size_t place, std::int64_t posted);
  std::vector<std::vector<std::int64_t>> posted_of_all();

  Wiring wiring_;
  Stream stream_;
  std::vector<std::vector<std::size_t>> rounds_;  // indices of flows
  double suspect_share_;
  bool pairs_apart_;
  LinkWatch watch_;
  std::vector<FlowResult> results_;
  team::CpuTime cpu_;
  std::int64_t sent_here_ = 0, arrived_here_ = 0;                // without acknowledgement: UC, UD
  std::vector<std::vector<core::QueuePairReport>> queue_pairs_;  // by flow
  std::vector<core::FlowReport> alone_;                          // of suspects, one at a time
};

/// Latency under load, open loop: messages are due at a share of the rate that the same flow reached
/// unhindered, and each is timed from when it was due, so that a stall is charged to all messages it delays.
class LoadedTrial : public StreamTrial {
 public:
  /// From `ends.first` to `ends.second`. `load_percent` of the closed-loop message rate, which the first run
  /// measures before it begins.
  LoadedTrial(const machine::Machine& machine, team::Team& team, const Settings& settings, Pair ends,
              int load_percent);

  core::Timing enqueue(std::int64_t iterations);
  std::vector<core::Metric> metrics(const core::Measurement& measurement);

 private:
  double closed_loop_rate();

  int load_percent_;
  double rate_per_s_ = 0, offered_per_s_ = 0;
};

}  // namespace assay::rdma
