// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Bandwidth: rounds of flows, each rank's part in them, verified and bracketed by counters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "rdma/traffic/stream.hpp"
#include "rdma/trials/flow_results.hpp"
#include "rdma/trials/link_watch.hpp"

namespace assay::rdma {

struct Schedule {
  std::vector<Round> rounds;
  /// After sampling: flows slower than this share of the median run again, one at a time. 0: none do.
  double suspect_share = 0;
};

class StreamTrial : public core::Trial {
 public:
  StreamTrial(const machine::Machine& machine, team::Team& team, const Settings& settings,
              const Schedule& schedule, Fault fault = Fault::none);

  core::Timing run(std::int64_t iterations) override;
  core::Verification verify() override;
  void sampling_begins() override;
  void sampling_ends() override;
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> facts() override;

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
  void prepare_content();
  std::optional<std::string> check(const Lane& lane, std::size_t place, std::int64_t posted) const;
  std::optional<std::string> check_slots(const Lane& lane, std::int64_t slots) const;
  void count_arrivals(const Lane& lane, std::size_t place, std::int64_t posted);
  std::vector<std::vector<std::int64_t>> posted_of_all();

  Wiring wiring_;
  Stream stream_;
  std::vector<std::vector<std::size_t>> rounds_;  // indices of flows
  double suspect_share_;
  LinkWatch watch_;
  std::vector<FlowResult> results_;
  std::int64_t sent_here_ = 0, arrived_here_ = 0;  // without acknowledgement: UC, UD
  std::vector<core::Metric> alone_;                // of suspects, one at a time
};

}  // namespace assay::rdma
