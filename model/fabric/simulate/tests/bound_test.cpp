// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/error.hpp"
#include "model/fabric/simulate/tests/simulated.hpp"

namespace assay::model::fabric {
namespace {

/// Long hops, local and distant flows, equal and unequal ones.
TEST(Bound, IsNeverAboveWhatARuleComputesNorIsWhatLinksAllow) {
  for (const std::string routing : {"kind = 'ecmp', queue_pairs = 4", "kind = 'spray', spray_efficiency = 1"})
    for (const std::string nvlink : {"", "host = { gpus = 4, nvlink_gb_per_s = 450 }\n"})
      for (const std::string work :
           {"pattern = 'shift'\nby = 1\nbytes = '64MiB'\n",
            "pattern = 'permutation'\nseed = 3\nbytes = '1MiB'\n", "pattern = 'incast'\nbytes = '1MiB'\n",
            "collective = 'all_reduce'\nbytes = '64MiB'\n",
            "collective = 'all_reduce'\nalgorithm = 'double_tree'\nbytes = '64MiB'\n",
            "collective = 'all_reduce'\nalgorithm = 'halving_doubling'\nbytes = '64MiB'\n",
            "pattern = 'all_to_all'\nbytes = '16MiB'\n"}) {
        const std::string zone =
            "preset = 'ai-zone'\nleaves = 4\ngpus_per_leaf = 4\nspines = 4\nlink = { hop_latency_us = 50 "
            "}\n" +
            nvlink + "routing = { " + routing + " }\n";
        const auto time_us = [&](SharingChoice rule) {
          const Simulated run(zone, one_operation(16, work), {.sharing = rule});
          EXPECT_LE(run.result.even_us, run.time_us() * (1 + 1e-9)) << work;
          return run.time_us();
        };
        const double bound_us = time_us(SharingChoice::bound) * (1 - 1e-9);
        EXPECT_GE(time_us(SharingChoice::max_min), bound_us) << zone << work;
        EXPECT_GE(time_us(SharingChoice::occupancy), bound_us) << zone << work;
      }
}

/// 17 million flows, which no rule but the bound can hold.
const std::string all_of_4160 = one_operation(4160, "pattern = 'all_to_all'\nbytes = '4160MiB'\n");
const std::string zone_of_4160 = "preset = 'ai-zone'\nleaves = 260\nlink = { hop_latency_us = 0 }\n";

TEST(Bound, StandsForMaxMinWhereEqualFlowsAreTooManyToStore) {
  const Simulated fair(zone_of_4160, all_of_4160, {.sharing = SharingChoice::max_min}),
      bound(zone_of_4160, all_of_4160, {.sharing = SharingChoice::bound});
  EXPECT_EQ(fair.result.rules, std::vector{SharingRuleKind::bound}) << "and the answer says so";
  EXPECT_EQ(fair.time_us(), bound.time_us());
}

TEST(Bound, DoesNotStandForOccupancyWhoseRefusalSaysWhatToChange) {
  try {
    Simulated(zone_of_4160, all_of_4160, {.sharing = SharingChoice::occupancy});
    ADD_FAILURE() << "accepted";
  } catch (const core::Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("under occupancy sharing need"));
    EXPECT_THAT(error.what(), testing::HasSubstr("shifts, which are sampled (algorithm = \"pairwise\")"));
  }
}

/// A ring over racks: hosts at a rack's end send far, and their latency comes after all of their bytes.
TEST(Bound, OfMessagesOfUnequalPathsIsTheEndOfMaxMin) {
  for (const std::string routing : {"kind = 'pinned'", "kind = 'spray', spray_efficiency = 1"})
    for (const std::string work :
         {"collective = 'all_reduce'\nalgorithm = 'ring'\nbytes = '16MiB'\n",
          "pattern = 'all_to_all'\nbytes = '1MiB'\n", "pattern = 'shift'\nby = 1\nbytes = '1MiB'\n",
          "pattern = 'incast'\nbytes = '1MiB'\n"}) {
      const std::string zone =
          "preset = 'ai-zone'\nleaves = 4\ngpus_per_leaf = 16\nlink = { hop_latency_us = 2 }\nrouting = { " +
          routing + " }\n";
      const Simulated bound(zone, one_operation(64, work), {.sharing = SharingChoice::bound}),
          fair(zone, one_operation(64, work), {.sharing = SharingChoice::max_min});
      EXPECT_NEAR(bound.time_us(), fair.time_us(), 0.01 * fair.time_us()) << routing << work;
    }
}

/// Computed by hand: 126 steps, each of the farthest message's four hops and its own bytes.
TEST(Bound, OfASprayedRingIsTheClosedForm) {
  const Simulated ring(
      "preset = 'ai-zone'\nleaves = 4\ngpus_per_leaf = 16\nlink = { hop_latency_us = 2 }\n"
      "routing = { kind = 'spray', spray_efficiency = 1 }\n",
      one_operation(64, "collective = 'all_reduce'\nalgorithm = 'ring'\nbytes = '16MiB'\n"));
  const double goodput = LinkSpeed{}.goodput(),
               step_us = 4 * 2 + 3 * 4096 / goodput + (16 << 20) / 64 / goodput;
  EXPECT_NEAR(ring.time_us(), 126 * step_us, 0.001 * ring.time_us());
}

}  // namespace
}  // namespace assay::model::fabric
