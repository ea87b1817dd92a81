// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/timeline.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <system_error>

#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

TEST(Timeline, GivesBackWhatWasWritten) {
  const test::TemporaryFolder folder;
  const auto file = folder / "timeline.jsonl";
  const TimelineWriter writer(file);
  writer.write({"2026-11-21T02:30:00Z", 1.25, "module", "memory", "ended", {{"bad", std::int64_t{2}}}});
  writer.write({"2026-11-21T02:30:01Z", 2, "temperature_c", "GPU 0", 61.5, {}});
  EXPECT_EQ(
      test::read_text(file).substr(0, 112),
      R"({"time":"2026-11-21T02:30:00Z","at_s":1.25,"kind":"module","unit":"memory","value":"ended","bad":2})"
      "\n"
      R"({"time":"202)");
  const Timeline timeline = read_timeline(file);
  ASSERT_EQ(timeline.entries.size(), 2U);
  EXPECT_EQ(timeline.entries[0].word(), "ended");
  EXPECT_EQ(timeline.entries[0].count("bad"), 2);
  EXPECT_FALSE(timeline.entries[0].number());
  EXPECT_EQ(timeline.entries[1].number(), 61.5);
  EXPECT_EQ(timeline.entries[1].at_s, 2);
  EXPECT_EQ(timeline.entries[1].text("no such name"), "");
}

TEST(Timeline, ALineTornByAKillIsPassedOverAndClosed) {
  const test::TemporaryFolder folder;
  const auto file = folder / "timeline.jsonl";
  std::ofstream(file) << R"({"time":"2026-11-21T02:30:00Z","at_s":1,"kind":"ro)";
  TimelineWriter(file).write({"2026-11-21T02:31:00Z", 2, "session", "", "resumed", {}});
  const Timeline timeline = read_timeline(file);
  EXPECT_EQ(timeline.torn, std::vector{1L});
  EXPECT_TRUE(timeline.damaged.empty());
  ASSERT_EQ(timeline.entries.size(), 1U);
  EXPECT_EQ(timeline.entries[0].kind, "session");
}

TEST(Timeline, ALineThatNoKillExplainsIsDamagedAndItsNumberIsKept) {
  const test::TemporaryFolder folder;
  const auto file = folder / "timeline.jsonl";
  const std::string good = R"({"time":"t","at_s":1,"kind":"module","unit":"memory","value":"ended"})";
  std::ofstream(file) << good << "\n"
                      << good.substr(0, 30) << "\n"
                      << good << R"(
{"time":"t","kind":"module","unit":"memory","value":"ended"}
)" << good << "\n" << good.substr(0, 40);
  const Timeline timeline = read_timeline(file);
  EXPECT_EQ(timeline.damaged, (std::vector{2L, 4L})) << "the fourth has no at_s";
  EXPECT_EQ(timeline.torn, std::vector{6L});
  EXPECT_EQ(timeline.entries.size(), 3U);
}

/// Its word, and its reason in brackets.
std::string read_value(const std::string& value) {
  const auto entry =
      timeline_entry_from(R"({"time":"t","at_s":1,"kind":"module","unit":"memory","value":)" + value + "}");
  return entry ? entry->word() + "[" + entry->text("why") + "]" : "not read";
}

TEST(Timeline, OfAnEarlierVersionIsReadAsTodays) {
  EXPECT_EQ(read_value(R"("no answer: killed: 9")"), "no_answer[killed: 9]");
  EXPECT_EQ(read_value(R"("not told: needs root")"), "unknown[needs root]");
  EXPECT_EQ(read_value(R"("not told")"), "unknown[]") << "the status of a finding";
  EXPECT_EQ(read_value(R"("unknown: needs root")"), "unknown[needs root]");
  EXPECT_EQ(read_value(R"("wrong: bit 12 missed")"), "wrong[bit 12 missed]");
  EXPECT_EQ(read_value(R"("unsupported: no GPU")"), "unsupported[no GPU]");
  EXPECT_EQ(read_value(R"("whether it was caught is unknown")"), "not_checked[]");
}

TEST(Timeline, ThatIsHostileGainsNoGoodWordByItsOlderForm) {
  EXPECT_EQ(read_value(R"("caught: almost")"), "caught: almost[]");
  EXPECT_EQ(read_value(R"("ok: really")"), "ok: really[]");
  EXPECT_EQ(read_value(R"("ended: not at all")"), "ended: not at all[]");
  EXPECT_EQ(read_value(R"(": ")"), ": []");
  EXPECT_EQ(read_value(R"("no answer: killed","why":"all is well")"), "no_answer[all is well]");
  EXPECT_EQ(read_value("null"), "not read");
  EXPECT_EQ(read_value("[]"), "not read");
}

TEST(Timeline, AnAnswerIsSaidWithItsReason) {
  EXPECT_EQ((Answer{entry_word::no_answer, "killed"}).sentence(), "no answer: killed");
  EXPECT_EQ((Answer{entry_word::not_checked}).sentence(), "whether it was caught is unknown");
  EXPECT_EQ((Answer{"wrong", "bit 12 missed"}).sentence(), "wrong: bit 12 missed");
  EXPECT_EQ((Answer{entry_word::ended}).sentence(), "ended");
}

TEST(Timeline, ThatIsNotThereIsSaidSo) {
  EXPECT_THROW(read_timeline("no/such/timeline.jsonl"), std::system_error);
  EXPECT_THROW(TimelineWriter("no/such/timeline.jsonl"), std::system_error);
}

}  // namespace
}  // namespace assay::results
