// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The end of a burn-in: by time, by dose, by an interrupt or a kill, and what a resume makes of it.
#include <gmock/gmock.h>

#include <algorithm>

#include "harness/front/suite/burn_in/burn_in.hpp"
#include "harness/front/suite/tests/burn_in_fixture.hpp"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;
using health::Status;
using results::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using tests::finding;
using tests::sound;

class BurnInEnds : public tests::BurnInTest {
 protected:
  /// With each look, as the sampler would write it.
  void reads(const std::string& kind, const results::Scalar& value, const results::Fields& more = {}) {
    check_ = [this, kind, value, more](int) {
      results::TimelineWriter(folder_ / "runs/b/timeline.jsonl")
          .write({"2026-11-21T02:30:00Z", 1, kind, "GPU 0", value, more});
      return std::vector{finding(Status::passed)};
    };
  }
};

TEST_F(BurnInEnds, EndsAfterThePointWhenItsTimeIsOver) {
  check_ = [this](int look) {
    if (look == 6) seconds_ += 1000;  // before the module of round 2
    return std::vector{finding(Status::passed)};
  };
  BurnInOptions wanted = asked(sound);
  wanted.end = {.for_s = 1000};
  const BurnInOutcome outcome = burn(wanted);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.journals.size(), 2U);
  const auto timeline = results::read_timeline(outcome.timeline).entries;
  EXPECT_EQ(timeline.back().text("round_kind"), "turn");
  EXPECT_EQ(timeline.back().word(), "cut");
  EXPECT_GE(timeline.back().at_s, 1000);
  EXPECT_LE(amount(outcome, results::DoseKind::corruption_per_byte), 3e6);  // at most one point of round 2
}

TEST_F(BurnInEnds, AnInterruptKeepsEverythingAndAResumeCountsTheDoseOn) {
  check_ = [this](int look) {
    if (look == 6) ++signals_;  // before the module of round 2
    return std::vector{finding(Status::passed)};
  };
  const BurnInOutcome first = burn(asked(sound, 3));
  EXPECT_EQ(first.exit_code, 4);
  EXPECT_EQ(amount(first, results::DoseKind::corruption_per_byte), 2e6);
  signals_ = 0;
  check_ = [](int) { return std::vector{finding(Status::passed)}; };
  const BurnInOutcome second = burn(resumed());
  EXPECT_EQ(second.exit_code, 0);
  EXPECT_EQ(second.id, "b");
  EXPECT_EQ(second.journals.size(), 3U);
  EXPECT_EQ(amount(second, results::DoseKind::corruption_per_byte), 6e6);
  EXPECT_GT(amount(second, results::DoseKind::mtbf_h), amount(first, results::DoseKind::mtbf_h));
}

/// As a kill leaves it after the points of round 2 were measured and before any session reported them.
void forget_since_points_of_round_2(const fs::path& file) {
  auto timeline = results::read_timeline(file).entries;
  const auto killed_at = std::ranges::find_if(timeline, [](const results::TimelineEntry& entry) {
    return entry.kind == "verified_bytes" && entry.count("round") == 2;
  });
  timeline.erase(killed_at, timeline.end());
  std::ofstream stream(file, std::ios::trunc);
  for (const results::TimelineEntry& entry : timeline) stream << to_line(entry);
  stream << R"({"time":"2026-11-21T02:30:)";
}

TEST_F(BurnInEnds, AKilledBurnInIsResumedWithWhatItsModulesHadWritten) {
  const BurnInOutcome whole = burn(asked(sound, 2));
  forget_since_points_of_round_2(whole.timeline);
  const BurnInOutcome again = burn(resumed());
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(amount(again, results::DoseKind::corruption_per_byte), 4e6);
  EXPECT_EQ(contexts_of(again.journals[1]).size(), 1U);  // its points were there: the module was not started
}

