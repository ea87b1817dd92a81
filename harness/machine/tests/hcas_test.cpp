// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/machine/describe/describe.hpp"
#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/parts.hpp"
#include "harness/machine/tests/fake_hcas.hpp"

namespace assay::machine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<Hca> hcas_of(const FakeNode& node) {
  Notes notes;
  return read_hcas(Tree(node.root()), notes);
}

TEST(Hcas, AnInfiniBandPortTellsWhoItIs) {
  FakeNode node;
  write_port(node, {});
  const auto hcas = hcas_of(node);
  ASSERT_EQ(hcas.size(), 1U);
  const Hca& hca = hcas[0];
  EXPECT_EQ(hca.state, "ACTIVE");
  EXPECT_EQ(hca.physical_state, "LinkUp");
  EXPECT_EQ(hca.link_layer, "InfiniBand");
  EXPECT_EQ(hca.part, "MT4129");
  EXPECT_EQ(hca.description, "node-1 mlx5_0");
  EXPECT_EQ(hca.node_guid, "a088:c203:0012:3450");
  EXPECT_EQ(hca.port_guid, "a088:c203:0012:3451");
  EXPECT_EQ(hca.system_image_guid, "a088:c203:0012:3450");
  EXPECT_EQ(hca.lid, 26);
  EXPECT_EQ(hca.pcie.numa_node, 1);
  EXPECT_FALSE(hca.software);
  ASSERT_EQ(hca.gids.size(), 1U);
  EXPECT_EQ(hca.gids[0].netdev, "");
}

TEST(Hcas, ARocePortTellsItsGidsWithTypesAndNetdevs) {
  FakeNode node;
  write_port(node, {.device = "mlx5_4", .ethernet = true, .up = true, .netdev = "eth4"});
  const auto hcas = hcas_of(node);
  ASSERT_EQ(hcas.size(), 1U);
  EXPECT_EQ(hcas[0].netdev, "eth4");
  EXPECT_EQ(hcas[0].mtu_bytes, 4096);
  EXPECT_EQ(hcas[0].port_guid, "");
  EXPECT_EQ(hcas[0].lid, 0);
  ASSERT_EQ(hcas[0].gids.size(), 4U);  // the unused fifth is left out
  EXPECT_EQ(hcas[0].gids[3].index, 3);
  EXPECT_EQ(hcas[0].gids[3].gid, "0000:0000:0000:0000:0000:ffff:0a00:0001");
  EXPECT_EQ(hcas[0].gids[3].type, "RoCE v2");
  EXPECT_EQ(hcas[0].gids[3].netdev, "eth4");
}

TEST(Hcas, APortThatIsDownSaysHow) {
  FakeNode node;
  write_port(node, {.device = "mlx5_0", .ethernet = false, .up = false, .netdev = ""});
  write_port(
      node, {.device = "mlx5_1", .ethernet = true, .up = false, .netdev = "eth1", .address = "0000:16:00.0"});
  const auto hcas = hcas_of(node);
  ASSERT_EQ(hcas.size(), 2U);
  EXPECT_EQ(hcas[0].state, "DOWN");
  EXPECT_EQ(hcas[0].physical_state, "Polling");
  EXPECT_EQ(hcas[0].lid, 0);
  EXPECT_EQ(hcas[1].physical_state, "Disabled");
}

TEST(Hcas, ABondNamesItsMembers) {
  FakeNode node;
  write_bond(node);
  const auto hcas = hcas_of(node);
  ASSERT_EQ(hcas.size(), 1U);
  EXPECT_EQ(hcas[0].device, "mlx5_bond_0");
  EXPECT_EQ(hcas[0].netdev, "bond0");
  EXPECT_THAT(hcas[0].bond_members, ElementsAre("eth0", "eth1"));
  EXPECT_EQ(hcas[0].mtu_bytes, 4096);
}

