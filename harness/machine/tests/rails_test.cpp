// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/topology/rails.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/core/tests/message_of.hpp"

namespace assay::machine {
namespace {

using core::tests::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

/// A device below a root port of its host bridge, and below `switches`.
PcieLink link_at(const std::string& address, const std::string& bridge, int node,
                 std::vector<std::string> path) {
  PcieLink link;
  link.address = address;
  link.host_bridge = bridge;
  link.numa_node = node;
  link.path = std::move(path);
  return link;
}

Hca port_at(const std::string& device, const PcieLink& link, int port = 1) {
  Hca hca;
  hca.device = device;
  hca.port = port;
  hca.state = "ACTIVE";
  hca.pcie = link;
  return hca;
}

Gpu gpu_at(int index, const PcieLink& link) {
  Gpu gpu;
  gpu.index = index;
  gpu.pcie = link;
  return gpu;
}

Machine with_nodes(int nodes) {
  Machine machine;
  machine.numa.resize(static_cast<std::size_t>(nodes));
  return machine;
}

std::string at(int number) { return "0000:" + std::to_string(10 + number); }

/// The two downstream ports of the switch of pair `pair`, which has its own root port and host bridge.
PcieLink below_switch(int pair, int slot) {
  const std::string bus = at(pair);
  return link_at(bus + ":0" + std::to_string(slot) + ".0", "pci" + bus, pair / 4,
                 {bus + ":01.0", bus + ":10.0", bus + ":11." + std::to_string(slot)});
}

/// Eight GPUs and eight adapters, each pair below a switch. The driver counts GPUs from the far end.
Machine hgx() {
  Machine machine = with_nodes(2);
  for (int pair = 0; pair < 8; ++pair) {
    machine.gpus.push_back(gpu_at(pair, below_switch(7 - pair, 2)));
    machine.hcas.push_back(port_at("mlx5_" + std::to_string(pair), below_switch(pair, 3)));
  }
  return machine;
}

std::vector<std::string> choices(const Machine& machine, const std::vector<LocalRank>& ranks) {
  std::vector<std::string> devices;
  for (std::size_t own = 0; own < ranks.size(); ++own) {
    const auto choice = choose_adapter(machine, rails_of(machine), ranks, own);
    devices.push_back(choice ? choice->device : "none");
  }
  return devices;
}

std::string reason(const Machine& machine, const std::vector<LocalRank>& ranks, std::size_t own) {
  return choose_adapter(machine, rails_of(machine), ranks, own)->reason;
}

std::vector<LocalRank> one_per_gpu(int ranks) {
  std::vector<LocalRank> local;
  for (int gpu = 0; gpu < ranks; ++gpu) local.push_back({.gpu = gpu});
  return local;
}

TEST(Rails, AreCountedByPciAddress) {
  Machine machine = with_nodes(1);
  machine.hcas = {port_at("mlx5_0", link_at("0000:d8:00.0", "pci0000:d7", 0, {})),
                  port_at("mlx5_1", link_at("10000:01:00.0", "pci10000:00", 0, {})), port_at("rxe0", {}),
                  port_at("mlx5_2", link_at("0000:1a:00.0", "pci0000:17", 0, {}), 1),
                  port_at("mlx5_2", link_at("0000:1a:00.0", "pci0000:17", 0, {}), 2)};
  std::vector<std::string> names;
  for (const Hca* port : rails_of(machine)) names.push_back(port_name(*port));
  EXPECT_THAT(names, ElementsAre("mlx5_2:1", "mlx5_2:2", "mlx5_0:1", "mlx5_1:1", "rxe0:1"));
}

TEST(Rails, AreThoseThatAreNamed) {
  const Machine machine = hgx();
  const auto rails = rails_of(machine, {"mlx5_5", "mlx5_2:1"});
  ASSERT_EQ(rails.size(), 2U);
  EXPECT_EQ(rails[0]->device, "mlx5_5");
  EXPECT_EQ(rails[1]->device, "mlx5_2");
  EXPECT_THAT(message_of([&] { rails_of(machine, {"mlx5_9"}); }),
              HasSubstr("no port of an RDMA device is named 'mlx5_9' (there are: mlx5_0:1 mlx5_1:1"));
  EXPECT_EQ(message_of([&] { rails_of(machine, {"mlx5_2", "mlx5_2:1"}); }),
            "'mlx5_2:1' appears twice among the rails");
}

TEST(AdapterChoice, OfAnHgxNodeIsTheAdapterBelowTheSwitchOfItsGpu) {
  const auto ranks = one_per_gpu(8);
  EXPECT_THAT(choices(hgx(), ranks), ElementsAre("mlx5_7:1", "mlx5_6:1", "mlx5_5:1", "mlx5_4:1", "mlx5_3:1",
                                                 "mlx5_2:1", "mlx5_1:1", "mlx5_0:1"));
  EXPECT_EQ(reason(hgx(), ranks, 2), "nearest to GPU 2 (PIX)");
  EXPECT_EQ(choose_adapter(hgx(), rails_of(hgx()), ranks, 2)->rail, 5);
}

TEST(AdapterChoice, SpreadsEightGpusOverTheTwoAdaptersOfTheirNode) {
  Machine machine = with_nodes(2);
  for (int gpu = 0; gpu < 8; ++gpu) machine.gpus.push_back(gpu_at(gpu, below_switch(gpu, 2)));
  for (int nic = 0; nic < 4; ++nic)
    machine.hcas.push_back(port_at("mlx5_" + std::to_string(nic),
                                   link_at("0000:e" + std::to_string(nic) + ":00.0",
                                           "pci0000:e" + std::to_string(nic), nic / 2, {"0000:e0:01.0"})));
  EXPECT_THAT(choices(machine, one_per_gpu(8)), ElementsAre("mlx5_0:1", "mlx5_1:1", "mlx5_0:1", "mlx5_1:1",
                                                            "mlx5_2:1", "mlx5_3:1", "mlx5_2:1", "mlx5_3:1"));
  EXPECT_EQ(reason(machine, one_per_gpu(8), 5), "nearest to GPU 5 (NODE, one of 2)");
}

TEST(AdapterChoice, OfOneAdapterIsThatForAllRanks) {
  Machine machine = hgx();
  machine.hcas.resize(1);
  EXPECT_THAT(choices(machine, one_per_gpu(8)), testing::Each("mlx5_0:1"));
  EXPECT_EQ(reason(machine, one_per_gpu(8), 0), "nearest to GPU 0 (SYS)");
}

TEST(AdapterChoice, UsesBothPortsOfAnAdapterThatTwoGpusShare) {
  Machine machine = with_nodes(1);
  machine.gpus = {gpu_at(0, below_switch(0, 1)), gpu_at(1, below_switch(0, 2))};
  machine.hcas = {port_at("mlx5_0", below_switch(0, 3), 1), port_at("mlx5_0", below_switch(0, 3), 2)};
  EXPECT_THAT(choices(machine, one_per_gpu(2)), ElementsAre("mlx5_0:1", "mlx5_0:2"));
}

TEST(AdapterChoice, GivesARankWhoseGpuIsMissingTheAdapterThatNoneTook) {
  Machine machine = hgx();
  machine.gpus.erase(machine.gpus.begin() + 3);  // the one beside mlx5_4
  const auto ranks = one_per_gpu(8);
  const auto devices = choices(machine, ranks);
  EXPECT_EQ(devices[7], "mlx5_4:1");
  EXPECT_THAT(reason(machine, ranks, 7), HasSubstr("no GPU ("));
}

TEST(AdapterChoice, WithoutGpusIsOfTheRanksNumaNode) {
  Machine machine = hgx();
  machine.gpus.clear();
  EXPECT_THAT(choices(machine, {{.numa_node = 1}, {.numa_node = 0}, {.numa_node = 1}, {}}),
              ElementsAre("mlx5_4:1", "mlx5_0:1", "mlx5_5:1", "mlx5_1:1"));
  EXPECT_EQ(reason(machine, {{.numa_node = 1}}, 0), "no GPU (NUMA node 1, the rank's is 1, one of 4)");
}

TEST(AdapterChoice, TakesTheNextPortForOneThatIsDownAndSaysSo) {
  Machine machine = hgx();
  machine.hcas[7].state = "DOWN";
  const auto ranks = one_per_gpu(8);
  EXPECT_EQ(choices(machine, ranks)[0], "mlx5_4:1");
  EXPECT_EQ(reason(machine, ranks, 0), "nearest to GPU 0 (NODE, one of 3); mlx5_7:1 is nearer and DOWN");
  for (Hca& port : machine.hcas) port.state = "DOWN";
  EXPECT_THAT(choices(machine, ranks), testing::Each("none"));
}

}  // namespace
}  // namespace assay::machine
