// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One collective at one rank, timed on the host's clock. A sample of run(n) begins with a barrier over the
// transport, outside of the time; then n operations follow each other without a pause, each timed from the
// end of the one before. The slowest rank's time of each is what counts (team::lead takes it).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collectives/room/arrivals.hpp"
#include "collectives/room/clock_offset.hpp"
#include "collectives/room/operands.hpp"
#include "collectives/room/runner.hpp"
#include "collectives/transport/executor.hpp"
#include "harness/core/benchmark.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

class CollectiveTrial final : public core::Trial {
 public:
  struct Parts {
    std::unique_ptr<Transport> transport;
    std::string transport_name;
    std::unique_ptr<Runner> runner;  // may use the transport
  };
  CollectiveTrial(team::Team& team, Problem problem, const Content& content, Parts parts);

  core::Timing run(std::int64_t iterations) override;
  core::Verification verify() override;
  void sampling_begins() override;
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override;
  std::vector<core::Fact> facts() override;

 private:
  void run_once() { parts_.runner->run(operands_.input(), operands_.output()); }
  void note(double began_s, const std::vector<double>& each_s);
  void add_bandwidths(std::vector<core::Metric>& metrics, const core::Measurement& measurement) const;
  void add_tiers(std::vector<core::Metric>& metrics) const;

  team::Team& team_;
  Problem problem_;
  Content content_;
  Parts parts_;
  Executor barrier_;
  Operands operands_;
  ClockOffset offset_;
  RankFigures own_;
  std::vector<RankFigures> by_rank_;
};

}  // namespace assay::collectives
