// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Transports side by side, on made-up records.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/names.hpp"
#include "results/show/show.hpp"
#include "results/tests/run_builder.hpp"

namespace assay::results {
namespace {

using testing::ElementsAre;

struct MadeUpPoint {
  std::string name;
  std::int64_t bytes = 0;
  std::string completion;
  double seconds = 0, cpu_s_per_gb = 0;

  bool is_latency() const { return name.ends_with("latency"); }
};

Table table_of(const std::vector<MadeUpPoint>& points, const std::string& table = "transports") {
  test::RunBuilder builder("run-1");
  builder.begin(0, "collectives");
  for (const MadeUpPoint& one : points) {
    PointRecord record = builder.point(one.name, {{"bytes", one.bytes}, {"completion", one.completion}});
    if (!one.is_latency()) record.metrics.push_back({core::names::cpu_s_per_gb, "s/GB", one.cpu_s_per_gb});
    const auto bytes = static_cast<double>(one.bytes);
    builder.measured(record, one.seconds,
                     {one.is_latency() ? "latency_us" : "bandwidth_gb_per_s", "",
                      [&](double s) { return one.is_latency() ? 1e6 * s : 1e-9 * bytes / s; }});
  }
  builder.end();
  Store store("");
  store.add(builder.take());
  return make_table(store, table);
}

/// The column's value in each row, to two digits after the point.
std::vector<std::string> column_of(const Table& table, const std::string& column) {
  const auto at = std::ranges::find(table.columns, column, &Column::name) - table.columns.begin();
  std::vector<std::string> texts;
  for (const auto& row : table.rows) {
    const Cell& cell = row.at(static_cast<std::size_t>(at));
    const auto* number = std::get_if<Number>(&cell);
    texts.push_back(number ? std::to_string(std::llround(100 * number->value))
                           : cell_text(cell, Column::Kind::word));
  }
  return texts;
}

/// A megabyte by TCP in 400 us at 1.2 s/GB, by verbs in 100 us at 0.3, and one message of each.
const std::vector<MadeUpPoint> measured{
    {"collectives.tcp.bandwidth", 1'000'000, "polling", 400e-6, 1.2},
    {"collectives.tcp.latency", 64, "polling", 20e-6},
    {"collectives.shared_memory.bandwidth", 1'000'000, "polling", 200e-6, 0.6},
    {"rdma.verbs.bandwidth", 1'000'000, "polling", 100e-6, 0.3},
    {"rdma.verbs.bandwidth", 1'000'000, "events", 100e-6, 0.1},
    {"rdma.verbs.latency", 64, "polling", 2e-6},
    {"rdma.verbs.message_rate", 64, "polling", 1e-6, 0.3},
};

TEST(ShowTransports, PutsTheSameMessageOfEachSideBySide) {
  const Table table = table_of(measured);
  EXPECT_THAT(column_of(table, "benchmark"),
              ElementsAre("bandwidth", "bandwidth", "bandwidth", "bandwidth", "latency", "latency"));
  EXPECT_THAT(column_of(table, "transport"),
              ElementsAre("verbs", "tcp", "shared_memory", "verbs", "tcp", "verbs"));
}

TEST(ShowTransports, ComparesEachWithTcpWhereThereIsTheSame) {
  const Table table = table_of(measured);
  EXPECT_THAT(column_of(table, "times TCP's CPU"), ElementsAre("-", "100", "50", "25", "-", "-"));
  const auto speed = column_of(table, "times as fast as TCP");
  EXPECT_EQ(speed.front(), "-");
  for (const auto& [row, hundredths] : {std::pair(1, 100), {2, 200}, {3, 400}, {4, 100}, {5, 1000}})
    EXPECT_NEAR(std::stod(speed[static_cast<std::size_t>(row)]), hundredths, 3);
}

TEST(ShowTransports, SaysHowManyCpusAreBusy) {
  const auto busy = column_of(table_of(measured), "CPUs busy");  // 2.5 GB/s at 1.2 s/GB, with noise
  EXPECT_NEAR(std::stod(busy[1]), 300, 5);
  EXPECT_EQ(busy[4], "-");
}

TEST(ShowTransports, AreNoCollectivesAndNoTradeoffs) {
  const std::vector<MadeUpPoint> of_host{measured.begin(), measured.begin() + 3};
  EXPECT_TRUE(table_of(of_host, "collectives").rows.empty());
  EXPECT_TRUE(table_of(of_host, "tradeoffs").rows.empty());
}

}  // namespace
}  // namespace assay::results
