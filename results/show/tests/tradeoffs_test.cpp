// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The settings on the Pareto front, on made-up records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/show/show.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results {
namespace {

struct MadeUp {
  std::string name;
  Fields axes;
  double seconds;
  std::string metric = "time_us";
};

/// The column's text in each row.
std::vector<std::string> column_of(const std::vector<MadeUp>& points, const std::string& column) {
  test::RunBuilder builder("run-1");
  builder.begin(0, "collectives");
  for (const MadeUp& one : points)
    builder.measured(
        builder.point(one.name, one.axes), one.seconds,
        {one.metric, "", [&](double s) { return one.metric == "time_us" ? 1e6 * s : 1e-6 / s; }});
  builder.end();
  Store store("");
  store.add(builder.take());
  const Table table = make_table(store, "tradeoffs");
  const auto at = std::ranges::find(table.columns, column, &Column::name) - table.columns.begin();
  std::vector<std::string> texts;
  for (const auto& row : table.rows)
    texts.push_back(
        cell_text(row.at(static_cast<std::size_t>(at)), table.columns[static_cast<std::size_t>(at)].kind));
  return texts;
}

MadeUp all_reduce(std::int64_t bytes, const std::string& protocol, std::int64_t channels, double seconds) {
  return {"collectives.nccl.all_reduce",
          {{"bytes", bytes}, {"protocol", protocol}, {"channels", channels}},
          seconds};
}

TEST(ShowTradeoffs, KeepsWhatNoOtherOfTheSamePatternBeats) {
  EXPECT_THAT(column_of({all_reduce(8, "ll", 4, 10e-6), all_reduce(8, "simple", 4, 20e-6),
                         all_reduce(8, "simple", 1, 30e-6), all_reduce(1024, "simple", 16, 900e-6)},
                        "Pareto"),
              testing::ElementsAre("yes", "no", "yes", "yes"));
}

TEST(ShowTradeoffs, TakesTheChunkOfAStreamAsASetting) {
  const auto rate = [](std::int64_t bytes, std::int64_t qps, double seconds) {
    return MadeUp{
        "rdma.verbs.message_rate", {{"bytes", bytes}, {"qps", qps}}, seconds, "message_rate_m_per_s"};
  };
  const std::vector<MadeUp> points{rate(8, 1, 1e-6), rate(8, 4, 0.5e-6), rate(64, 4, 0.7e-6)};
  EXPECT_THAT(column_of(points, "Pareto"), testing::ElementsAre("yes", "yes", "no"));
  EXPECT_THAT(column_of(points, "queue pairs or channels"), testing::ElementsAre("1", "4", "4"));
}

TEST(ShowTradeoffs, ComparesOnlyWhatBothHave) {
  EXPECT_THAT(column_of({all_reduce(8, "ll", 0, 10e-6), all_reduce(8, "simple", 16, 20e-6)}, "Pareto"),
              testing::ElementsAre("yes", "no"));
}

}  // namespace
}  // namespace assay::results
