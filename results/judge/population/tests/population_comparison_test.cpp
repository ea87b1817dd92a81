// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/population/population_comparison.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "results/tests/population_store.hpp"

namespace assay::results {
namespace {

using core::Equivalence;
using test::PopulationStore;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;

std::string refusal(const Store& a, const Store& b, const PopulationRequest& request = {}) {
  try {
    compare_populations(a, b, request);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "compared";
}

Verdict verdict_with(const PopulationStore& a, const PopulationStore& b,
                     const PopulationRequest& request = {}) {
  return verdicts_of(compare_populations(a.store(), b.store(), request)).verdict;
}

std::string reasons(const PopulationComparison& comparison) {
  std::string text;
  for (const VerdictRow& row : verdicts_of(comparison).rows)
    if (row.verdict != Verdict::pass) text += row.metric + ": " + row.because + "\n";
  return text;
}

TEST(Populations, OfEqualClustersPass) {
  PopulationStore a("a"), b("b");
  a.add_hosts(12, 100);
  b.add_hosts(9, 100.5);
  const PopulationComparison comparison = compare_populations(a.store(), b.store(), {});
  ASSERT_EQ(comparison.points.size(), 2U);
  EXPECT_EQ(comparison.points[0].verdict, Equivalence::equivalent);
  EXPECT_EQ(comparison.points[0].values_of_a, 12);
  EXPECT_EQ(comparison.points[0].values_of_b, 9);
  EXPECT_EQ(comparison.points[0].runs_of_a, 24);
  EXPECT_NEAR(comparison.points[0].shift->shift, std::log(1.005), 1e-3);
  EXPECT_GT(*comparison.points[0].detectable, 0.03);
  EXPECT_EQ(verdicts_of(comparison).verdict, Verdict::pass) << reasons(comparison);
  EXPECT_THAT(to_table(comparison).notes, Contains(HasSubstr("No workload mix was named")));
}

TEST(Populations, AreWorseOrBetterBeyondTheMarginOnly) {
  PopulationStore a("a"), b("b"), c("c");
  a.add_hosts(10, 100);
  b.add_hosts(10, 106);
  c.add_hosts(10, 95);
  EXPECT_EQ(verdict_with(a, b), Verdict::fail);
  EXPECT_EQ(verdict_with(a, c), Verdict::pass);
  EXPECT_EQ(compare_populations(a.store(), c.store(), {}).count(Equivalence::lower), 2);
  EXPECT_EQ(verdict_with(a, b, {.margin = 0.1}), Verdict::pass);
}

TEST(Populations, BetweenSayHowManyHostsOrRunsWouldDecide) {
  PopulationStore a("a"), b("b");
  a.add_hosts(8, 100, 1, 0.2);
  b.add_hosts(8, 101, 1, 0.2);
  const PopulationComparison comparison = compare_populations(a.store(), b.store(), {});
  EXPECT_EQ(comparison.points[0].verdict, Equivalence::not_enough_data);
  ASSERT_TRUE(comparison.points[0].needed_units);
  EXPECT_GT(*comparison.points[0].needed_units, 8);
  EXPECT_THAT(reasons(comparison), HasSubstr("hosts on each side"));
  EXPECT_EQ(verdicts_of(comparison).verdict, Verdict::inconclusive);
}

/// Runs and points of a host are no further hosts.
TEST(Populations, OfFiveHostsAreNotEnoughHoweverOftenTheyWereMeasured) {
  PopulationStore a("a"), b("b");
  for (int host = 0; host < 5; ++host)
    for (int run = 0; run < 20; ++run)
      for (PopulationStore* store : {&a, &b})
        store->add_run((store == &a ? "a" : "b") + std::to_string(host), run,
                       {100 + 0.01 * host + 0.001 * run + (store == &a ? 0 : 1e-4)});
  const PopulationComparison comparison = compare_populations(a.store(), b.store(), {});
  EXPECT_FALSE(comparison.points[0].shift);
  EXPECT_THAT(reasons(comparison), HasSubstr("5 and 5 hosts: at least 6 on each side are needed"));
}

TEST(Populations, WithRacksCountRacks) {
  PopulationStore a("a"), b("b");
  a.add_hosts(12, 100);
  b.add_hosts(12, 100.2);
  PopulationRequest request{
      .places = {{.levels = {"rack"}, .of_host = {}}, {.levels = {"rack"}, .of_host = {}}}};
  for (int host = 0; host < 12; ++host) {
    request.places.a.of_host["a" + std::to_string(host)] = {"r" + std::to_string(host / 4)};
    request.places.b.of_host["b" + std::to_string(host)] = {"r" + std::to_string(host / 4)};
  }
  const PopulationComparison few = compare_populations(a.store(), b.store(), request);
  EXPECT_THAT(reasons(few), HasSubstr("3 and 3 racks: at least 6 on each side are needed"));
  EXPECT_EQ(verdicts_of(few).verdict, Verdict::inconclusive);
  request.places.b.levels = {"row"};
  EXPECT_THAT(refusal(a.store(), b.store(), request), HasSubstr("the levels of the baseline are rack"));
}

TEST(Populations, NeverPassWithPointsOnOneSideOrOfOtherMeaning) {
  PopulationStore a("a"), b("b"), c("c"), d("d");
  a.add_hosts(8, 100, 2);
  b.add_hosts(8, 100.1, 1);
  c.add_hosts(8, 100.2, 2, 0.002, [](PointRecord& record) { record.work_bytes = 128; });
  d.add_hosts(8, 100.3, 2, 0.002, [](PointRecord& record) {
    record.point.emplace_back("dtype", std::string("fp8"));
    record.key += ",dtype=fp8";
  });
  const PopulationComparison one_side = compare_populations(a.store(), b.store(), {});
  EXPECT_THAT(reasons(one_side), HasSubstr("memory.host.copy/n=1: only the baseline has it"));
  EXPECT_EQ(verdicts_of(one_side).verdict, Verdict::inconclusive);
  EXPECT_THAT(refusal(a.store(), c.store()), HasSubstr("it does not mean the same: bytes of an iteration"));
  EXPECT_THAT(refusal(a.store(), d.store()), HasSubstr("no point in common"));
}

TEST(Populations, NeverPassWithMissingDoubtfulOrFailedPoints) {
  PopulationStore a("a"), gap("b"), doubt("b"), failed("b");
  a.add_hosts(8, 100);
  gap.add_hosts(8, 100.1);
  gap.add_run("b8", 0, {100.1});
  EXPECT_THAT(reasons(compare_populations(a.store(), gap.store(), {})), HasSubstr("b8: 1 of 2 points"));
  EXPECT_EQ(verdict_with(a, gap), Verdict::inconclusive);
  doubt.add_hosts(8, 100.1);
  doubt.add_run("b8", 0, {100.1, 100.1}, [](PointRecord& record) {
    record.conditions.emplace_back("not_a_performance_measurement", std::string("a test"));
  });
  EXPECT_EQ(verdict_with(a, doubt), Verdict::inconclusive);
  failed.add_hosts(8, 100.1);
  failed.add_failed_run("b8", 0, 2);
  EXPECT_EQ(verdict_with(a, failed), Verdict::fail);
  EXPECT_EQ(verdict_with(failed, a), Verdict::inconclusive);
}

TEST(Populations, RefuseOneStoreTwiceACommonHostAndNothing) {
  PopulationStore a("a"), same("b"), empty("c");
  a.add_hosts(8, 100);
  same.add_hosts(8, 100);
  EXPECT_THAT(refusal(a.store(), a.store()), HasSubstr("are one store"));
  same.add_run("a3", 5, {100, 100});
  EXPECT_THAT(refusal(a.store(), same.store()), HasSubstr("host a3 is in both"));
  EXPECT_THAT(refusal(a.store(), empty.store()), HasSubstr("c.sqlite: nothing was measured"));
  EXPECT_THAT(refusal(a.store(), same.store(), {.margin = 2}), HasSubstr("margin 2: expected"));
}

TEST(Populations, OfCopiedTimesUnderOtherNamesNeverPass) {
  PopulationStore a("a"), b("b");
  for (int host = 0; host < 8; ++host) {
    const std::vector<double> times{100 + 0.01 * host, 50 + 0.02 * host, 20 + 0.03 * host, 10 + 0.005 * host};
    a.add_run("a" + std::to_string(host), 0, times);
    b.add_run("b" + std::to_string(host), 0, times);
  }
  EXPECT_THAT(reasons(compare_populations(a.store(), b.store(), {})),
              HasSubstr("one measurement under two names"));
}

TEST(Populations, InAMixAreWeighted) {
  PopulationStore a("a"), b("b");
  for (int host = 0; host < 8; ++host) {
    a.add_run("a" + std::to_string(host), 0, {100 + 0.011 * host, 100 + 0.02 * host});
    b.add_run("b" + std::to_string(host), 0, {110 + 0.012 * host, 90 + 0.021 * host});
  }
  PopulationRequest request;
  request.mix = {.name = "step", .file = "step.toml", .weights = {{"*n=0", 1.0}, {"*n=1", 3.0}}};
  const PopulationComparison comparison = compare_populations(a.store(), b.store(), request);
  ASSERT_TRUE(comparison.mixed && comparison.mixed->shift);
  EXPECT_NEAR(comparison.mixed->shift->shift, 0.25 * std::log(1.1) + 0.75 * std::log(0.9), 1e-3);
  EXPECT_EQ(comparison.mixed->verdict, Equivalence::lower);
  EXPECT_EQ(verdicts_of(comparison).verdict, Verdict::fail);  // a point is worse, whatever the mix
  EXPECT_THAT(to_table(comparison).notes,
              Contains(HasSubstr("Mix step (step.toml): *n=0 1, *n=1 3; better")));
}

/// Four hosts that ran as ranks of one run are one measurement.
TEST(Populations, OfTeamsCountTeams) {
  PopulationStore a("a"), b("b");
  const auto of_ranks = [](PointRecord& record) { record.conditions.emplace_back("ranks", std::int64_t{4}); };
  for (PopulationStore* store : {&a, &b})
    for (int host = 0; host < 12; ++host) {
      const std::string name = (store == &a ? "a" : "b") + std::to_string(host);
      store->add_run(name, 0, {100 + 0.01 * host + (store == &a ? 0 : 1e-3)}, of_ranks,
                     fmt::format("{}{}.rank{}", store == &a ? "a" : "b", host / 4, host % 4));
    }
  const PopulationComparison comparison = compare_populations(a.store(), b.store(), {});
  EXPECT_EQ(comparison.points[0].values_of_a, 3);
  EXPECT_THAT(reasons(comparison), HasSubstr("3 and 3 teams: at least 6 on each side are needed"));
}

TEST(Populations, HolmAdjustsInOrder) {
  EXPECT_THAT(holm({0.01, 0.04, 0.03, 0.005}), ElementsAre(testing::DoubleEq(0.03), testing::DoubleEq(0.06),
                                                           testing::DoubleEq(0.06), testing::DoubleEq(0.02)));
}

/// Links of one host share it: a complete graph of 12 hosts has 66 links, and 6 that are independent.
TEST(Populations, OfLinksCountThoseThatShareNoHost) {
  std::map<std::string, double> links;
  for (int one = 10; one < 22; ++one)
    for (int other = one + 1; other < 22; ++other)
      links[link_name({.host = "h" + std::to_string(one), .rail = ""},
                      {.host = "h" + std::to_string(other), .rail = ""})] = 0.001 * one;
  const PopulationShift shift = population_shift(links, links, "link", {});
  EXPECT_EQ(shift.a.size(), 6U);
  EXPECT_TRUE(shift.shift);
}

}  // namespace
}  // namespace assay::results
