// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Findings of a whole burn-in in its modules and in the health of the node.
#include "harness/front/suite/burn_in/burn_in.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "harness/core/error.hpp"
#include "harness/core/tests/message_of.hpp"
#include "harness/front/suite/tests/burn_in_fixture.hpp"

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
using tests::finding;
using tests::sound;
using tests::sound_of_two;

class BurnIn : public tests::BurnInTest {};

TEST_F(BurnIn, PassesWhereEveryRoundIsSoundAndPlantedCorruptionIsCaught) {
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

TEST_F(BurnIn, EverySecondRoundHasTwoModulesAtOnceAndItsRecordsSaySo) {
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

TEST_F(BurnIn, WithoutASelfTestOfTheProbeIsNoPass) {
  const BurnInOutcome outcome = burn(asked("'memory.fake.corruption'"));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(row(outcome, "*.corruption_self_test").verdict, Verdict::not_run);
}

TEST_F(BurnIn, ThatMeasuredNothingIsNoPass) {
  const BurnInOutcome outcome = burn(asked("'memory.fake.unsupported'"));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(row(outcome, "points").because, HasSubstr("nothing was measured (2 points unsupported)"));
}

TEST_F(BurnIn, FailsWithAModuleThatGivesWrongResults) {
  const BurnInOutcome outcome = burn(asked("['memory.fake.wrong', 'memory.fake.corruption_self_test']"));
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_THAT(row(outcome, "points").evidence,
              ElementsAre(HasSubstr("round 1 turn: memory.fake.wrong/n=1 wrong: element 3")));
  EXPECT_EQ(outcome.verdicts.verdict, Verdict::fail);
}

TEST_F(BurnIn, GoesOnAfterAModuleThatHangsAndFails) {
  BurnInOptions wanted =
      asked("['memory.fake.hangs', 'memory.fake.corruption_self_test', 'gemm.fake.steady']");
  wanted.run.axes = {"n=1"};
  wanted.run.slack_s = 4;
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

TEST_F(BurnIn, AFindingNamesTheRoundAndTheModuleItAppearedInAndStays) {
  check_ = [](int look) { return std::vector{finding(look == 3 ? Status::failed : Status::passed)}; };
  const BurnInOutcome outcome = burn(asked(sound, 2));
  EXPECT_EQ(outcome.exit_code, 1);
  const VerdictRow failed = row(outcome, "rdma.port_state");
  EXPECT_EQ(failed.unit, "mlx5_4/1");
  EXPECT_EQ(failed.kind, "link");
  EXPECT_THAT(failed.evidence, ElementsAre("round 1 turn, memory, after memory",
                                           "ran: memory.fake.corruption n=1; memory.fake.corruption n=2; "
                                           "memory.fake.corruption_self_test n=1; and 1 more"));
  EXPECT_EQ(failed.action, results::Action::drain);
  const auto points = points_of(outcome.journals[0]);
  const auto& record = points.at("burn_in.health/round=1,module=memory,check=rdma.port_state,unit=mlx5_4/1");
  EXPECT_EQ(record.status, results::Status::failed);
  EXPECT_EQ(record.reason, "rdma.port_state mlx5_4/1: DOWN");
  EXPECT_EQ(amount(outcome, results::DoseKind::mtbf_h), outcome.doses.back().amount);
  EXPECT_EQ(outcome.doses.back().events, 1);
}

TEST_F(BurnIn, AHealthCheckWithoutAnAnswerIsNoPass) {
  check_ = [](int) -> std::vector<Finding> {
    throw core::Error(core::ErrorKind::system, "the health check gave no answer: none within 120 s");
  };
  const BurnInOutcome outcome = burn(asked(sound));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(row(outcome, "burn_in.health").because, HasSubstr("unknown: the health check gave no answer"));
}

TEST_F(BurnIn, ChecksWhileAPointRunsWhereItIsDue) {
  BurnInOptions wanted = asked("'memory.fake.slow'");
  wanted.check_every_s = 0;
  const BurnInOutcome outcome = burn(wanted);
  EXPECT_GT(looks_, 4);  // before and after round and module, and beside two points
  const auto timeline = results::read_timeline(outcome.timeline).entries;
  EXPECT_TRUE(std::ranges::any_of(
      timeline, [](const auto& one) { return one.kind == "check" && one.text("when") == "during memory"; }));
}

TEST_F(BurnIn, EveryPointStandsBetweenTwoLooksThatAreNumbered) {
  BurnInOptions wanted = asked(sound_of_two, 2);
  wanted.check_every_s = 20;
  const auto timeline = results::read_timeline(burn(wanted).timeline).entries;
  std::int64_t looks = 0, points = 0, seen = 0;
  for (const results::TimelineEntry& one : timeline) {
    if (one.kind == "check") {
      EXPECT_EQ(one.count("look"), ++looks);
      seen += one.count("points");
    }
    if (one.kind != "point") continue;
    ++points;
    EXPECT_LE(one.number().value_or(1e9), static_cast<double>(looks + 1))
        << "a look is written down after it was made";
    EXPECT_GE(one.number().value_or(-1), 2) << "a round and a module were looked at before";
  }
  EXPECT_EQ(points, 12);
  EXPECT_GE(seen, points) << "one that ran during a look stands in two windows";
  EXPECT_EQ(timeline[timeline.size() - 2].kind, "check");
}

TEST_F(BurnIn, PointsAfterTheLastLookAreNoPass) {
  check_ = [](int look) {
    return look > 2 ? std::vector<Finding>{} : std::vector{finding(Status::passed)};  // as interrupted ones
  };
  const BurnInOutcome outcome = burn(asked(sound));
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_EQ(row(outcome, "health.after").because, "no check was made after the last 4 points");
}

TEST_F(BurnIn, RefusesBadInputBeforeAnythingRuns) {
  BurnInOptions wanted = asked(sound);
  wanted.end = {};
  EXPECT_THAT(message_of([&] { burn(wanted); }), HasSubstr("expected --for TIME, --dose DOSE or --rounds N"));
  EXPECT_THAT(message_of([&] { burn(resumed()); }), HasSubstr("no burn-in to resume"));
  wanted = asked("'memroy.*'");
  EXPECT_THAT(message_of([&] { burn(wanted); }), HasSubstr("names no module"));
  wanted = asked(sound);
  wanted.run.filters = {"nothing.like.this"};
  EXPECT_THAT(message_of([&] { burn(wanted); }), HasSubstr("nothing to run"));
  EXPECT_FALSE(fs::exists(folder_ / "runs")) << "what was refused leaves no folder";
  burn(asked(sound));
  EXPECT_THAT(message_of([&] { burn(asked(sound)); }), HasSubstr("this burn-in exists (expected --resume"));
}

}  // namespace
}  // namespace assay::suite
