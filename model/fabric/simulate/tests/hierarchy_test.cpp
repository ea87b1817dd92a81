// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "model/fabric/simulate/tests/simulated.hpp"

namespace assay::model::fabric {
namespace {

TEST(Hierarchy, AHierarchyUsesNvlinkWithinServersAndEveryRailAcross) {
  const std::string star = "preset = 'star'\nhosts = 64\nlink = { hop_latency_us = 0 }\n";
  const std::string all_reduce = "collective = 'all_reduce'\nalgorithm = 'hierarchical'\nbytes = '64MiB'\n";
  const Simulated run(star + "host = { gpus = 8, nvlink_gb_per_s = 450 }\n", one_operation(64, all_reduce),
                      {.sharing = SharingChoice::bound});
  const double bytes = 64 << 20;
  const double step_us = 4096 / LinkSpeed{}.goodput();  // a packet stored at the leaf
  const double within_us = 14 * bytes / 8 / 450e3;
  const double across_us = 14 * (step_us + bytes / 64 / LinkSpeed{}.goodput());
  EXPECT_NEAR(run.time_us(), within_us + across_us, 1e-6 * run.time_us());
}

/// Without contention: rings within nodes over NVLink, and the closed form of the algorithm across.
TEST(Hierarchy, TakesWhatItsPartsTakeWhicheverAlgorithmGoesAcross) {
  const double bytes = 1 << 30, goodput = LinkSpeed{}.goodput(), step_us = 4096 / goodput;
  for (const auto& [nodes, per_node] : {std::pair(2, 8), {4, 4}, {8, 8}, {16, 2}}) {
    const std::string star = "preset = 'star'\nhosts = " + std::to_string(nodes * per_node) +
                             "\nlink = { hop_latency_us = 0 }\nhost = { gpus = " + std::to_string(per_node) +
                             ", nvlink_gb_per_s = 450 }\n";
    const double part = bytes / per_node, stages = std::log2(nodes);
    const double within_us = 2 * (per_node - 1) * part / 450e3;
    const std::pair<const char*, double> across_us[] = {
        {"ring", 2 * (nodes - 1) * (step_us + part / nodes / goodput)},
        {"doubling", stages * (step_us + part / goodput)},
        {"halving_doubling", 2 * stages * step_us + 2 * part * (nodes - 1) / nodes / goodput}};
    for (const auto& [across, us] : across_us) {
      const Simulated run(star, one_operation(static_cast<std::uint32_t>(nodes * per_node),
                                              std::string("collective = 'all_reduce'\nalgorithm = "
                                                          "'hierarchical'\nacross = '") +
                                                  across + "'\nbytes = '1GiB'\n"));
      EXPECT_NEAR(run.time_us() / (within_us + us), 1, 1e-6) << across << ", " << nodes << " x " << per_node;
    }
  }
}

}  // namespace
}  // namespace assay::model::fabric