TEST_F(BurnInEnds, AFailureThatAKilledBurnInHadMeasuredIsNotLostWhereItsTimeIsOver) {
  BurnInOptions wanted = asked("['memory.fake.corruption*', 'memory.fake.wrong']", 2);
  const BurnInOutcome whole = burn(wanted);
  forget_since_points_of_round_2(whole.timeline);
  wanted = resumed();
  wanted.end = {.for_s = 1};
  const BurnInOutcome again = burn(wanted);
  EXPECT_EQ(row(again, "points").because, "4 of 12 points failed");
  EXPECT_EQ(amount(again, results::DoseKind::corruption_per_byte), 4e6);
}

TEST_F(BurnInEnds, EndsWhenItsDoseIsReached) {
  BurnInOptions wanted = asked(sound);
  wanted.end = {.dose = {{results::DoseKind::corruption_per_byte, 1e-6}}};  // 3e6 bytes: two rounds
  const BurnInOutcome outcome = burn(wanted);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.journals.size(), 2U);
  EXPECT_EQ(row(outcome, "corruption_per_byte").because,
            "4e+06 bytes verified, no corruption: rate below 7.5e-07 at 95 %");
}

TEST_F(BurnInEnds, EndsWithoutAPassWhereNoUnitTellsOfTheDose) {
  BurnInOptions wanted = asked(sound);
  wanted.end = {.dose = {{results::DoseKind::joules, 1}}};
  const BurnInOutcome outcome = burn(wanted);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.journals.size(), 1U);
  EXPECT_THAT(said_, HasSubstr("joules will not be reached here: no unit reported it"));
  EXPECT_EQ(row(outcome, "joules").because, "no unit reported it");
}

TEST_F(BurnInEnds, EndsWithoutAPassWhereNobodyCouldReadTheDose) {
  reads("energy_j", results::entry_word::unknown, {{"why", "no counter"}});
  BurnInOptions wanted = asked(sound);
  wanted.end = {.dose = {{results::DoseKind::joules, 1}}};
  const BurnInOutcome outcome = burn(wanted);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.journals.size(), 1U);
  EXPECT_THAT(said_, HasSubstr("GPU 0 joules will not be reached here: unknown: no counter"));
}

TEST_F(BurnInEnds, EndsWithoutAPassWhereADoseStandsStill) {
  reads("temperature_c", 50.0);
  BurnInOptions wanted = asked(sound);
  wanted.end = {.dose = {{results::DoseKind::thermal_cycles, 1}}};
  const BurnInOutcome outcome = burn(wanted);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.journals.size(), 3U);
  EXPECT_THAT(said_, HasSubstr("GPU 0 thermal_cycles will not be reached here: 0 cycles"));
}

TEST_F(BurnInEnds, AnInterruptedResumeKeepsTheVerdictsOfBefore) {
  EXPECT_EQ(burn(asked("['memory.fake.wrong', 'memory.fake.corruption_self_test']")).exit_code, 1);
  signals_ = 1;
  const BurnInOutcome again = burn(resumed());
  EXPECT_EQ(again.exit_code, 4);
  EXPECT_EQ(again.verdicts.verdict, Verdict::fail);
  EXPECT_EQ(row(again, "points").because, "2 of 4 points failed");
}

void damage_line(const fs::path& file, int number) {
  std::ifstream before(file);
  std::string all;
  int at = 0;
  for (std::string line; std::getline(before, line);) all += (++at == number ? line.substr(9) : line) + "\n";
  std::ofstream(file, std::ios::trunc) << all;
}

TEST_F(BurnInEnds, ADamagedLineIsNoPassAndIsNamed) {
  const BurnInOutcome sound_one = burn(asked(sound));
  EXPECT_EQ(sound_one.exit_code, 0);
  damage_line(sound_one.timeline, 4);
  damage_line(sound_one.journals[0], 3);
  BurnInOptions wanted = resumed();
  wanted.end = {.rounds = 1};
  const BurnInOutcome again = burn(wanted);
  EXPECT_EQ(again.exit_code, 3);
  EXPECT_EQ(row(again, "timeline.jsonl").because, "line 4 is damaged");
  EXPECT_THAT(row(again, "timeline.jsonl").evidence, ElementsAre(again.timeline.string() + ":4"));
  EXPECT_THAT(row(again, "r0001-turn.jsonl").because, HasSubstr("line 3 is damaged: "));
}

}  // namespace
}  // namespace assay::suite
