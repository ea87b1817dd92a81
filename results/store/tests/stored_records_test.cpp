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
