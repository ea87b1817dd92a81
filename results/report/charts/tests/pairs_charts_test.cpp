// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "results/report/charts/charts.hpp"

namespace assay::results {
namespace {

FabricPoint point_of(std::vector<FlowReport> flows) {
  FabricPoint point;
  point.point.case_name = "rdma.verbs.pairs";
  point.metrics["median_flow_gb_per_s"] = {40};
  point.flows = std::move(flows);
  point.conditions = {{"host", "node-a"}};
  point.ranks = {{1, {{"host", "node-b"}}}};
  return point;
}

TEST(PairsCharts, HaveEveryFlowItsShareOfTheMedianAndWhoIsSuspect) {
  const auto charts = pairs_charts({point_of({{.from = 0, .to = 1, .gb_per_s = 40},
                                              {.from = 1, .to = 0, .gb_per_s = 37},
                                              {.from = 1, .to = 2, .gb_per_s = 39, .alone_gb_per_s = 41}})});
  ASSERT_EQ(charts.size(), 1U);
  EXPECT_EQ(charts[0]["series"], "pairs");
  EXPECT_EQ(charts[0]["ranks"][0]["name"], "node-a");
  EXPECT_EQ(charts[0]["ranks"][2]["name"], "rank 2");
  const auto& flows = charts[0]["flows"];
  ASSERT_EQ(flows.size(), 3U);
  EXPECT_EQ(flows[0]["from"], 1);
  EXPECT_EQ(flows[0]["of_median"], 92.5);
  EXPECT_EQ(flows[0]["suspect"], true);
  EXPECT_EQ(flows[1]["alone"], 41.0);
  EXPECT_EQ(flows[1]["suspect"], true) << "the module ran it again, whatever its rate";
  EXPECT_EQ(flows[2]["suspect"], false);
  EXPECT_TRUE(flows[2]["alone"].is_null());
}

TEST(PairsCharts, OfTwoFlowsOrOfNoneListedAreNone) {
  EXPECT_TRUE(
      pairs_charts({point_of({{.from = 0, .to = 1, .gb_per_s = 40}, {.from = 1, .to = 0, .gb_per_s = 40}})})
          .empty());
  EXPECT_TRUE(pairs_charts({point_of({})}).empty());
}

}  // namespace
}  // namespace assay::results
