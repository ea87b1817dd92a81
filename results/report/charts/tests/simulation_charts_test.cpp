// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "results/points/kinds/simulation_points.hpp"
#include "results/report/charts/charts.hpp"
#include "results/report/sections.hpp"
#include "results/tests/fixed_simulation.hpp"
#include "results/tests/sample_records.hpp"

namespace assay::results {
namespace {

using testing::HasSubstr;
using Json = nlohmann::ordered_json;

class SimulationCharts : public testing::Test {
 protected:
  SimulationCharts() { store_.add(test::fixed_simulation()); }
  RunPoints run() const { return RunPoints(store_); }

  test::TemporaryFolder folder_;
  Store store_{folder_ / "store.db"};
};

const Json both_lines = {"Simulated by flows under bound sharing. Known error: 17 %.",
                         "Assumed, not measured: links."};

TEST_F(SimulationCharts, ImbalanceIsACurveOverQueuePairsWithIntervals) {
  const Json chart = imbalance_chart(simulated_workloads(run()));
  ASSERT_EQ(chart.at("points").size(), 2U);
  EXPECT_EQ(chart.at("points")[1].at("count"), 4);
  EXPECT_EQ(chart.at("points")[1].at("kernel"), "ecmp");
  EXPECT_EQ(chart.at("points")[1].at("value"), 1.0);
  EXPECT_EQ(chart.at("points")[1].at("upper"), 4.5);
  EXPECT_EQ(chart.at("same"), "zone, ring");
  EXPECT_EQ(chart.at("notes"), both_lines);
}

TEST_F(SimulationCharts, OneNumberOfQueuePairsIsNoCurve) {
  std::vector<SimulationPoint> workloads = simulated_workloads(run());
  workloads.pop_back();
  EXPECT_TRUE(imbalance_chart(workloads).at("points").empty());
}

TEST_F(SimulationCharts, WordsOfKeysHaveTheirNames) {
  std::vector<SimulationPoint> leaves = simulated_leaves(run());
  for (SimulationPoint& leaf : leaves) leaf.point.axes.emplace_back("switch.xoff", "64KiB");
  EXPECT_EQ(uplink_maps(leaves).at("same"), "zone, ring, ecmp, switch.xoff 64KiB");
}

TEST_F(SimulationCharts, StepsAreWorthAsManyAsAreAlike) {
  const Json chart = step_chart(simulated_steps(run()), simulated_workloads(run()));
  ASSERT_EQ(chart.at("points").size(), 4U);
  const Json& first = chart.at("points")[0];
  EXPECT_EQ(first.at("kernel"), "1GiB all_reduce");
  EXPECT_EQ(first.at("series"), "queue_pairs 1");
  EXPECT_NEAR(first.at("value").get<double>(), 10, 0.3);
  EXPECT_NEAR(chart.at("points")[1].at("value").get<double>(), 1, 0.03);
  EXPECT_EQ(chart.at("totals")[1].at("series"), "queue_pairs 4");
  EXPECT_NEAR(chart.at("totals")[1].at("value").get<double>(), 12, 0.3);
}

TEST_F(SimulationCharts, UplinksAreAMapForEachPolicy) {
  const Json chart = uplink_maps(simulated_leaves(run()));
  ASSERT_EQ(chart.at("matrices").size(), 2U);
  const Json& map = chart.at("matrices")[0];
  EXPECT_EQ(map.at("title"), "queue_pairs 1");
  EXPECT_EQ(map.at("most"), 2.5);
  EXPECT_EQ(map.at("seed"), 7);
  EXPECT_EQ(map.at("remark"), "2 of 256 leaves: the most loaded of those whose uplinks carry anything");
  ASSERT_EQ(map.at("cells").size(), 7U) << "the failed one has none";
  EXPECT_EQ(map.at("cells")[2], Json({{"row", 0}, {"column", 2}, {"value", 2.5}}));
  EXPECT_EQ(map.at("cells")[6], Json({{"row", 1}, {"column", 3}, {"value", 1.5}}));
  EXPECT_EQ(chart.at("notes"), both_lines);
}

TEST_F(SimulationCharts, APlacementHasTiersAgainstOrders) {
  const Json chart = placement_matrices(simulated_placements(run()));
  ASSERT_EQ(chart.at("matrices").size(), 1U);
  const Json& cells = chart.at("matrices")[0].at("cells");
  ASSERT_EQ(cells.size(), 2U + 2 + 2);
  EXPECT_EQ(cells[0].at("row"), "leave their leaf");
  EXPECT_THAT(cells[0].at("column").get<std::string>(), testing::StartsWith("as it is: 4.99"));
  EXPECT_EQ(cells[0].at("value"), 8.0);
  EXPECT_THAT(cells[3].at("column").get<std::string>(),
              testing::AllOf(testing::StartsWith("placed: "), testing::EndsWith(" ms")));
  EXPECT_EQ(cells[3].at("value"), 2.0);
  EXPECT_EQ(cells[5].at("column"), "at least");
  EXPECT_EQ(cells[5].at("value"), 1.0);
}

TEST_F(SimulationCharts, TablesHoldTheSameNumbersAndSayThatTheyAreSimulated) {
  for (const Table& table :
       {simulated_workload_table(simulated_workloads(run())), simulated_step_table(simulated_steps(run())),
        uplink_table(simulated_leaves(run())), placement_table(simulated_placements(run()))}) {
    EXPECT_THAT(table.title, testing::AnyOf(HasSubstr("imulated"), HasSubstr("uplinks")));
    EXPECT_EQ(Json(table.notes), both_lines) << table.title;
  }
  const Table uplinks = uplink_table(simulated_leaves(run()));
  EXPECT_EQ(uplinks.columns.back().name, "uplink 3");
  EXPECT_EQ(cell_text(uplinks.rows[0].back(), Column::Kind::number), "1.000");
  EXPECT_TRUE(std::holds_alternative<std::monostate>(uplinks.rows[1][uplinks.columns.size() - 2]));
}

TEST_F(SimulationCharts, EverySectionIsInTheReport) {
  const Json data = report_data(run());
  int simulated = 0;
  for (const Section& section : sections()) {
    if (!std::string(section.id).starts_with("simulated-")) continue;
    EXPECT_THAT(section_html(section, run(), data), HasSubstr("Known error: 17 %")) << section.id;
    ++simulated;
  }
  EXPECT_EQ(simulated, 4);
}

}  // namespace
}  // namespace assay::results
