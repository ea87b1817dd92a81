// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/stored_records.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

#include "results/record/journal.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using namespace std::chrono_literals;
using test::sample_point;

class StoredRecords : public testing::Test {
 protected:
  StoredRecords() { store_.add(sample_point()); }
  /// Throws where another connection keeps it from writing.
  void add_by_another(std::int64_t sequence) {
    Store another(file_, StoreMode::existing, 20ms);
    another.add(sample_point("run-a", sequence));
  }

  const test::TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_ / "store.sqlite";
  Store store_{file_};
};

TEST_F(StoredRecords, AreTheRecordsButForTheirSamples) {
  PointRecord written = sample_point();
  PointRecord read = RecordReader(store_).read(1);
  EXPECT_TRUE(read.samples_s.empty());
  EXPECT_EQ(samples_of(store_, 1), written.samples_s);
  read.samples_s = written.samples_s;
  EXPECT_EQ(to_line(read), to_line(written));
  EXPECT_EQ(conditions_of(store_, 1), written.conditions);
}

/// Points 2 to 1,001 of sequences 1 to 1,000; all but one of them, not in order.
std::vector<std::int64_t> add_thousand(Store& store) {
  std::string lines;
  for (std::int64_t i = 1; i <= 1000; ++i) lines += to_line(sample_point("run-a", i)) + "\n";
  store.import_lines("a.jsonl", core::source_of(lines));
  std::vector<std::int64_t> points;
  for (std::int64_t i = 1; i <= 1000; ++i) points.push_back(1 + (2 * i) % 1001);
  return points;
}

TEST_F(StoredRecords, OfManyPointsComeInTheirOrder) {
  Store in_memory("");
  in_memory.add(sample_point());
  for (Store* store : {&store_, &in_memory}) {
    const std::vector<std::int64_t> points = add_thousand(*store);
    const std::vector<PointRecord> records = records_of(*store, points);
    ASSERT_EQ(records.size(), points.size());
    for (std::size_t at = 0; at < points.size(); ++at) EXPECT_EQ(records[at].sequence, points[at] - 1);
  }
  EXPECT_THAT(records_of(store_, {}), testing::IsEmpty());
}

TEST_F(StoredRecords, OfManyPointsAreRefusedWhereOneIsNotThere) {
  std::vector<std::int64_t> points = add_thousand(store_);
  points[points.size() / 2] = 5000;
  EXPECT_THAT([&] { records_of(store_, points); },
              testing::ThrowsMessage<std::runtime_error>(testing::HasSubstr("no point 5000")));
}

TEST_F(StoredRecords, KeepNoOneFromWriting) {
  RecordReader reader(store_);
  reader.read(1);
  EXPECT_NO_THROW(add_by_another(1));
  Database(file_, false).execute("UPDATE points SET record = '{}' WHERE id = 1");
  EXPECT_THROW(reader.read(1), std::runtime_error);
  EXPECT_NO_THROW(add_by_another(2));
  EXPECT_EQ(reader.read(3).sequence, 2);
}

TEST_F(StoredRecords, OfAPointThatIsNotThereAreRefused) {
  const auto says = testing::ThrowsMessage<std::runtime_error>(testing::HasSubstr("no point 7"));
  EXPECT_THAT([&] { RecordReader(store_).read(7); }, says);
  EXPECT_THAT([&] { samples_of(store_, 7); }, says);
  EXPECT_THAT([&] { conditions_of(store_, 7); }, says);
}

}  // namespace
}  // namespace assay::results
