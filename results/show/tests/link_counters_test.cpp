// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/show/tables.hpp"
#include "results/tests/fixed_run.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;

using Deed = core::CounterReport::Outcome;

/// The rows of one point whose rank 1 reports this.
std::string rows_of(const std::vector<LinkReport>& links) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::sample_context());
  PointRecord point = test::sample_point();
  point.case_name = "rdma.verbs.latency";
  point.conditions = {{"host", "node-a"}};
  point.ranks = {{1, {{"host", "node-b"}}}};
  point.links = links;
  store.add(point);
  return to_csv(show_counters(RunPoints(store), {}));
}

TEST(LinkCounters, ThatMovedHaveHowMuchAndWhatItMeans) {
  const std::string rows =
      rows_of({{.rank = 1,
                .link_class = LinkClass::lossy,
                .watched = 43,
                .counters = {{.counter = "mlx5_0 rnr_nak_retry_err",
                              .outcome = Deed::moved,
                              .moved = 12,
                              .speaks_for = LinkClass::lossy,
                              .about = "receiver not ready: it had no receive posted; software (rxe)"},
                             {.counter = "mlx5_0/2 symbol_error",
                              .outcome = Deed::moved_at_least,
                              .moved = 65535,
                              .speaks_for = LinkClass::lossy,
                              .about = "symbol errors"}}}});
  EXPECT_THAT(
      rows,
      HasSubstr("node-b,mlx5_0 rnr_nak_retry_err,moved,12,1,lossy,receiver not ready: it had no receive "
                "posted; software (rxe)"));
  EXPECT_THAT(rows, HasSubstr("\"moved, then full: at least\",65535,1,lossy,symbol errors"));
}

TEST(LinkCounters, ThatStoodStillAreACount) {
  EXPECT_THAT(rows_of({{.link_class = LinkClass::clean, .watched = 43}}),
              HasSubstr("node-a,43 counters of trouble,stood still,,1,clean,"));
}

TEST(LinkCounters, ThatCouldNotBeFollowedHaveTheirReason) {
  const std::string rows = rows_of(
      {{.counters = {{.counter = "mlx5_0 symbol_error", .outcome = Deed::was_full, .about = "was full"},
                     {.counter = "mlx5_1 link_downed", .outcome = Deed::was_reset, .about = "was reset"},
                     {.counter = "mlx5_2", .outcome = Deed::not_read, .about = "has no counter"}}},
       {.rank = 1}});
  EXPECT_THAT(rows, HasSubstr("node-a,mlx5_0 symbol_error,was full before,,1,"));
  EXPECT_THAT(rows, HasSubstr("node-a,mlx5_1 link_downed,was reset,,1,"));
  EXPECT_THAT(rows, HasSubstr("node-a,mlx5_2,could not be read,,1,"));
  EXPECT_THAT(rows, HasSubstr("node-b,any,could not be read,,1,unknown,no counter of trouble could be read"));
}

TEST(LinkCounters, BesideTheClassificationAreNoSignOfTrouble) {
  EXPECT_THAT(rows_of({{.link_class = LinkClass::clean,
                        .watched = 2,
                        .counters = {{.counter = "mlx5_0 lifespan", .outcome = Deed::moved, .moved = 8}}}}),
              HasSubstr("node-a,mlx5_0 lifespan,moved,8,1,clean,no sign of trouble by itself"));
}

TEST(LinkCounters, OfARunHaveWhatIsNotGoodFirst) {
  const test::TemporaryFolder folder;
  Store store(folder / "store.db");
  store.add(test::fixed_run());
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
  store.add(test::fixed_run());
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
