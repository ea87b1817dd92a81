// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// memory.host.random_access as a plan sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "memory/tests/cases_named.hpp"
#include "memory/tests/only_arena.hpp"

namespace assay::memory {
namespace {

using enum core::Verification::Result;

core::Case random_access() { return tests::cases_named("memory.host.random_access").front(); }

core::Point small_table(std::int64_t bytes = 1 << 20) {
  core::Point point = core::sweep(random_access().axes).front();
  return point.set("bytes", bytes).set("threads", std::int64_t{1}).set("numa", std::int64_t{-1});
}

std::int64_t words_of_table(core::Trial& trial) {
  for (const auto& [name, value] : trial.facts())
    if (name == "table_words_of_a_thread") return std::get<std::int64_t>(value);
  return 0;
}

TEST(RandomAccess, UpdatesTwiceLeaveTheTableAsItWas) {
  const auto trial = random_access().prepare(small_table());
  EXPECT_EQ(trial->verify().result, not_checked);
  EXPECT_GT(trial->run(1).seconds, 0);
  trial->run(2);
  for (int again = 0; again < 2; ++again) {
    const core::Verification verdict = trial->verify();
    EXPECT_EQ(verdict.result, right) << verdict.why;
    EXPECT_EQ(verdict.why, "196608 updates of each table, done twice, left every word as it was");
  }
}

TEST(RandomAccess, FindsWordsThatAreNotWhatTheirUpdatesMade) {
  const auto trial = random_access().prepare(small_table());
  trial->run(2);
  ASSERT_EQ(trial->verify().result, right);
  const std::span<std::byte> table = tests::only_arena();
  for (const std::size_t at : {std::size_t{8} * 777 + 3, (std::size_t{1} << 20) - 1})
    table[at] ^= std::byte{0x40};
  for (int again = 0; again < 2; ++again) {
    const core::Verification verdict = trial->verify();
    EXPECT_EQ(verdict.result, wrong);
    EXPECT_EQ(verdict.why, "2 words are wrong after 131072 updates of each table");
  }
  trial->run(1);
  EXPECT_EQ(trial->verify().result, wrong) << "updates keep the fault";
}

TEST(RandomAccess, TakesATableOfAPowerOfTwo) {
  const auto trial = random_access().prepare(small_table(3 << 19));
  EXPECT_EQ(words_of_table(*trial), 1 << 17);
}

TEST(RandomAccess, CountsTheUpdatesOfAllThreads) {
  core::Point point = small_table();
  const double alone = random_access().work(point).operations;
  EXPECT_EQ(alone, 65536);
  EXPECT_EQ(random_access().work(point.set("threads", std::int64_t{3})).operations, 3 * alone);
  EXPECT_EQ(core::headline_unit(random_access().headline), "GUP/s");
}

TEST(RandomAccess, RefusesATableOfNearlyNothing) {
  EXPECT_THAT(random_access().unsupported(small_table(8191)),
              testing::Optional(std::string("bytes=8191: 1 threads need at least 8192 bytes each")));
}

}  // namespace
}  // namespace assay::memory
