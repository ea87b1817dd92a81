// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/links/measure_again.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "results/tests/synthetic/patterned_fleet.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre, testing::IsEmpty;

FleetAcceptance acceptance_of(const std::vector<Fleet>& rounds) {
  MeasuredFleet measured;
  measured.first = rounds.front();
  measured.again.assign(rounds.begin() + 1, rounds.end());
  return accept(std::move(measured), {});
}

/// Sixteen hosts, of which h5 takes `factor` as long in the rounds from `from` on.
FleetAcceptance where_h5(double factor, int from, int rounds) {
  return acceptance_of(test::patterned(
      16, rounds, [&](int host, int run) { return host == 5 && run >= from ? factor : 1.0; }));
}

TEST(MeasureAgain, LeavesDecidedHosts) {
  EXPECT_THAT(open_hosts_of(where_h5(1, 0, 4)), IsEmpty()) << "all pass";
  EXPECT_THAT(open_hosts_of(where_h5(1.25, 0, 4)), IsEmpty()) << "one fails";
}

TEST(MeasureAgain, TakesASuspect) { EXPECT_THAT(open_hosts_of(where_h5(1.25, 3, 4)), ElementsAre("h5")); }

TEST(MeasureAgain, TakesAHostWhoseSlowRunTheOthersClear) {
  const auto rounds =
      test::patterned(16, 8, [](int host, int run) { return host == 5 && run == 1 ? 1.1 : 1.0; });
  const FleetAcceptance acceptance = acceptance_of(rounds);
  EXPECT_EQ(acceptance.verdict(), Verdict::pass);
  EXPECT_THAT(open_hosts_of(acceptance), ElementsAre("h5"));
}

TEST(MeasureAgain, TakesAllHostsOfAPlace) {
  FleetAcceptance acceptance;
  Fleet& fleet = acceptance.measured.first;
  fleet.unit_level = "gpu", fleet.levels = {"host", "rail"};
  for (const char* host : {"h1", "h2", "h3"})
    for (const char* rail : {"0", "1"})
      fleet.units.push_back({std::string(host) + "/gpu" + rail, "x", {host, std::string("rail") + rail}});
  acceptance.judged.undecided = {{"gpu", "h2/gpu1"}};
  EXPECT_THAT(open_hosts_of(acceptance), ElementsAre("h2"));
  acceptance.judged.undecided = {{"host", "h3"}};
  EXPECT_THAT(open_hosts_of(acceptance), ElementsAre("h3"));
  acceptance.judged.undecided = {{"rail", "rail1"}};
  EXPECT_THAT(open_hosts_of(acceptance), ElementsAre("h1", "h2", "h3"));
  acceptance.judged.undecided = {};
  acceptance.judged.out_of_sight = {{"gpu", "h2/gpu1"}};
  EXPECT_THAT(open_hosts_of(acceptance), ElementsAre("h2"));
  acceptance.judged.out_of_sight.push_back({"gpu", "h1/gpu1"});
  EXPECT_THAT(open_hosts_of(acceptance), IsEmpty()) << "two thirds of the hosts are no chance";
}

TEST(MeasureAgain, TakesBothEndsOfALink) {
  FleetAcceptance acceptance;
  acceptance.measured.first.unit_level = "link";
  acceptance.measured.first.units = {{"h1/rail0 - h2/rail0", "x", {}}, {"h2/rail0 - h3/rail0", "x", {}}};
  acceptance.judged.undecided = {{"link", "h2/rail0 - h3/rail0"}};
  EXPECT_THAT(open_hosts_of(acceptance), ElementsAre("h2", "h3"));
}

TEST(MeasureAgain, HasPartnersForEachPairAndEnoughElse) {
  EXPECT_EQ(partners_of(0, true), 0U);
  EXPECT_EQ(partners_of(1, false), 3U);
  EXPECT_EQ(partners_of(5, false), 7U);
  EXPECT_EQ(partners_of(40, true), 42U);
  EXPECT_EQ(partners_of(40, false), 16U);
}

}  // namespace
}  // namespace assay::results
