// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A trial on ranks that are threads: what it measures, and that wrong bytes are noticed.
#include "collectives/room/collective_trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <map>
#include <thread>

#include "collectives/transport/thread_transport.hpp"
#include "harness/core/measure.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::collectives {
namespace {

using Result = core::Verification::Result;

const Problem all_reduce{.operation = Operation::all_reduce, .ranks = 3, .count = 30};

/// Runs our ring, and then spoils one element at one rank.
class SpoilingRunner final : public Runner {
 public:
  SpoilingRunner(std::unique_ptr<Runner> beneath, bool spoils)
      : beneath_(std::move(beneath)), spoils_(spoils) {}
  void run(std::span<const std::byte> input, std::span<std::byte> output) override {
    beneath_->run(input, output);
    if (spoils_) output[17] ^= std::byte{1};
  }
  std::vector<core::Fact> facts() const override { return beneath_->facts(); }
  std::optional<Tiers> tiers() const override { return beneath_->tiers(); }

 private:
  std::unique_ptr<Runner> beneath_;
  bool spoils_;
};

struct Seen {
  core::Timing timing;
  core::Verification verification;
  std::map<std::string, double> metrics;
};

/// What each of three ranks sees of `problem`; rank `spoilt` computes wrongly.
std::vector<Seen> measured(const Problem& problem, int spoilt = -1) {
  auto teams = team::make_thread_teams(problem.ranks);
  auto transports = make_thread_transports(problem.ranks);
  std::vector<Seen> seen(teams.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < teams.size(); ++rank)
    threads.emplace_back([&, rank] {
      Transport& transport = *transports[rank];
      auto ring = make_assay_runner(algorithm(problem.operation, "ring"), problem, {}, transport);
      CollectiveTrial trial(
          *teams[rank], problem, {},
          {std::move(transports[rank]), "threads",
           std::make_unique<SpoilingRunner>(std::move(ring), static_cast<int>(rank) == spoilt)});
      trial.run(2);
      trial.sampling_begins();
      seen[rank].timing = trial.run(50);
      seen[rank].verification = trial.verify();
      core::Measurement measurement;
      measurement.interval.lower = 1e-6;
      measurement.interval.estimate = 2e-6;
      measurement.interval.upper = 4e-6;
      for (const core::Metric& metric : trial.metrics(measurement))
        seen[rank].metrics[metric.name] = metric.value;
    });
  for (std::thread& thread : threads) thread.join();
  return seen;
}

TEST(CollectiveTrial, TimesEveryIterationAndFindsItsResultRight) {
  for (const Seen& rank : measured(all_reduce)) {
    EXPECT_EQ(rank.timing.each_s.size(), 50U);
    EXPECT_GT(rank.timing.seconds, 0);
    EXPECT_EQ(rank.verification.result, Result::right) << rank.verification.why;
  }
}

TEST(CollectiveTrial, TellsBandwidthsSkewAndWireBytes) {
  const auto metrics = measured(all_reduce)[0].metrics;
  EXPECT_NEAR(metrics.at("algbw_gb_per_s"), 0.06, 1e-12);          // 120 bytes in 2 us
  EXPECT_NEAR(metrics.at("busbw_gb_per_s"), 0.06 * 4 / 3, 1e-12);  // 2(n-1)/n
  EXPECT_EQ(metrics.at("wire_bytes_inside_nodes"), 480);           // 3 ranks send 2 * 2/3 of 120 bytes each
  EXPECT_EQ(metrics.at("wire_bytes_across_nodes"), 0);
  EXPECT_GE(metrics.at("arrival_skew_us"), 0);
  EXPECT_GT(metrics.at("rank_mean_avg_us"), 0);
}

TEST(CollectiveTrial, TellsWhatCrossesNodes) {
  Problem problem = all_reduce;
  problem.node_of = {0, 0, 1};
  const auto metrics = measured(problem)[0].metrics;
  EXPECT_EQ(metrics.at("wire_bytes_inside_nodes"), 160);  // only rank 0 to rank 1
  EXPECT_EQ(metrics.at("wire_bytes_across_nodes"), 320);
}

TEST(CollectiveTrial, NoticesWrongBytesAtTheRankThatHasThem) {
  const auto seen = measured(all_reduce, 2);
  EXPECT_EQ(seen[2].verification.result, Result::wrong);
  EXPECT_THAT(seen[2].verification.why, testing::HasSubstr("element 4 of 30: expected"));
}

TEST(CollectiveTrial, ChecksAReductionInPlaceOnFreshInput) {
  Problem problem = all_reduce;
  problem.in_place = true;
  for (const Seen& rank : measured(problem)) {
    EXPECT_EQ(rank.verification.result, Result::right);
    EXPECT_THAT(rank.verification.why, testing::HasSubstr("one more iteration"));
  }
  EXPECT_EQ(measured(problem, 1)[1].verification.result, Result::wrong);
}

TEST(Operands, LeaveNoStaleResult) {
  Operands operands(all_reduce, {}, 0);
  EXPECT_THAT(operands.first_wrong().value_or(""), testing::HasSubstr("is -nan"));
}

}  // namespace
}  // namespace assay::collectives
