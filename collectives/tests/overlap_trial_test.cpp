// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Passes on ranks that are threads.
#include "collectives/overlap/overlap_trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <thread>

#include "collectives/measure/cases.hpp"
#include "collectives/overlap/host_pass.hpp"
#include "collectives/tests/spoiling_transport.hpp"
#include "collectives/transport/transport.hpp"
#include "harness/core/error.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::collectives {
namespace {

using Result = core::Verification::Result;
using testing::HasSubstr;

class Idle final : public LayerWork {
 public:
  explicit Idle(bool wrong) : wrong_(wrong) {}
  void layer() override {}
  std::optional<std::string> wrong() const override {
    return wrong_ ? std::optional<std::string>("a product is wrong") : std::nullopt;
  }
  std::vector<core::Fact> facts() const override { return {}; }

 private:
  bool wrong_;
};

struct SeenOfPass {
  core::Verification verification;
  std::map<std::string, double> metrics;
  double slowest_s = 0;
};

struct Spoilt {
  bool exchange = false, product = false;
};

std::vector<SeenOfPass> passes(PassPlan plan, double link_bytes_per_s = 0, Spoilt spoilt = {}) {
  constexpr int ranks = 2;
  const Operation operation = plan.is_backward() ? Operation::all_reduce : Operation::all_gather;
  auto teams = team::make_thread_teams(ranks);
  auto transports = make_thread_transports(ranks);
  std::vector<SeenOfPass> seen(ranks);
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      HostPass::Setup setup{.transport = std::move(transports[rank]),
                            .transport_name = "threads",
                            .plan = plan,
                            .algorithm = &algorithm(operation, "ring"),
                            .link_bytes_per_s = link_bytes_per_s,
                            .work = std::make_unique<Idle>(spoilt.product)};
      if (spoilt.exchange)
        setup.transport = std::make_unique<SpoilingTransport>(std::move(setup.transport), 40);
      setup.problems.assign(plan.exchanges(), {.operation = operation, .ranks = ranks, .count = 1000});
      OverlapTrial trial(
          *teams[rank],
          {.plan = plan, .problems = setup.problems, .pass = std::make_unique<HostPass>(std::move(setup))});
      trial.enqueue(2);
      trial.sampling_begins();
      seen[rank].slowest_s = std::ranges::max(trial.enqueue(6).each_s);
      seen[rank].verification = trial.check();
      for (const core::Metric& metric : trial.metrics({})) seen[rank].metrics[metric.name] = metric.value;
    });
  for (std::thread& thread : threads) thread.join();
  return seen;
}

const PassPlan backward{.layers = 4, .bucket_layers = {2, 2}};
const PassPlan forward{.layers = 4, .depth = 1};

TEST(OverlapTrial, FindsItsExchangesRight) {
  for (const PassPlan& plan : {backward, forward})
    for (const SeenOfPass& rank : passes(plan))
      EXPECT_EQ(rank.verification.result, Result::right) << rank.verification.why;
}

TEST(OverlapTrial, NoticesASpoiltExchangeAtTheRankThatHasIt) {
  const auto seen = passes(backward, 0, {.exchange = true});
  EXPECT_EQ(seen[1].verification.result, Result::wrong);
  EXPECT_THAT(seen[1].verification.why, HasSubstr("exchange 0: element"));
}

TEST(OverlapTrial, NoticesASpoiltProduct) {
  for (const SeenOfPass& rank : passes(backward, 0, {.product = true}))
    EXPECT_EQ(rank.verification.why, "a product is wrong");
}

TEST(OverlapTrial, HasItsFiguresAtTheLeader) {
  const auto seen = passes(forward);
  EXPECT_GT(seen[0].metrics.at("communication_only_us"), 0);
  EXPECT_GT(seen[0].metrics.at("ideal_us"), 0);
  EXPECT_TRUE(seen[1].metrics.empty());
}

TEST(OverlapTrial, UnderACapTakesItsBytesOverTheCapAtLeast) {
  const auto seen = passes(backward, 1e6);  // 2 exchanges of 4,000 bytes
  EXPECT_GE(seen[0].slowest_s, 8e-3);
  EXPECT_GE(seen[0].metrics.at("communication_only_us"), 8e3);
}

core::Case overlap_case(const std::string& name, int ranks = 4) {
  const auto all = declared_cases({.ranks_per_node = 2}, ranks);
  return *std::ranges::find(all, "collectives.overlap." + name, &core::Case::name);
}

core::Point a_pass() {
  return {{"algorithm", std::string("ring")}, {"layers", std::int64_t{8}},
          {"width", std::int64_t{512}},       {"tokens", std::int64_t{64}},
          {"link_mb_per_s", std::int64_t{0}}, {"bucket_bytes", std::int64_t{2 << 20}},
          {"depth", std::int64_t{1}}};
}

TEST(OverlapCases, CountWhatARankExchanges) {
  EXPECT_EQ(overlap_case("bucketed_all_reduce").work(a_pass()).bytes, 8 * 512 * 512 * 4);
  EXPECT_EQ(overlap_case("prefetched_all_gather").work(a_pass()).bytes, 8 * 512 * 512 * 4);
}

TEST(OverlapCases, SayWhyNot) {
  EXPECT_EQ(overlap_case("bucketed_all_reduce", 1).unsupported(a_pass()).value_or(""),
            "one rank exchanges nothing: --ranks 2 or more");
  EXPECT_EQ(overlap_case("bucketed_all_reduce", 3)
                .unsupported(a_pass().set("algorithm", std::string("rails")))
                .value_or(""),
            "needs as many ranks on every node, but one has 1 and another 2");
}

TEST(OverlapCases, NameAnAxisBeyondItsRange) {
  for (const auto& [axis, value, expected] :
       {std::tuple("layers", 0, "layers=0: expected 1 to 1024"),
        {"width", -1, "width=-1: expected 1 to 16384"},
        {"tokens", 0, "tokens=0: expected 1 to 1048576"},
        {"link_mb_per_s", -5, "link_mb_per_s=-5: expected 0 to 1000000"},
        {"bucket_bytes", 0, "bucket_bytes=0: expected 1 to 1099511627776"},
        {"depth", -1, "depth=-1: expected 0 to 1024"}}) {
    const bool gathers = std::string(axis) == "depth";
    try {
      overlap_case(gathers ? "prefetched_all_gather" : "bucketed_all_reduce")
          .work(a_pass().set(axis, std::int64_t{value}));
      ADD_FAILURE() << axis << " was accepted";
    } catch (const core::Error& error) {
      EXPECT_EQ(error.kind(), core::ErrorKind::usage);
      EXPECT_THAT(error.what(), HasSubstr(expected));
    }
  }
}

}  // namespace
}  // namespace assay::collectives
