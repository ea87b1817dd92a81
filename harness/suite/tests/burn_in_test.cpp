// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whole burn-ins of rooms with fake cases, with a clock and health checks that the test decides.
#include "harness/suite/burn_in.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/suite/tests/campaign_fixture.hpp"

namespace assay::suite {
namespace {

namespace fs = std::filesystem;
using core::tests::message_of;
using health::Finding;
using health::Status;
using results::Verdict;
using results::VerdictRow;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* sound = "['memory.fake.corruption', 'memory.fake.corruption_self_test']";
constexpr const char* sound_of_two =
    "['memory.fake.corruption', 'memory.fake.corruption_self_test', 'gemm.fake.corruption']";

Finding finding(Status status, const std::string& check = "rdma.port_state",
                const std::string& unit = "mlx5_4/1") {
  return {.check = check,
          .unit = unit,
          .status = status,
          .evidence = status == Status::passed ? "ACTIVE" : "DOWN",
          .meaning = "the link is down",
          .action = status == Status::passed ? health::Action::none : health::Action::drain};
}

class BurnInTest : public tests::CampaignTest {
 protected:
  /// Rooms of fake cases under these names.
  void SetUp() override {
    CampaignTest::SetUp();
    fs::create_directories(folder_ / "rooms");
    for (const char* name : {"memory", "gemm"})
      fs::create_symlink(room(), folder_ / "rooms" / (std::string("assay-") + name));
  }
  BurnInOptions asked(const std::string& cases, std::int64_t rounds = 1) const {
    BurnInOptions wanted{.campaign = options(plan(cases)), .end = {.rounds = rounds}, .check_every_s = 1e9};
    wanted.campaign.run_id = "b";
    wanted.campaign.slack_s = 60;  // nothing hangs but what is asked to, however busy the machine
    wanted.campaign.rooms_folder = folder_ / "rooms";
    return wanted;
  }
  BurnInOptions resumed() const {
    BurnInOptions wanted = asked(sound);
    wanted.end = {};
    wanted.campaign.plan.clear();
    wanted.campaign.run_id.clear();
    wanted.campaign.resume = true;
    return wanted;
  }
  /// A second passes with each look at the clock.
  BurnInOutcome burn(const BurnInOptions& wanted) {
    std::ostringstream out;
    const BurnInSurroundings surroundings{.now_s = [this] { return static_cast<double>(++seconds_); },
                                          .check = [this] { return check_(++looks_); }};
    const BurnInOutcome outcome = run_burn_in(wanted, surroundings, signals_, out);
    said_ = out.str();
    return outcome;
  }
  static VerdictRow row(const BurnInOutcome& outcome, const std::string& metric) {
    for (const VerdictRow& row : outcome.verdicts.rows)
      if (row.metric == metric) return row;
    ADD_FAILURE() << "no row " << metric;
    return {};
  }
  static double amount(const BurnInOutcome& outcome, results::DoseKind kind) {
    for (const results::UnitDose& dose : outcome.doses)
      if (dose.kind == kind) return dose.amount.value_or(-1);
    return -1;
  }
  std::vector<std::string> journals(const BurnInOutcome& outcome) const {
    std::vector<std::string> names;
    for (const fs::path& journal : outcome.journals) names.push_back(journal.filename().string());
    return names;
  }

