// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/link_order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::model::fabric {
namespace {

Paths paths_of(const std::vector<std::vector<LinkId>>& rows) {
  Paths paths;
  for (const std::vector<LinkId>& row : rows) paths.append(row);
  return paths;
}

TEST(LinkOrder, RisesAlongEveryPath) {
  const Paths paths = paths_of({{4, 2, 0}, {3, 2, 1}, {4, 1}});
  const LinkOrder order = order_of_links(paths, 5);
  EXPECT_TRUE(order.cycle.empty());
  for (std::size_t flow = 0; flow < paths.size(); ++flow)
    for (std::size_t hop = 1; hop < paths[flow].size(); ++hop)
      EXPECT_LT(order.rank[paths[flow][hop - 1]], order.rank[paths[flow][hop]]);
}

TEST(LinkOrder, LinksOfOneDepthFollowEachOtherAndNeverFeedEachOther) {
  const Paths paths = paths_of({{4, 2, 0}, {3, 2, 1}, {4, 1}, {5, 6}, {6, 7}, {5, 4}});
  const LinkOrder order = order_of_links(paths, 8);
  EXPECT_THAT(order.depth, testing::ElementsAre(3, 3, 2, 0, 1, 0, 1, 2));
  for (LinkId one = 0; one < 8; ++one)
    for (LinkId other = 0; other < 8; ++other) {
      if (order.rank[one] < order.rank[other]) {
        EXPECT_LE(order.depth[one], order.depth[other]);
      }
    }
}

TEST(LinkOrder, NamesACycleOfBuffers) {
  // 1 waits for 2, 2 for 3, 3 for 1; 0 leads in, 4 leads out.
  const LinkOrder order = order_of_links(paths_of({{0, 1, 2}, {2, 3}, {3, 1, 4}}), 5);
  EXPECT_THAT(order.cycle, testing::UnorderedElementsAre(1, 2, 3));
  const auto at = std::ranges::find(order.cycle, 1U);
  EXPECT_EQ(at + 1 == order.cycle.end() ? order.cycle.front() : at[1], 2U) << "in the order of waiting";
}

}  // namespace
}  // namespace assay::model::fabric
