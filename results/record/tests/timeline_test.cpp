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

TEST(Timeline, ThatIsNotThereIsSaidSo) {
  EXPECT_THROW(read_timeline("no/such/timeline.jsonl"), std::system_error);
  EXPECT_THROW(TimelineWriter("no/such/timeline.jsonl"), std::system_error);
}

}  // namespace
}  // namespace assay::results
