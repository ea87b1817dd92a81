// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/show/link_counters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/tests/fixed_run.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

TEST(CounterWords, ThatMovedHaveHowMuchAndWhatItMeans) {
  const auto words = counter_words(
      "lossy: mlx5_0 rnr_nak_retry_err +12 (receiver not ready: it had no receive posted; software (rxe)); "
      "mlx5_0/2 symbol_error +65535 at least (symbol errors)");
  ASSERT_THAT(words, SizeIs(2));
  EXPECT_EQ(words[0].counter, "mlx5_0 rnr_nak_retry_err");
  EXPECT_EQ(words[0].outcome, CounterOutcome::moved);
  EXPECT_EQ(words[0].moved, 12U);
  EXPECT_EQ(words[0].meaning, "receiver not ready: it had no receive posted; software (rxe)");
  EXPECT_EQ(words[1].counter, "mlx5_0/2 symbol_error");
  EXPECT_EQ(words[1].outcome, CounterOutcome::moved_at_least);
  EXPECT_EQ(words[1].meaning, "symbol errors");
}

TEST(CounterWords, ThatStoodStillAreACount) {
  const auto words = counter_words("clean: 43 counters watched");
  ASSERT_THAT(words, SizeIs(1));
  EXPECT_EQ(words[0].outcome, CounterOutcome::stood_still);
  EXPECT_EQ(words[0].counter, "43 counters of trouble");
}

TEST(CounterWords, ThatCannotTellAreToldApart) {
  const auto words = counter_words(
      "unknown: mlx5_0 symbol_error was full from the start (65535): clear it (perfquery -R) to see it move; "
      "mlx5_1 link_downed was reset in between (9 to 1); eth0 rx_discards_phy could not be read again; "
      "mlx5_2 "
      "tells no counter; no counter of trouble could be read");
  ASSERT_THAT(words, SizeIs(5));
  EXPECT_EQ(words[0].outcome, CounterOutcome::was_full);
  EXPECT_EQ(words[0].counter, "mlx5_0 symbol_error");
  EXPECT_EQ(words[1].outcome, CounterOutcome::was_reset);
  EXPECT_EQ(words[2].outcome, CounterOutcome::not_read);
  EXPECT_EQ(words[2].counter, "eth0 rx_discards_phy");
  EXPECT_EQ(words[3].counter, "mlx5_2");
  EXPECT_EQ(words[4].outcome, CounterOutcome::not_read);
  EXPECT_EQ(words[4].meaning, "no counter of trouble could be read");
}

TEST(CounterWords, OfALinkThatTellsNothingAreNoGoodNews) {
  EXPECT_EQ(counter_words("splendid").front().outcome, CounterOutcome::not_read);
  EXPECT_THAT(counter_words(""), SizeIs(0));
}

TEST(CounterWords, BesideTheClassificationComeInEitherList) {
  EXPECT_THAT(also_moved_words("mlx5_0 rx_atomic +8, mlx5_0 lifespan +1"), SizeIs(2));
  EXPECT_THAT(also_moved_words("mlx5_0 rx_atomic +8; mlx5_0 lifespan +1"), SizeIs(2));
  EXPECT_EQ(also_moved_words("mlx5_0 rx_atomic +8").front().moved, 8U);
}

TEST(LinkCounters, OfARunHaveWhatIsNotGoodFirst) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  for (const Record& record : test::fixed_run()) store.add(record);
  const Table table = show_counters(RunPoints(store), {});
  const auto text_at = [&](std::size_t row, std::size_t column) {
    return cell_text(table.rows[row][column], table.columns[column].kind);
  };
  ASSERT_FALSE(table.rows.empty());
  EXPECT_EQ(text_at(0, 5), "lossy");
  EXPECT_EQ(text_at(0, 2), "moved");
  EXPECT_EQ(text_at(table.rows.size() - 1, 2), "stood still");
  EXPECT_THAT(to_csv(table), HasSubstr("node-b,mlx5_0 out_of_sequence,moved,12,1,lossy"));
  EXPECT_THAT(to_csv(table), HasSubstr("could not be read"));
}

TEST(LinkCounters, OfAFilterAreOfItsPointsOnly) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  for (const Record& record : test::fixed_run()) store.add(record);
  const std::string counters = to_csv(show_counters(RunPoints(store), {.filter = "rdma.verbs.latency"}));
  EXPECT_THAT(counters, HasSubstr("43 counters of trouble"));
  EXPECT_THAT(counters, testing::Not(HasSubstr("out_of_sequence")));
  EXPECT_TRUE(show_counters(RunPoints(store), {.filter = "gemm.*"}).rows.empty());
}

TEST(LinkCounters, OfARunWithoutAFabricAreNone) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::sample_context());
  store.add(test::sample_point());
  EXPECT_TRUE(show_counters(RunPoints(store), {}).rows.empty());
}

}  // namespace
}  // namespace assay::results
