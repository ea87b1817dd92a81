// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/record/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <system_error>

#include "results/tests/read_journal.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using test::read_text;
using test::sample_context;
using test::sample_end;
using test::sample_point;
using test::TemporaryFolder;
using test::write_text;

TEST(Journal, WhatIsWrittenIsReadInOrder) {
  const TemporaryFolder folder;
  {
    JournalWriter writer(folder / "run.jsonl");
    writer.write(sample_context());
    writer.write(sample_point("run-1", 0));
    writer.write(sample_end());
    EXPECT_TRUE(writer.rescued().empty());
  }
  const Journal journal = read_journal(folder / "run.jsonl");
  ASSERT_EQ(journal.records.size(), 3u);
  EXPECT_TRUE(journal.problems.empty());
  EXPECT_TRUE(std::holds_alternative<ContextRecord>(journal.records[0]));
  EXPECT_EQ(std::get<PointRecord>(journal.records[1]).key, "bytes=1073741824,threads=2,store=temporal");
  EXPECT_EQ(std::get<EndRecord>(journal.records[2]).points, 2);
}

TEST(Journal, ManyLinesAtOnceAreAsManyOneByOne) {
  const TemporaryFolder folder;
  const std::vector<Record> records = {sample_context(), sample_point("run-1", 0), sample_end()};
  JournalWriter(folder / "all.jsonl").write_all(records);
  JournalWriter(folder / "all.jsonl").write_all({});
  for (const Record& record : records) JournalWriter(folder / "each.jsonl").write(record);
  EXPECT_EQ(read_text(folder / "all.jsonl"), read_text(folder / "each.jsonl"));
}

TEST(Journal, ReopeningAppends) {
  const TemporaryFolder folder;
  JournalWriter(folder / "run.jsonl").write(sample_point("run-1", 0));
  JournalWriter(folder / "run.jsonl").write(sample_point("run-1", 1));
  EXPECT_EQ(read_journal(folder / "run.jsonl").records.size(), 2u);
}

TEST(Journal, ATornLastLineIsCutOff) {
  const TemporaryFolder folder;
  const std::string line = to_line(sample_point()) + "\n";
  for (std::size_t length = 1; length + 2 < line.size(); length += 13) {
    write_text(folder / "run.jsonl", line + line.substr(0, length));
    JournalWriter(folder / "run.jsonl").write(sample_end());
    EXPECT_EQ(read_text(folder / "run.jsonl"), line + to_line(sample_end()) + "\n") << length;
  }
}

TEST(Journal, AWholeLastLineWithoutItsNewlineIsKept) {
  const TemporaryFolder folder;
  write_text(folder / "run.jsonl", to_line(sample_point()));
  JournalWriter(folder / "run.jsonl").write(sample_end());
  EXPECT_EQ(read_text(folder / "run.jsonl"), to_line(sample_point()) + "\n" + to_line(sample_end()) + "\n");
}

TEST(Journal, ATornLineLongerThanABlockIsCutOff) {
  const TemporaryFolder folder;
  auto point = sample_point();
  point.samples_s.assign(40'000, 0.123456789);
  const std::string line = to_line(point) + "\n";
  ASSERT_GT(line.size(), 300'000u);
  write_text(folder / "run.jsonl", line + line.substr(0, line.size() - 2));
  JournalWriter writer(folder / "run.jsonl");
  EXPECT_EQ(read_text(folder / "run.jsonl"), line);
}

TEST(Journal, DamagedLinesAreReportedByNumberAndTheRestIsKept) {
  const TemporaryFolder folder;
  std::string damaged = to_line(sample_point());
  damaged.replace(damaged.find("0.5"), 3, "0.7");
  write_text(folder / "run.jsonl", to_line(sample_context()) + "\n" + damaged + "\nnot json at all\n\n" +
                                       to_line(sample_end()) + "\n" + to_line(sample_end()).substr(0, 40));
  const Journal journal = read_journal(folder / "run.jsonl");
  EXPECT_EQ(journal.records.size(), 2u);
  ASSERT_EQ(journal.problems.size(), 3u);
  EXPECT_EQ(journal.problems[0].line, 2);
  EXPECT_THAT(journal.problems[0].what, testing::HasSubstr("crc32 does not match"));
  EXPECT_EQ(journal.problems[1].line, 3);
  EXPECT_EQ(journal.problems[1].what, "not JSON, or cut off");
  EXPECT_EQ(journal.problems[2].line, 6);
  EXPECT_EQ(journal.problems[2].what, "not JSON, or cut off (last line, no newline)");
  EXPECT_EQ(journal.problems[2].file, folder / "run.jsonl");
}

TEST(Journal, LinesThatPassedThroughAnotherSystemKeepTheirMeaning) {
  const TemporaryFolder folder;
  write_text(folder / "run.jsonl", to_line(sample_context()) + "\r\n" + to_line(sample_end()) + "\r\n");
  const Journal journal = read_journal(folder / "run.jsonl");
  EXPECT_EQ(journal.records.size(), 2u);
  EXPECT_TRUE(journal.problems.empty());
}

TEST(Journal, AnEmptyFileHasNoRecordsAndNoProblems) {
  const TemporaryFolder folder;
  write_text(folder / "run.jsonl", "");
  const Journal journal = read_journal(folder / "run.jsonl");
  EXPECT_TRUE(journal.records.empty());
  EXPECT_TRUE(journal.problems.empty());
}

TEST(Journal, AFileThatIsNotThereIsOneClearError) {
  try {
    read_journal("/nowhere/run.jsonl");
    FAIL() << "expected std::system_error";
  } catch (const std::system_error& error) {
    EXPECT_STREQ(error.what(), "journal /nowhere/run.jsonl: opening it to read: No such file or directory");
  }
  EXPECT_THROW(read_journal("/"), std::system_error);
}

TEST(Journal, AFolderThatIsNotThereIsOneClearError) {
  try {
    JournalWriter writer("/nowhere/run.jsonl");
    FAIL() << "expected std::system_error";
  } catch (const std::system_error& error) {
    EXPECT_STREQ(error.what(), "journal /nowhere/run.jsonl: opening it to append: No such file or directory");
  }
}

TEST(Journal, AWriterStopsWhereAnotherHasWrittenSuchARecordOrCutItsOwnOff) {
  const TemporaryFolder folder;
  const auto is_point = [](const Record& record) { return std::holds_alternative<PointRecord>(record); };
  JournalWriter first(folder / "run.jsonl");
  JournalWriter second(folder / "run.jsonl");
  first.write(sample_context());
  EXPECT_TRUE(first.write_unless(sample_point("run-1", 0), is_point));
  second.write(sample_end());
  EXPECT_TRUE(first.write_unless(sample_point("run-1", 1), is_point));
  second.write(sample_point("run-1", 2));
  EXPECT_FALSE(first.write_unless(sample_point("run-1", 2), is_point));
  second.write_made([] { return std::nullopt; });
  EXPECT_EQ(read_journal(folder / "run.jsonl").records.size(), 5u);
  std::filesystem::resize_file(folder / "run.jsonl", 0);
  EXPECT_FALSE(first.write_unless(sample_end(), is_point));
}

TEST(Journal, AMovedWriterGoesOnWriting) {
  const TemporaryFolder folder;
  JournalWriter first(folder / "run.jsonl");
  JournalWriter second(std::move(first));
  second.write(sample_end());
  EXPECT_EQ(read_journal(folder / "run.jsonl").records.size(), 1u);
}

}  // namespace
}  // namespace assay::results
