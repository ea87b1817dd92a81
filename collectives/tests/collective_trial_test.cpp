// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A trial on ranks that are threads: what it measures, and that wrong bytes are noticed.
#include "collectives/measure/collective_trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <thread>

#include "collectives/transport/group_transport.hpp"
#include "collectives/transport/transport.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/names.hpp"
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
  std::vector<std::string_view> phases() const override { return beneath_->phases(); }
  std::span<const double> phase_ends_s() const override { return beneath_->phase_ends_s(); }
  std::optional<Tiers> tiers() const override { return beneath_->tiers(); }

 private:
  std::unique_ptr<Runner> beneath_;
  bool spoils_;
};

struct Seen {
  core::Timing timing;
  core::Verification verification;
  std::map<std::string, double> metrics;
  std::vector<core::Fact> facts;
};

struct How {
  int spoilt = -1;  // the rank that computes wrongly
  const char* algorithm = "ring";
  Turns turns = Turns::at_once;
  Between between = Between::nothing;
  ReadWires read_wires = [] { return std::vector<machine::WireCounter>{}; };
};

/// A rank's parts of as many problems as there are groups.
CollectiveTrial::Setup setup_of(std::unique_ptr<Transport> transport, std::vector<RankGroup> groups,
                                const std::vector<Problem>& problems, const How& how) {
  CollectiveTrial::Setup setup{.turns = how.turns, .between = how.between, .read_wires = how.read_wires};
  setup.transport = std::move(transport);
  setup.transport_name = "threads";
  setup.groups = std::move(groups);
  setup.problems = problems;
  const int rank = setup.transport->rank();
  for (std::size_t group = 0; group < setup.groups.size(); ++group) {
    if (std::ranges::find(setup.groups[group], rank) == setup.groups[group].end()) continue;
    auto within = std::make_unique<GroupTransport>(*setup.transport, setup.groups[group]);
    auto ring =
        make_assay_runner(algorithm(problems[group].operation, how.algorithm), problems[group], {}, *within);
    setup.parts.push_back({static_cast<int>(group), problems[group], std::move(within),
                           std::make_unique<SpoilingRunner>(std::move(ring), rank == how.spoilt)});
  }
  return setup;
}

/// Measures and returns what each rank sees.
std::vector<Seen> measured(int ranks, const std::vector<RankGroup>& groups,
                           const std::vector<Problem>& problems, const How& how = {}) {
  auto teams = team::make_thread_teams(ranks);
  auto transports = make_thread_transports(ranks);
  std::vector<Seen> seen(teams.size());
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < teams.size(); ++rank)
    threads.emplace_back([&, rank] {
      CollectiveTrial trial(*teams[rank], {}, setup_of(std::move(transports[rank]), groups, problems, how));
      trial.enqueue(2);
      trial.sampling_begins();
      seen[rank].timing = trial.enqueue(50);
      trial.sampling_ends();
      seen[rank].verification = trial.check();
      core::Measurement measurement;
      measurement.interval.lower = 1e-6;
      measurement.interval.estimate = 2e-6;
      measurement.interval.upper = 4e-6;
      for (const core::Metric& metric : trial.metrics(measurement))
        seen[rank].metrics[metric.name] = metric.value;
      seen[rank].facts = trial.facts();
    });
  for (std::thread& thread : threads) thread.join();
  return seen;
}

/// All ranks together.
std::vector<Seen> measured(const Problem& problem, const How& how = {}) {
  RankGroup all;
  for (int rank = 0; rank < problem.ranks; ++rank) all.push_back(rank);
  return measured(problem.ranks, {all}, {problem}, how);
}

Problem of_ranks(int ranks) {
  Problem problem = all_reduce;
  problem.ranks = ranks;
  return problem;
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
  const Seen seen = measured(problem)[0];
  const auto& metrics = seen.metrics;
  EXPECT_THAT(seen.facts, testing::Contains(core::Fact("nodes", std::int64_t{2})));
  EXPECT_EQ(metrics.at("wire_bytes_inside_nodes"), 160);  // only rank 0 to rank 1
  EXPECT_EQ(metrics.at("wire_bytes_across_nodes"), 320);
}

TEST(CollectiveTrial, TimesThePhasesOfAHierarchyApart) {
  Problem problem{.operation = Operation::all_reduce, .ranks = 4, .count = 40, .node_of = {0, 0, 1, 1}};
  for (const char* name : {"rails", "hierarchical"}) {
    const auto seen = measured(problem, {.algorithm = name});
    const auto& metrics = seen[0].metrics;
    double sum_us = 0;
    for (const char* phase : {"phase1_inside_us", "phase2_across_us", "phase3_inside_us"}) {
      EXPECT_GE(metrics.at(phase), 0)
          << name;  // 0 where the last rank of the phase before had waited for a core
      sum_us += metrics.at(phase);
    }
    EXPECT_GT(sum_us, 0) << name;
    EXPECT_EQ(seen[3].verification.result, Result::right);
  }
  EXPECT_FALSE(measured(problem)[0].metrics.contains("phase1_inside_us")) << "a ring has one phase";
}

