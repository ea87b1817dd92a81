// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/statistics/dose.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"

namespace assay::results {
namespace {

using core::tests::message_of;
using testing::HasSubstr;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(RateBelow, FollowsTheRuleOfThreeWithoutErrors) {
  EXPECT_NEAR(rate_below(3e15, 0), 9.98577e-16, 1e-20);  // -ln(0.05) / 3e15
  EXPECT_NEAR(rate_below(1e12, 1), 4.743864518e-12, 1e-20);
  EXPECT_EQ(rate_below(1, 0), 1);
  EXPECT_THROW(rate_below(0, 0), core::Error);
  EXPECT_THROW(rate_below(1e12, -1), core::Error);
}

TEST(MtbfAbove, HasTheFactorsOfTheChiSquareTable) {   // 2 T / chi-square(0.95; 2 r + 2) for T = 1
  EXPECT_NEAR(mtbf_above_h(1, 0), 0.333808, 1e-6);    // 2 / 5.99146
  EXPECT_NEAR(mtbf_above_h(1, 1), 0.210799, 1e-6);    // 2 / 9.48773
  EXPECT_NEAR(mtbf_above_h(1, 5), 0.095120, 1e-6);    // 2 / 21.0261
  EXPECT_NEAR(mtbf_above_h(768, 0), 256.365, 0.001);  // 64 nodes for 12 h
  EXPECT_EQ(mtbf_above_h(0, 0), 0);
  EXPECT_THROW(mtbf_above_h(-1, 0), core::Error);
}

TEST(Rainflow, CountsTheExampleOfAstmE1049) {
  Rainflow rainflow;
  for (const double value : {-2, 1, -3, 5, -1, 3, -4, 4, -2}) rainflow.add(value);
  EXPECT_THAT(rainflow.cycles(), UnorderedElementsAre(Pair(3, 0.5), Pair(4, 0.5), Pair(4, 1), Pair(6, 0.5),
                                                      Pair(8, 0.5), Pair(8, 0.5), Pair(9, 0.5)));
  EXPECT_EQ(rainflow.cycles_of(4), 3.5);
  EXPECT_EQ(rainflow.cycles_of(10), 0);
}

TEST(Rainflow, PassesOverWhatIsNoReversal) {
  Rainflow rainflow;
  for (const double value : {30, 30, 45, 60, 60, 50, 30}) rainflow.add(value);
  EXPECT_THAT(rainflow.cycles(), UnorderedElementsAre(Pair(30, 0.5), Pair(30, 0.5)));
  EXPECT_EQ(rainflow.cycles_of(20), 1);
}

TimelineEntry entry(const std::string& kind, const std::string& unit, Scalar value, double at_s = 0) {
  return {"2026-11-21T02:30:00Z", at_s, kind, unit, std::move(value), {}};
}

TimelineEntry unknown(const std::string& kind, const std::string& unit, const std::string& why) {
  return {"2026-11-21T02:30:00Z", 0, kind, unit, entry_word::unknown, {{"why", why}}};
}

UnitDose dose_in(const std::vector<TimelineEntry>& timeline, DoseKind kind) {
  const auto doses = doses_of(timeline);
  const auto found = std::ranges::find_if(doses, [&](const UnitDose& dose) { return dose.kind == kind; });
  EXPECT_NE(found, doses.end());
  return found == doses.end() ? UnitDose{} : *found;
}

TEST(Doses, CountWhatCountersMovedWithinASession) {
  const UnitDose dose = dose_in(
      {entry("session", "", "began"), entry("energy_j", "GPU 0", 1000.0), entry("energy_j", "GPU 0", 1600.0),
       entry("energy_j", "GPU 0", 100.0),  // the driver was loaded again
       entry("energy_j", "GPU 0", 150.0), entry("session", "", "resumed"), entry("energy_j", "GPU 0", 9000.0),
       entry("energy_j", "GPU 0", 9010.0)},
      DoseKind::joules);
  EXPECT_EQ(dose.unit, "GPU 0");
  EXPECT_EQ(dose.amount, 660);
  EXPECT_EQ(describe(dose), "660 J");
}

TEST(Doses, OfALinkProveWhatItsBitsAndErrorsAllow) {
  const UnitDose dose =
      dose_in({entry("moved_bits", "mlx5_0/1", 0.0), entry("link_errors", "mlx5_0/1", std::int64_t{7}),
               entry("moved_bits", "mlx5_0/1", 3e15), entry("link_errors", "mlx5_0/1", std::int64_t{8})},
              DoseKind::bit_error_rate);
  EXPECT_EQ(dose.events, 1);
  EXPECT_EQ(describe(dose), "3e+15 bits, 1 error: rate below 1.6e-15 at 95 %");
  EXPECT_FALSE(reaches(dose, 1e-15));
  EXPECT_TRUE(reaches(dose, 1e-14));
}

TEST(Doses, OfALinkProveNothingWhereErrorsCouldNotBeCounted) {
  const auto full = dose_in(
      {entry("moved_bits", "mlx5_0/1", 0.0), entry("link_errors", "mlx5_0/1", 0.0),
       entry("moved_bits", "mlx5_0/1", 3e15), unknown("link_errors", "mlx5_0/1", "symbol_error is full")},
      DoseKind::bit_error_rate);
  EXPECT_FALSE(full.proven());
  EXPECT_THAT(describe(full), HasSubstr("symbol_error is full"));
  EXPECT_FALSE(reaches(full, 0.5));
  const auto none = dose_in({entry("moved_bits", "rxe0/1", 0.0), entry("moved_bits", "rxe0/1", 3e15)},
                            DoseKind::bit_error_rate);
  EXPECT_THAT(describe(none), HasSubstr("no counter of errors"));
}

TEST(Doses, OfALinkWhoseErrorsWereResetCountThemAndProveNothing) {
  const auto dose =
      dose_in({entry("moved_bits", "mlx5_0/1", 0.0), entry("link_errors", "mlx5_0/1", std::int64_t{10}),
               entry("moved_bits", "mlx5_0/1", 3e15), entry("link_errors", "mlx5_0/1", std::int64_t{7})},
              DoseKind::bit_error_rate);
  EXPECT_EQ(dose.events, 7);
  EXPECT_FALSE(dose.proven());
  EXPECT_THAT(describe(dose), HasSubstr("were reset"));
}

TEST(Doses, ThatAreUnknownAreNeverZero) {
  const UnitDose energy = dose_in({unknown("energy_j", "host", "needs root")}, DoseKind::joules);
  EXPECT_FALSE(energy.amount);
  EXPECT_EQ(describe(energy), "unknown: needs root");
  const UnitDose heat = dose_in({unknown("temperature_c", "GPU 1", "lost")}, DoseKind::thermal_cycles);
  EXPECT_FALSE(heat.amount);
}

TEST(Doses, OfAReadingWithoutAReasonProveNothing) {
  for (const char* word : {"unknown", "", "lost"}) {
    const auto dose =
        dose_in({entry("moved_bits", "mlx5_0/1", 0.0), entry("link_errors", "mlx5_0/1", 0.0),
                 entry("moved_bits", "mlx5_0/1", 3e15), entry("link_errors", "mlx5_0/1", std::string(word))},
                DoseKind::bit_error_rate);
    EXPECT_FALSE(dose.proven()) << word;
    EXPECT_THAT(describe(dose), HasSubstr("no reason is given"));
  }
}

TEST(Doses, OfATimelineOfAnEarlierVersionAreThoseOfToday) {
  const auto dose_of = [](const std::string& value) {
    const auto read =
        timeline_entry_from(R"({"time":"t","at_s":1,"kind":"energy_j","unit":"host",)" + value + "}");
    return read ? describe(dose_in({*read}, DoseKind::joules)) : "not read";
  };
  EXPECT_EQ(dose_of(R"("value":"unknown","why":"needs root")"), "unknown: needs root");
  EXPECT_EQ(dose_of(R"("value":"unknown: needs root")"), "unknown: needs root");
  EXPECT_EQ(dose_of(R"("value":"not told: needs root")"), "unknown: needs root");
}

TEST(Doses, CountVerifiedBytesAndCorruptions) {
  TimelineEntry bad = entry("verified_bytes", "host", 1e12);
  bad.more = {{"corruptions", std::int64_t{1}}};
  const UnitDose dose = dose_in({entry("verified_bytes", "host", 2e12), bad}, DoseKind::corruption_per_byte);
  EXPECT_EQ(describe(dose), "3e+12 bytes verified, 1 corruption: rate below 1.6e-12 at 95 %");
}

TEST(Doses, OfTimeCountEveryFailureOnce) {
  TimelineEntry finding = entry("finding", "mlx5_4/1", "failed", 3600);
  finding.more = {{"check", "rdma.port_state"}};
  TimelineEntry module = entry("module", "memory", "ended", 36000);
  module.more = {{"bad", std::int64_t{2}}};
  const UnitDose dose = dose_in({finding, finding, module}, DoseKind::mtbf_h);
  EXPECT_EQ(dose.events, 3);
  EXPECT_EQ(describe(dose), "10 node-hours, 3 failures: MTBF above 1.29 h at 95 %");  // 10 / 7.7537
}

TEST(Missing, NamesUnitsThatFallShortAndTargetsNobodyTellsOf) {
  const std::vector<UnitDose> doses{{DoseKind::joules, "GPU 0 0000:1b:00.0", 5e6},
                                    {DoseKind::joules, "GPU 1 0000:2b:00.0", 1e6},
                                    {DoseKind::joules, "host package 0", {}, 0, "needs root"}};
  const auto lacks = missing(doses, {{DoseKind::joules, 2e6}, {DoseKind::thermal_cycles, 3}});
  ASSERT_EQ(lacks.size(), 2U);
  EXPECT_EQ(lacks[0].unit, "GPU 1 0000:2b:00.0");
  EXPECT_EQ(lacks[1].kind, DoseKind::thermal_cycles);
  EXPECT_EQ(lacks[1].why, "no unit reported it");
}

TEST(Refuted, IsATargetThatHalfOfTheEventsWouldMiss) {
  const UnitDose link{DoseKind::bit_error_rate, "mlx5_0/1", 1e15, 20};
  EXPECT_TRUE(is_refuted(link, 1e-15));
  EXPECT_FALSE(is_refuted(link, 1.1e-14)) << "more bits may still prove it";
  EXPECT_FALSE(is_refuted({DoseKind::bit_error_rate, "mlx5_0/1", 1e15, 19}, 1e-15)) << "too few to say so";
  EXPECT_TRUE(is_refuted({DoseKind::mtbf_h, "node", 10, 20}, 2));
  EXPECT_FALSE(is_refuted({DoseKind::mtbf_h, "node", 10, 20}, 0.9));
  EXPECT_FALSE(is_refuted({DoseKind::bit_error_rate, "mlx5_0/1", {}, 20, "full"}, 1e-15));
}

TEST(DoseTargets, AreReadFromWordsAndKept) {
  const DoseTargets targets = read_dose_targets("bit_error_rate=1e-15,joules=2e7,thermal_cycles=10");
  EXPECT_EQ(targets,
            (DoseTargets{
                {DoseKind::bit_error_rate, 1e-15}, {DoseKind::joules, 2e7}, {DoseKind::thermal_cycles, 10}}));
  EXPECT_EQ(read_dose_targets(to_text(targets)), targets);
}

TEST(DoseTargets, RefuseWhatIsNoDoseInOneLine) {
  const auto said = [](const std::string& text) { return message_of([&] { read_dose_targets(text); }); };
  EXPECT_THAT(said("bits=1e15"), HasSubstr("--dose bits: unknown key (expected bit_error_rate, "));
  EXPECT_THAT(said("joules=many"), HasSubstr("--dose 'joules=many'"));
  EXPECT_THAT(said("joules=-1"), HasSubstr("--dose joules: expected a number above 0"));
  EXPECT_THAT(said("joules='3'"), HasSubstr("--dose joules: expected a number above 0"));
  EXPECT_THAT(said("bit_error_rate=2"), HasSubstr("expected a number above 0 and below 1"));
  EXPECT_THAT(said("dose-that-is-not-there.toml"), HasSubstr("no such file, and no dose"));
}

}  // namespace
}  // namespace assay::results
