// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/sharing/active_flows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace assay::model::fabric {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ActiveFlows, AreJoinedBySharedLinksOverOtherFlows) {
  Paths paths;
  for (const std::vector<LinkId>& path :
       std::vector<std::vector<LinkId>>{{0, 1}, {1, 2}, {2, 3}, {4, 5}, {5}})
    paths.append(path);
  ActiveFlows active(paths, 6);
  for (FlowId flow = 0; flow < paths.size(); ++flow) active.add(flow);
  EXPECT_THAT(active.joined(paths[0]), ElementsAre(0, 1, 2));
  EXPECT_THAT(active.joined(paths[4]), ElementsAre(3, 4));
  active.remove(1);
  EXPECT_FALSE(active.has(1));
  EXPECT_THAT(active.joined(paths[0]), ElementsAre(0));
  EXPECT_THAT(active.joined(paths[1]), ElementsAre(0, 2)) << "what a flow that ended leaves";
  active.add(1);
  EXPECT_THAT(active.joined(paths[3]), ElementsAre(3, 4));
  active.remove(3);
  active.remove(4);
  EXPECT_THAT(active.joined(paths[3]), IsEmpty());
}

}  // namespace
}  // namespace assay::model::fabric