TEST(CollectiveTrial, TellsEveryRankInHowManyBlocksLateOnesWereSearched) {
  const core::Fact searched{core::names::straggler_blocks, std::int64_t{32}};
  for (const Seen& rank : measured(of_ranks(4))) EXPECT_THAT(rank.facts, testing::Contains(searched));
  EXPECT_THAT(measured(of_ranks(3))[1].facts, testing::Not(testing::Contains(searched)));
}

TEST(CollectiveTrial, NoticesWrongBytesAtTheRankThatHasThem) {
  const auto seen = measured(all_reduce, {.spoilt = 2});
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
  EXPECT_EQ(measured(problem, {.spoilt = 1})[1].verification.result, Result::wrong);
}

TEST(CollectiveTrial, RunsGroupsAtOnceAndTellsEach) {
  const auto seen = measured(5, {{0, 1}, {4, 2, 3}}, {of_ranks(2), of_ranks(3)});
  for (const Seen& rank : seen) EXPECT_EQ(rank.verification.result, Result::right) << rank.verification.why;
  EXPECT_GT(seen[0].metrics.at("group0_time_us"), 0);
  EXPECT_GT(seen[0].metrics.at("group1_time_us"), 0);
  EXPECT_EQ(seen[0].metrics.at("wire_bytes_inside_nodes"), 2 * 120 + 480);
  EXPECT_FALSE(seen[0].metrics.contains("busbw_gb_per_s"));  // its factor differs between these groups
}

TEST(CollectiveTrial, RunsGroupsThatShareRanksInTurn) {
  const auto seen = measured(3, {{0, 1}, {0, 2}, {1, 2}}, {of_ranks(2), of_ranks(2), of_ranks(2)},
                             {.turns = Turns::in_turn});
  for (const Seen& rank : seen) {
    EXPECT_EQ(rank.verification.result, Result::right) << rank.verification.why;
    EXPECT_EQ(rank.timing.each_s.size(), 50U);
  }
  EXPECT_TRUE(seen[0].metrics.contains("group2_time_us"));
  EXPECT_TRUE(seen[0].metrics.contains("busbw_gb_per_s"));
}

TEST(CollectiveTrial, LeavesARankOutThatIsInNoGroup) {
  const auto seen = measured(3, {{0, 2}}, {of_ranks(2)});
  EXPECT_TRUE(seen[1].timing.each_s.empty());
  EXPECT_EQ(seen[1].verification.result, Result::not_checked);
  EXPECT_EQ(seen[2].verification.result, Result::right);
}

TEST(CollectiveTrial, MayWaitForAllBetweenIterationsOutsideOfTheTime) {
  for (const Seen& rank : measured(all_reduce, {.between = Between::barrier})) {
    double sum = 0;
    for (const double one : rank.timing.each_s) sum += one;
    EXPECT_EQ(rank.timing.each_s.size(), 50U);
    EXPECT_NEAR(rank.timing.seconds, sum, 1e-9);
    EXPECT_EQ(rank.verification.result, Result::right);
  }
}

TEST(CollectiveTrial, TellsWhatTheWiresSawInOneIteration) {
  const auto metrics = measured(all_reduce, {.read_wires =
                                                 [] {
                                                   thread_local std::uint64_t sent =
                                                       0;  // each rank is a host of its own
                                                   return std::vector<machine::WireCounter>{
                                                       {machine::Wire::net, "eth0", "", sent += 10'000}};
                                                 }})[0]
                           .metrics;
  EXPECT_EQ(metrics.at("wire_seen_net_bytes"), 3 * 10'000 / 50.0);  // the two iterations before do not count
  EXPECT_FALSE(metrics.contains("wire_seen_rdma_bytes"));
}

std::string wire_rate_of(std::string_view name) {
  const auto transport = std::move(make_thread_transports(1).front());
  const Problem alone{.operation = Operation::all_reduce, .ranks = 1, .count = 8};
  for (const auto& [fact, value] :
       make_assay_runner(algorithm(Operation::all_reduce, name), alone, {}, *transport)->facts())
    if (fact == "busbw_is_wire_rate") return std::get<std::string>(value);
  return "";
}

TEST(AssayRunner, SaysOfTreesAndTiersThatBusbwIsNoWireRate) {
  EXPECT_EQ(wire_rate_of("ring"), "");
  for (const char* name : {"binomial_tree", "double_tree", "hierarchical", "rails"})
    EXPECT_EQ(wire_rate_of(name), "no: ranks send other amounts than busbw assumes") << name;
}

TEST(Operands, LeaveNoStaleResult) {
  Operands operands(all_reduce, {}, 0);
  EXPECT_THAT(operands.first_wrong().value_or(""), testing::HasSubstr("is -nan"));
}

}  // namespace
}  // namespace assay::collectives
