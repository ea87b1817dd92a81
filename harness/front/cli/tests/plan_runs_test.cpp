// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// `assay plan-runs`: from flags and from a store, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

#include "harness/core/tests/temporary_folder.hpp"
#include "harness/front/cli/tests/said.hpp"
#include "results/tests/small_fleet.hpp"

namespace assay::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(PlanRunsCommand, SaysRoundsMinutesAndTheSharesBehindThem) {
  const core::tests::TemporaryFolder folder;
  const tests::Said said = tests::assay_in(
      folder.path().string(),
      "plan-runs --fleet 8 --gpus 2 --points 3 --noise 0.4% --margin 3% --minutes 12 --simulated 10");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, AllOf(HasSubstr("(simulated)"), HasSubstr("minutes) decide in 90 % of fleets"),
                               HasSubstr("one gpu that is 6 % slow in one point fails"),
                               HasSubstr("8 hosts of 2 gpus, 3 points, noise of a round 0.4 %")));
}

TEST(PlanRunsCommand, EndsWithInconclusiveWhereNoNumberDecides) {
  const tests::Said said = tests::assay_in(
      "/", "plan-runs --fleet 8 --gpus 1 --points 1 --noise 20% --most-rounds 4 --simulated 10");
  EXPECT_EQ(said.exit_code, 3) << said.text;
  EXPECT_THAT(said.text, HasSubstr("No number up to 4 rounds decides"));
}

TEST(PlanRunsCommand, TakesHostsPointsAndNoiseFromAStore) {
  const core::tests::TemporaryFolder folder;
  results::test::put_small_fleet(folder.place("fleet.sqlite"));
  const tests::Said said = tests::assay_in(folder.path().string(),
                                           "plan-runs --from-store fleet.sqlite --margin 3% --simulated 10");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, HasSubstr("10 hosts, 4 points, noise of a round 0."));
}

TEST(PlanRunsCommand, IsAskedByACampaignsDryRunForItsOwnNodes) {
  const core::tests::TemporaryFolder folder;
  results::test::put_small_fleet(folder.place("fleet.sqlite"));
  const std::string campaign = "campaign acceptance --nodes a,b,c,d,e,f,g,h,i,j,k,l --margin 3% ";
  const tests::Said said =
      tests::assay_in(folder.path().string(), campaign + "--dry-run --first-rounds fleet.sqlite");
  EXPECT_EQ(said.exit_code, 0) << said.text;
  EXPECT_THAT(said.text, AllOf(HasSubstr("first verdict after at most"), HasSubstr("minutes) decide in 90 %"),
                               HasSubstr("12 hosts, 4 points")));
  const tests::Said real = tests::assay_in(folder.path().string(), campaign + "--first-rounds fleet.sqlite");
  EXPECT_EQ(real.exit_code, 2) << real.text;
  EXPECT_THAT(real.text, HasSubstr("--dry-run"));
}

TEST(PlanRunsCommand, RefusesWhatCannotBePlannedInOneLine) {
  constexpr std::array<std::pair<const char*, const char*>, 4> refused{
      {{"plan-runs", "expected --fleet and --noise, or --from-store"},
       {"plan-runs --fleet 16 --noise much", "--noise much"},
       {"plan-runs --fleet 16 --noise 1% --margin 3% --loss 2%", "a loss of 2 % is within the margin of 3 %"},
       {"plan-runs --fleet 4 --noise 1%", "--fleet"}}};
  for (const auto& [words, why] : refused) {
    const tests::Said said = tests::assay_in("/", words);
    EXPECT_EQ(said.exit_code, 2) << said.text;
    EXPECT_THAT(said.text, HasSubstr(why));
  }
}

}  // namespace
}  // namespace assay::cli