  std::atomic<int> seconds_{0}, looks_{0};
  std::function<std::vector<Finding>(int look)> check_ = [](int) {
    return std::vector{finding(Status::passed)};
  };
  std::string said_;
};

TEST_F(BurnInTest, PassesWhereEveryRoundIsSoundAndPlantedCorruptionIsCaught) {
  const BurnInOutcome outcome = burn(asked(sound, 2));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(journals(outcome), ElementsAre("r0001-turn.jsonl", "r0002-turn.jsonl"));
  EXPECT_EQ(row(outcome, "points").because, "8 points in 2 rounds");
  EXPECT_EQ(row(outcome, "memory.fake.corruption_self_test").because,
            "planted corruption was caught in 2 points");
  EXPECT_EQ(row(outcome, "health").because, "1 checks passed, 8 times");
  EXPECT_EQ(amount(outcome, results::DoseKind::corruption_per_byte), 4e6);
  EXPECT_THAT(said_, HasSubstr("round 2 turn ended"));
}

TEST_F(BurnInTest, EverySecondRoundHasTwoRoomsAtOnceAndItsRecordsSaySo) {
  const BurnInOutcome outcome = burn(asked(sound_of_two, 2));
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(journals(outcome),
              ElementsAre("r0001-turn.jsonl", "r0002-together-gemm.jsonl", "r0002-together-memory.jsonl"));
  const auto contexts = contexts_of(outcome.journals[1]);
  ASSERT_EQ(contexts.size(), 1U);
  EXPECT_EQ(contexts[0].run_id, "b-r0002-together-gemm");
  EXPECT_EQ(contexts[0].environment.at("ASSAY_BURN_IN"), "b round 2 together");
  EXPECT_EQ(amount(outcome, results::DoseKind::corruption_per_byte), 8e6);
}

TEST_F(BurnInTest, WithoutASelfTestOfTheProbeIsNoPass) {
  const BurnInOutcome outcome = burn(asked("'memory.fake.corruption'"));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(row(outcome, "*.corruption_self_test").verdict, Verdict::not_run);
}

TEST_F(BurnInTest, ThatMeasuredNothingIsNoPass) {
  const BurnInOutcome outcome = burn(asked("'memory.fake.unsupported'"));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(row(outcome, "points").because, HasSubstr("nothing was measured (2 points unsupported)"));
}

TEST_F(BurnInTest, FailsWithARoomThatGivesWrongResults) {
  const BurnInOutcome outcome = burn(asked("['memory.fake.wrong', 'memory.fake.corruption_self_test']"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(row(outcome, "points").evidence,
              ElementsAre(HasSubstr("round 1 turn: memory.fake.wrong/n=1 wrong: element 3")));
  EXPECT_EQ(outcome.verdicts.verdict, Verdict::fail);
}

TEST_F(BurnInTest, GoesOnAfterARoomThatHangsAndFails) {
  BurnInOptions wanted =
      asked("['memory.fake.hangs', 'memory.fake.corruption_self_test', 'gemm.fake.steady']");
  wanted.campaign.axes = {"n=1"};
  wanted.campaign.slack_s = 1;
  const BurnInOutcome outcome = burn(wanted);
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(outcome.verdicts.rows[0].evidence,
              ElementsAre(HasSubstr("memory.fake.hangs/n=1 timeout: no answer for")));
  EXPECT_EQ(row(outcome, "memory.fake.corruption_self_test").verdict, Verdict::pass);
  const auto gemm =
      std::ranges::find_if(outcome.verdicts.rows, [](const VerdictRow& one) { return one.unit == "gemm"; });
  ASSERT_NE(gemm, outcome.verdicts.rows.end());
  EXPECT_EQ(gemm->verdict, Verdict::pass);
}

TEST_F(BurnInTest, AFindingNamesTheRoundAndTheRoomItAppearedInAndStays) {
  check_ = [](int look) { return std::vector{finding(look == 3 ? Status::failed : Status::passed)}; };
  const BurnInOutcome outcome = burn(asked(sound, 2));
  EXPECT_EQ(outcome.exit_code, 1);
  const VerdictRow failed = row(outcome, "rdma.port_state");
  EXPECT_EQ(failed.unit, "mlx5_4/1");
  EXPECT_EQ(failed.kind, "link");
  EXPECT_THAT(failed.evidence, ElementsAre("round 1 turn, memory, after memory"));
  EXPECT_EQ(failed.action, "drain");
  const auto points = points_of(outcome.journals[0]);
  const auto& record = points.at("burn_in.health/round=1,room=memory,check=rdma.port_state,unit=mlx5_4/1");
  EXPECT_EQ(record.status, results::Status::failed);
  EXPECT_EQ(record.reason, "rdma.port_state mlx5_4/1: DOWN");
  EXPECT_EQ(amount(outcome, results::DoseKind::mtbf_h), outcome.doses.back().amount);
  EXPECT_EQ(outcome.doses.back().events, 1);
}

TEST_F(BurnInTest, AHealthCheckWithoutAnAnswerIsNoPass) {
  check_ = [](int) -> std::vector<Finding> {
    throw core::Error(core::ErrorKind::system, "the health check gave no answer: none within 120 s");
  };
  const BurnInOutcome outcome = burn(asked(sound));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(row(outcome, "burn_in.health").because, HasSubstr("not told: the health check gave no answer"));
}

TEST_F(BurnInTest, ChecksBetweenPointsWhereItIsDue) {
  BurnInOptions wanted = asked(sound);
  wanted.check_every_s = 0;
  burn(wanted);
  EXPECT_GT(looks_, 4);  // before and after round and room, and before four points
}

TEST_F(BurnInTest, EndsAfterThePointWhenItsTimeIsOver) {
  check_ = [this](int look) {
    if (look == 6) seconds_ += 1000;  // before the room of round 2
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

TEST_F(BurnInTest, AnInterruptKeepsEverythingAndAResumeCountsTheDoseOn) {
  check_ = [this](int look) {
    if (look == 6) ++signals_;  // before the room of round 2
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

/// As a kill leaves it after the points of round 2 were measured and before anybody told of them.
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

TEST_F(BurnInTest, AKilledBurnInIsResumedWithWhatItsRoomsHadWritten) {
  const BurnInOutcome whole = burn(asked(sound, 2));
  forget_since_points_of_round_2(whole.timeline);
  const BurnInOutcome again = burn(resumed());
  EXPECT_EQ(again.exit_code, 0);
  EXPECT_EQ(amount(again, results::DoseKind::corruption_per_byte), 4e6);
  EXPECT_EQ(contexts_of(again.journals[1]).size(), 1U);  // its points were there: the room was not started
}

TEST_F(BurnInTest, AFailureThatAKilledBurnInHadMeasuredIsNotLostWhereItsTimeIsOver) {
  BurnInOptions wanted = asked("['memory.fake.corruption*', 'memory.fake.wrong']", 2);
  const BurnInOutcome whole = burn(wanted);
  forget_since_points_of_round_2(whole.timeline);
  wanted = resumed();
  wanted.end = {.for_s = 1};
  const BurnInOutcome again = burn(wanted);
  EXPECT_EQ(row(again, "points").because, "4 of 12 points failed");
  EXPECT_EQ(amount(again, results::DoseKind::corruption_per_byte), 4e6);
}

TEST_F(BurnInTest, EndsWhenItsDoseIsReached) {
  BurnInOptions wanted = asked(sound);
  wanted.end = {.dose = {{results::DoseKind::corruption_per_byte, 1e-6}}};  // 3e6 bytes: two rounds
  const BurnInOutcome outcome = burn(wanted);
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.journals.size(), 2U);
  EXPECT_EQ(row(outcome, "corruption_per_byte").because,
            "4e+06 bytes verified, no corruption: rate below 7.5e-07 at 95 %");
}

TEST_F(BurnInTest, EndsWithoutAPassWhereTheDoseDoesNotGrow) {
  BurnInOptions wanted = asked(sound);
  wanted.end = {.dose = {{results::DoseKind::joules, 1}}};
  const BurnInOutcome outcome = burn(wanted);
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(outcome.journals.size(), 3U);
  EXPECT_THAT(said_, HasSubstr("the dose no longer grows"));
  EXPECT_EQ(row(outcome, "joules").because, "no unit told of it");
}

TEST_F(BurnInTest, RefusesBadInputBeforeAnythingRuns) {
  BurnInOptions wanted = asked(sound);
  wanted.end = {};
  EXPECT_THAT(message_of([&] { burn(wanted); }), HasSubstr("expected --for TIME, --dose DOSE or --rounds N"));
  EXPECT_THAT(message_of([&] { burn(resumed()); }), HasSubstr("no burn-in to resume"));
  wanted = asked("'memroy.*'");
  EXPECT_THAT(message_of([&] { burn(wanted); }), HasSubstr("names no room"));
  wanted = asked(sound);
  wanted.campaign.filters = {"nothing.like.this"};
  EXPECT_THAT(message_of([&] { burn(wanted); }), HasSubstr("nothing to run"));
  EXPECT_FALSE(fs::exists(folder_ / "runs/b/timeline.jsonl"));
  burn(asked(sound));
  EXPECT_THAT(message_of([&] { burn(asked(sound)); }), HasSubstr("this burn-in exists (expected --resume"));
}

}  // namespace
}  // namespace assay::suite