TEST(Hcas, RxeIsASoftwareDevice) {
  FakeNode node;
  write_rxe(node);
  const auto hcas = hcas_of(node);
  ASSERT_EQ(hcas.size(), 1U);
  EXPECT_TRUE(hcas[0].software);
  EXPECT_EQ(hcas[0].pcie.address, "");
  EXPECT_EQ(hcas[0].firmware, "");
  EXPECT_EQ(hcas[0].gids.size(), 4U);
}

TEST(Hcas, ASoftwareDeviceOnAPciNetdevIsStillSoftware) {
  FakeNode node;
  write_port(node, {.device = "rxe0", .ethernet = true, .up = true, .netdev = "eth0"});
  node.write("/sys/class/infiniband/rxe0/parent", "eth0\n");
  EXPECT_TRUE(hcas_of(node)[0].software);
}

TEST(Hcas, APortWithoutGidsHasNoPortGuid) {
  FakeNode node;
  write_port(node, {});
  node.remove("/sys/class/infiniband/mlx5_0/ports/1/gids");
  EXPECT_THAT(hcas_of(node)[0].gids, IsEmpty());
  EXPECT_EQ(hcas_of(node)[0].port_guid, "");
}

TEST(Hcas, UnreadableFilesLeaveFactsEmpty) {
  FakeNode node;
  write_port(node, {});
  for (const std::string name : {"phys_state", "lid", "rate", "gids/0"})
    node.make_unreadable("/sys/class/infiniband/mlx5_0/ports/1/" + name);
  const auto hcas = hcas_of(node);
  ASSERT_EQ(hcas.size(), 1U);
  EXPECT_EQ(hcas[0].physical_state, "");
  EXPECT_EQ(hcas[0].rate, "");
  EXPECT_EQ(hcas[0].lid, 0);
}

TEST(Hcas, OfSoftwareShowNoRateInTheText) {
  FakeNode node;
  write_rxe(node);
  Machine machine;
  machine.hcas = hcas_of(node);
  EXPECT_THAT(to_text(machine), HasSubstr("software"));
  EXPECT_THAT(to_text(machine), Not(HasSubstr("2.5 Gb/sec")));
  EXPECT_EQ(to_json(machine)["hcas"][0]["software"], true);
}

TEST(NearestGpus, AreThoseBehindTheSameSwitch) {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  const Machine machine = look(node.root(), Nvml(FAKE_NVML));
  ASSERT_EQ(machine.hcas.size(), 8U);
  EXPECT_THAT(machine.hcas[0].nearest_gpus.indices, ElementsAre(0));
  EXPECT_EQ(machine.hcas[0].nearest_gpus.distance, "PIX");
  EXPECT_EQ(machine.hcas[3].nearest_gpus.distance, "PXB");
  EXPECT_THAT(machine.hcas[6].nearest_gpus.indices, ElementsAre(6));
  EXPECT_EQ(machine.hcas[6].nearest_gpus.distance, "PHB");
}

TEST(NearestGpus, AreAllThatAreEquallyNear) {
  Machine machine;
  for (int index = 0; index < 3; ++index) {
    machine.gpus.emplace_back();
    machine.gpus.back().index = index;
    machine.gpus.back().pcie.address = "0000:1" + std::to_string(index) + ":00.0";
  }
  machine.hcas.emplace_back();
  machine.hcas[0].pcie.address = "0000:20:00.0";
  machine.hcas.emplace_back();  // a software device is near to none
  machine.distances = {{"0000:10:00.0", "0000:20:00.0", "SYS"},
                       {"0000:20:00.0", "0000:11:00.0", "NODE"},
                       {"0000:12:00.0", "0000:20:00.0", "NODE"}};
  find_nearest_gpus(machine);
  EXPECT_THAT(machine.hcas[0].nearest_gpus.indices, ElementsAre(1, 2));
  EXPECT_EQ(machine.hcas[0].nearest_gpus.distance, "NODE");
  EXPECT_THAT(machine.hcas[1].nearest_gpus.indices, IsEmpty());
}

}  // namespace
}  // namespace assay::machine
