// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/describe/describe.hpp"

#include <gtest/gtest.h>

#include "harness/machine/tests/approved.hpp"
#include "harness/machine/tests/sample_machines.hpp"

namespace assay::machine {
namespace {

TEST(Describe, TheTextOfAFullNodeIsApproved) {
  EXPECT_TRUE(is_approved("full.approved.txt", to_text(full_node())));
}

TEST(Describe, TheTextOfABareNodeIsApproved) {
  EXPECT_TRUE(is_approved("bare.approved.txt", to_text(bare_node())));
}

TEST(Describe, TheTextOfAMachineThatTellsNothingIsApproved) {
  EXPECT_TRUE(is_approved("nothing.approved.txt", to_text(Machine{})));
}

TEST(Describe, TheJsonOfAFullNodeIsApproved) {
  EXPECT_TRUE(is_approved("full.approved.json", to_json(full_node()).dump(2) + "\n"));
}

TEST(Describe, TheJsonOfABareNodeIsApproved) {
  EXPECT_TRUE(is_approved("bare.approved.json", to_json(bare_node()).dump(2) + "\n"));
}

TEST(Describe, TheTopologyOfAFullNodeIsApproved) {
  EXPECT_TRUE(is_approved("full_topology.approved.txt", topology_text(full_node())));
  EXPECT_TRUE(is_approved("full_topology.approved.svg", topology_svg(full_node())));
}

TEST(Describe, TheTopologyOfABareNodeIsApproved) {
  EXPECT_TRUE(is_approved("bare_topology.approved.txt", topology_text(bare_node())));
  EXPECT_TRUE(is_approved("bare_topology.approved.svg", topology_svg(bare_node())));
}

TEST(Topology, ADeviceWhoseNodeIsNotToldIsDrawnApart) {
  Machine machine = full_node();
  machine.gpus[4].pcie.numa_node = -1;
  const std::string text = topology_text(machine);
  const auto apart = text.find("NUMA node unknown");
  ASSERT_NE(apart, std::string::npos);
  EXPECT_GT(text.find("GPU 4"), apart);
  EXPECT_LT(text.find("mlx5_4"), apart);
  EXPECT_NE(topology_svg(machine).find("NUMA node unknown"), std::string::npos);
}

TEST(Topology, WithOneNodeThereIsNoOtherPlaceForADevice) {
  Machine machine = bare_node();
  Hca software;
  software.device = "rxe0";
  software.state = "ACTIVE";
  machine.hcas.push_back(software);
  EXPECT_EQ(topology_text(machine).find("NUMA node unknown"), std::string::npos);
  EXPECT_NE(topology_text(machine).find("rxe0"), std::string::npos);
}

TEST(Describe, TheSameMachineGivesTheSameBytes) {
  EXPECT_EQ(to_json(full_node()).dump(), to_json(full_node()).dump());
  EXPECT_EQ(topology_svg(full_node()), topology_svg(full_node()));
}

}  // namespace
}  // namespace assay::machine
