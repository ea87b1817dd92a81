// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/answer/advice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/fabric/simulate/tests/simulated.hpp"

namespace assay::model::fabric {
namespace {

/// Traffic engineering plans at most 500,000 pairs of a source and a leaf.
TEST(Advice, AChangeThatCannotBeSimulatedIsNamedAndEndsNothing) {
  const SimulationOptions bound{.sharing = SharingChoice::bound};
  const Simulated run("preset = 'ai-zone'\nleaves = 1024\ngpus_per_leaf = 1\nspines = 2\n",
                      one_operation(1024, "pattern = 'all_to_all'\nbytes = '1MiB'\n"), bound);
  const auto changes = what_would_help(run.scenario, run.result, bound);
  ASSERT_TRUE(changes.has_value());
  ASSERT_EQ(changes->size(), 4U);
  EXPECT_EQ(changes->back().what, "traffic engineering");
  EXPECT_THAT(changes->back().refused, testing::HasSubstr("te plans at most 500000 pairs"));
}

TEST(Advice, IsNoneWhereLinksOfHostsDecide) {
  const Simulated run("preset = 'ai-zone'\nleaves = 2\ngpus_per_leaf = 4\nspines = 4\n",
                      one_operation(8, "collective = 'all_reduce'\nalgorithm = 'ring'\nbytes = '1MiB'\n"));
  EXPECT_TRUE(hosts_decide(run.result));
  const auto changes = what_would_help(run.scenario, run.result, {});
  ASSERT_TRUE(changes.has_value());
  EXPECT_TRUE(changes->empty());
  const Simulated narrow("preset = 'ai-zone'\nleaves = 2\ngpus_per_leaf = 4\nspines = 1\n",
                         one_operation(8, "pattern = 'shift'\nby = 4\nbytes = '1MiB'\n"));
  EXPECT_FALSE(hosts_decide(narrow.result));
  EXPECT_FALSE(what_would_help(narrow.scenario, narrow.result, {})->empty());
}

}  // namespace
}  // namespace assay::model::fabric
