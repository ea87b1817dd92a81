// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/machine/machine.hpp"
#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/parts.hpp"
#include "harness/machine/tests/fake_node.hpp"
#include "harness/machine/tests/with_setting.hpp"

namespace assay::machine {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string absent_nvml = "/nonexistent/libnvidia-ml.so.1";

Machine look_at_full_node() {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  return look(node.root(), Nvml(FAKE_NVML));
}

Machine look_at_devices(const FakeNode& node) { return look(node.root(), Nvml(absent_nvml)); }

std::string distance_between(const Machine& machine, const std::string& from, const std::string& to) {
  for (const Distance& one : machine.distances)
    if (one.from == from && one.to == to) return one.distance;
  return "none";
}

TEST(LookAtDevices, ANodeWithoutGpusAndHcasSaysSoAndWhy) {
  FakeNode node;
  build_two_sockets(node);
  const Machine machine = look_at_devices(node);
  EXPECT_THAT(machine.gpus, IsEmpty());
  EXPECT_EQ(machine.gpu_unavailable,
            absent_nvml + ": cannot open shared object file: No such file or directory");
  EXPECT_THAT(machine.hcas, IsEmpty());
  EXPECT_THAT(machine.distances, IsEmpty());
  EXPECT_THAT(machine.notes, ElementsAre(HasSubstr("no RDMA device in /sys/class/infiniband")));
  for (const Hardware hardware : all_hardware) EXPECT_TRUE(machine.lacks(hardware)) << to_string(hardware);
}

TEST(LookAtDevices, AGpuIsDescribedByItsDriverAndItsLinkBySysfs) {
  const Machine machine = look_at_full_node();
  ASSERT_EQ(machine.gpus.size(), 8U);
  EXPECT_EQ(machine.gpu_unavailable, "");
  const Gpu& gpu = machine.gpus[5];
  EXPECT_EQ(gpu.name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(gpu.uuid, "GPU-00000005");
  EXPECT_EQ(gpu.serial, "165000000005");
  EXPECT_EQ(gpu.vbios, "96.00.99.00.01");
  EXPECT_EQ(gpu.compute_capability, "9.0");
  EXPECT_EQ(gpu.sm_count, 132);  // 16896 lanes of 128 each
  EXPECT_EQ(gpu.memory_bytes, 85520809984);
  EXPECT_EQ(gpu.memory_bus_bits, 5120);
  EXPECT_EQ(gpu.sm_clock_mhz, 1755);
  EXPECT_EQ(gpu.max_sm_clock_mhz, 1980);
  EXPECT_EQ(gpu.power_limit_w, 600);
  EXPECT_EQ(gpu.default_power_limit_w, 700);
  EXPECT_EQ(gpu.ecc_mode, "enabled");
  EXPECT_EQ(gpu.mig_mode, "disabled");
  EXPECT_EQ(gpu.nvlinks_active, 17);
  EXPECT_EQ(gpu.pcie.address, gpu_address(5));
  EXPECT_EQ(gpu.pcie.numa_node, 1);
  EXPECT_EQ(gpu.pcie.host_bridge, "pci0000:60");
  EXPECT_THAT(gpu.pcie.path, ElementsAre("0000:60:01.0", "0000:61:00.0", "0000:62:00.0"));
}

TEST(LookAtDevices, ALinkTrainedNarrowOrSlowIsDownTrained) {
  const Machine machine = look_at_full_node();
  EXPECT_EQ(machine.gpus[5].pcie.width, 8);
  EXPECT_EQ(machine.gpus[5].pcie.max_width, 16);
  EXPECT_TRUE(machine.gpus[5].pcie.down_trained());
  EXPECT_FALSE(machine.gpus[4].pcie.down_trained());
  EXPECT_EQ(machine.hcas[2].pcie.speed_gt_per_s, 16);
  EXPECT_EQ(machine.hcas[2].pcie.max_speed_gt_per_s, 32);
  EXPECT_TRUE(machine.hcas[2].pcie.down_trained());
  const auto slow = std::count_if(machine.switches.begin(), machine.switches.end(),
                                  [](const PcieLink& one) { return one.down_trained(); });
  EXPECT_EQ(slow, 1);
  EXPECT_EQ(machine.switches.size(), 8U);  // six of one level, two above mlx5_3, none above GPU 6
}

TEST(LookAtDevices, AGen5DeviceInAGen4SlotIsNotDownTrained) {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  const std::string gpu = "/sys/bus/pci/devices/" + gpu_address(0),
                    port = "/sys/bus/pci/devices/0000:12:00.0";
  node.write(gpu + "/current_link_speed", "16.0 GT/s PCIe\n");
  node.write(port + "/max_link_speed", "16.0 GT/s PCIe\n");
  const PcieLink link = read_link(Tree(node.root()), gpu_address(0));
  EXPECT_EQ(link.speed_gt_per_s, 16);
  EXPECT_EQ(link.max_speed_gt_per_s, 16);
  EXPECT_FALSE(link.down_trained());
}

TEST(LookAtDevices, AnUnknownLinkIsNeitherGoodNorBad) {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  for (const std::string& address : {hca_address(0), std::string("0000:12:01.0")}) {
    const std::string directory = "/sys/bus/pci/devices/" + address;
    node.write(directory + "/current_link_speed", "Unknown\n");
    node.write(directory + "/max_link_speed", "Unknown\n");
    node.write(directory + "/current_link_width", "255\n");
    node.make_unreadable(directory + "/max_link_width");
  }
  const PcieLink link = read_link(Tree(node.root()), hca_address(0));
  EXPECT_EQ(link.speed_gt_per_s, 0);
  EXPECT_EQ(link.width, 0);
  EXPECT_EQ(link.max_width, 0);
  EXPECT_FALSE(link.down_trained());
}

TEST(LookAtDevices, HcasAreListedInNaturalOrderWithTheirPorts) {
  const Machine machine = look_at_full_node();
  ASSERT_EQ(machine.hcas.size(), 8U);
  EXPECT_EQ(machine.hcas[0].device, "mlx5_0");
  EXPECT_EQ(machine.hcas[0].state, "ACTIVE");
  EXPECT_EQ(machine.hcas[0].link_layer, "InfiniBand");
  EXPECT_EQ(machine.hcas[0].rate, "400 Gb/sec (4X NDR)");
  EXPECT_EQ(machine.hcas[0].firmware, "28.39.1002");
  EXPECT_EQ(machine.hcas[0].board_id, "MT_0000000838");
  EXPECT_EQ(machine.hcas[0].mtu_bytes, 0);
  EXPECT_EQ(machine.hcas[0].pcie.address, hca_address(0));
  EXPECT_EQ(machine.hcas[4].netdev, "eth4");
  EXPECT_EQ(machine.hcas[4].mtu_bytes, 4096);
  EXPECT_EQ(machine.hcas[5].mtu_bytes, 1024);  // an Ethernet MTU of 1500
  EXPECT_EQ(machine.hcas[7].state, "DOWN");
}

TEST(LookAtDevices, ASoftwareRdmaDeviceHasNoLinkAndNoDistance) {
  FakeNode node;
  build_two_sockets(node);
  node.write("/sys/class/infiniband/rxe0/ports/1/state", "4: ACTIVE\n");
  node.write("/sys/class/infiniband/rxe0/ports/1/link_layer", "Ethernet\n");
  const Machine machine = look_at_devices(node);
  ASSERT_EQ(machine.hcas.size(), 1U);
  EXPECT_EQ(machine.hcas[0].device, "rxe0");
  EXPECT_EQ(machine.hcas[0].pcie.address, "");
  EXPECT_THAT(machine.distances, IsEmpty());
}

TEST(LookAtDevices, DistancesFollowSwitchesHostBridgesAndNodes) {
  const Machine machine = look_at_full_node();
  EXPECT_EQ(machine.distances.size(), 16U * 15U / 2U);
  EXPECT_EQ(distance_between(machine, gpu_address(0), hca_address(0)), "PIX");
  EXPECT_EQ(distance_between(machine, gpu_address(3), hca_address(3)), "PXB");
  EXPECT_EQ(distance_between(machine, gpu_address(6), hca_address(6)), "PHB");
  EXPECT_EQ(distance_between(machine, gpu_address(0), gpu_address(3)), "NODE");
  EXPECT_EQ(distance_between(machine, gpu_address(0), gpu_address(4)), "SYS");
  EXPECT_EQ(distance_between(machine, hca_address(1), hca_address(2)), "NODE");
}

TEST(LookAtDevices, ALostGpuIsANoteAndTheOthersAreDescribed) {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  const WithSetting lost("FAKE_NVML_LOST", "3");
  const Machine machine = look(node.root(), Nvml(FAKE_NVML));
  EXPECT_EQ(machine.gpus.size(), 7U);
  EXPECT_EQ(machine.gpus[3].index, 4);
  EXPECT_THAT(
      machine.notes,
      ElementsAre(
          "GPU 3 is listed but cannot be opened: GPU is lost; it is not measured",
          "NVIDIA GPU on the PCI bus but not listed by the driver: 0000:43:00.0; it is not measured"));
}

TEST(LookAtDevices, GpusOnTheBusWithoutADriverAreNamed) {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  const WithSetting init("FAKE_NVML_INIT", "9");
  const Machine machine = look(node.root(), Nvml(FAKE_NVML));
  EXPECT_THAT(machine.gpus, IsEmpty());
  EXPECT_EQ(machine.gpu_unavailable, "nvmlInit_v2: Driver Not Loaded");
  EXPECT_FALSE(machine.lacks(Hardware::gpu)) << "they are there, and no driver offers them";
  EXPECT_FALSE(machine.offers(Hardware::gpu));
  EXPECT_THAT(machine.notes, Contains(AllOf(HasSubstr("not listed by the driver: 0000:13:00.0, 0000:23:00.0"),
                                            HasSubstr("every CUDA point is unsupported"))));
}

TEST(LookAtDevices, ADriverWithoutGpusSaysSo) {
  FakeNode node;
  build_two_sockets(node);
  const WithSetting count("FAKE_NVML_COUNT", "0");
  EXPECT_EQ(look(node.root(), Nvml(FAKE_NVML)).gpu_unavailable, "the NVIDIA driver lists no GPU");
}

TEST(LookAtDevices, AnOldDriverIsNotedWithWhatItLacks) {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  const Machine machine = look(node.root(), Nvml(FAKE_NVML_OLD));
  ASSERT_EQ(machine.gpus.size(), 8U);
  EXPECT_EQ(machine.gpus[0].sm_count, 0);
  EXPECT_EQ(machine.gpus[0].ecc_mode, "");
  EXPECT_FALSE(machine.gpus[0].nvlinks_active);
  EXPECT_THAT(machine.notes, Contains(HasSubstr("lacks nvmlDeviceGetCudaComputeCapability, ")));
}

TEST(LookAtDevices, MellanoxAdaptersWithoutAnRdmaDeviceAreNamed) {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  node.remove("/sys/class/infiniband");
  EXPECT_THAT(look_at_devices(node).notes,
              Contains(HasSubstr("8 Mellanox adapters are on the PCI bus, the first at 0000:15:00.0")));
}

}  // namespace
}  // namespace assay::machine
