// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/store/sqlite/page_checksums.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <fstream>

#include "results/store/sqlite/database.hpp"
#include "results/store/sqlite/store_schema.hpp"
#include "results/store/store.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A store of 400 points: some dozen pages.
class CheckedPages : public testing::Test {
 protected:
  void SetUp() override {
    JournalWriter writer(folder_ / "run.jsonl");
    writer.write(test::sample_context());
    for (int i = 0; i < 400; ++i) writer.write(test::sample_point("run-1", i));
    Store(store_).import_journal(folder_ / "run.jsonl");
  }
  std::uintmax_t size() const { return std::filesystem::file_size(store_); }
  void overwrite(std::uintmax_t at, const std::string& bytes) const {
    std::fstream file(store_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(at));
    file << bytes;
  }
  std::string bytes_at(std::uintmax_t at, std::size_t count) const {
    return test::read_text(store_).substr(at, count);
  }

  test::TemporaryFolder folder_;
  const std::filesystem::path store_ = folder_ / "store.db";
};

TEST_F(CheckedPages, ASoundStoreIsVerifiedAndReadAgain) {
  const Store store(store_, StoreMode::existing);
  store.verify();
  EXPECT_EQ(store.database().single_integer("SELECT count(*) FROM points WHERE time_s > 0"), 400);
}

/// As stores of earlier versions have them: Fletcher's sums, word by word.
TEST_F(CheckedPages, EveryPageEndsWithTheSumsOfItsWordsOneByOne) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U, other_odd = 0xc2b2ae3d27d4eb4fU;
  const std::string file = test::read_text(store_);
  const std::size_t pages = file.size() / store_page_bytes;
  ASSERT_GT(pages, 10U);
  for (std::size_t page = 0; page < pages; ++page) {
    std::uint64_t sum = odd * (page + 2), sum_of_sums = other_odd, word = 0;
    const char* const begin = file.data() + page * store_page_bytes;
    for (int at = 0; at + 8 < store_page_bytes; at += 8) {
      std::memcpy(&word, begin + at, sizeof word);
      sum_of_sums += sum += word;
    }
    std::memcpy(&word, begin + store_page_bytes - 8, sizeof word);
    EXPECT_EQ(word, (sum * odd) ^ std::rotl(sum_of_sums * other_odd, 31)) << "page " << page + 1;
  }
}

/// Wherever they fall but in the header's magic, without which the file is no store at all.
TEST_F(CheckedPages, SixtyFourBytesThatWereChangedAnywhereAreFound) {
  constexpr std::uintmax_t step = 10007, changed = 64;
  int found = 0, tried = 0;
  for (std::uintmax_t at = 100; at + changed < size(); at += step) {
    const std::string before = bytes_at(at, changed);
    std::string other = before;
    for (char& byte : other) byte = static_cast<char>(byte ^ 0x5a);
    overwrite(at, other);
    ++tried;
    try {
      Store(store_, StoreMode::existing).verify();
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr((store_).string()));
      ++found;
    }
    overwrite(at, before);
  }
  EXPECT_GT(tried, 30);
  EXPECT_EQ(found, tried);
  EXPECT_NO_THROW(Store(store_, StoreMode::existing).verify());
}

TEST_F(CheckedPages, AChangedPageIsNeverReadAsAMeasurement) {
  const std::uintmax_t at = test::read_text(store_).rfind("memory.host.copy");
  overwrite(at, "MEMORY");
  EXPECT_THAT(
      [&] {
        const Store store(store_, StoreMode::existing);
        store.database().single_integer("SELECT count(*) FROM points WHERE record LIKE '%x%'");
      },
      ThrowsMessage<DamagedStore>(
          HasSubstr("does not match its checksum: import the journals into a new store")));
}

TEST_F(CheckedPages, WhatAnotherProgramWroteBehindTheStoresBackIsFound) {
  sqlite3* stranger = nullptr;  // as the shell of SQLite would, without the checksums
  ASSERT_EQ(sqlite3_open_v2(store_.c_str(), &stranger, SQLITE_OPEN_READWRITE, "unix"), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(stranger, "UPDATE points SET time_s = time_s / 2", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(stranger);
  EXPECT_THROW(Store(store_, StoreMode::existing).verify(), DamagedStore);
}

TEST_F(CheckedPages, WhatAnyConnectionReadIsNotReadAgainToVerifyTheRest) {
  const std::string file = test::read_text(store_);
  const std::uintmax_t read = file.rfind("memory.host.copy"), unread = file.find("\"record\":\"context\"");
  ASSERT_NE(read / store_page_bytes, unread / store_page_bytes);
  {
    const Store store(store_, StoreMode::existing), other(store_, StoreMode::existing);
    other.database().single_integer("SELECT count(*) FROM points WHERE record LIKE '%x%'");
    overwrite(read, "MEMORY");
    EXPECT_NO_THROW(store.verify());
    overwrite(unread, "RECORDS");
    EXPECT_NO_THROW(store.verify());  // it has read it now
  }
  EXPECT_THROW(Store(store_, StoreMode::existing).verify(), DamagedStore);
}

TEST_F(CheckedPages, WhatNoConnectionReadIsVerified) {
  const std::string file = test::read_text(store_);
  const Store store(store_, StoreMode::existing);
  store.database().single_integer("SELECT count(*) FROM points WHERE record LIKE '%x%'");
  overwrite(file.find("\"record\":\"context\""), "RECORDS");
  EXPECT_THROW(store.verify(), DamagedStore);
}

TEST_F(CheckedPages, AHeaderThatDeniesTheChecksumsIsRefused) {
  overwrite(20, std::string(1, '\0'));
  EXPECT_THROW(Store(store_, StoreMode::existing).verify(), std::runtime_error);
}

TEST_F(CheckedPages, PagesThatChangedPlacesAreFound) {
  const std::uintmax_t page = store_page_bytes;
  const std::string third = bytes_at(2 * page, page), fourth = bytes_at(3 * page, page);
  overwrite(2 * page, fourth);
  overwrite(3 * page, third);
  EXPECT_THAT(
      [&] { Store(store_, StoreMode::existing).verify(); },
      ThrowsMessage<DamagedStore>(HasSubstr("page 3 (bytes 65536 to 98303) does not match its checksum")));
}

TEST_F(CheckedPages, ADatabaseOfAnotherProgramIsReadAsItIs) {
  const std::string other = folder_ / "other.db";
  sqlite3* stranger = nullptr;
  sqlite3_open_v2(other.c_str(), &stranger, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "unix");
  sqlite3_exec(stranger, "CREATE TABLE birds (name TEXT); INSERT INTO birds VALUES ('wren')", nullptr,
               nullptr, nullptr);
  sqlite3_close(stranger);
  EXPECT_EQ(Database(other, false).single_integer("SELECT count(*) FROM birds"), 1);
}

}  // namespace
}  // namespace assay::results
