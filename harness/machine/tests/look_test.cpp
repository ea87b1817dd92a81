// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "harness/machine/machine.hpp"
#include "harness/machine/nvml.hpp"
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
using testing::Not;

const std::string no_nvml = "/nonexistent/libnvidia-ml.so.1";

Machine look_at_full_node() {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  return look(node.root(), Nvml(FAKE_NVML));
}

Machine look_at(const FakeNode& node) { return look(node.root(), Nvml(no_nvml)); }

std::string distance_between(const Machine& machine, const std::string& from, const std::string& to) {
  for (const Distance& one : machine.distances)
    if (one.from == from && one.to == to) return one.distance;
  return "none";
}

TEST(Look, AProcessorIsReadFromCpuinfoSysfsAndCpufreq) {
  FakeNode node;
  build_two_sockets(node);
  const Machine machine = look_at(node);
  EXPECT_EQ(machine.host, "node-1");
  EXPECT_EQ(machine.os, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(machine.kernel, "6.1.0-28-amd64");
  EXPECT_EQ(machine.product, "Example GX-8");
  EXPECT_EQ(machine.virtualization, "none");
  EXPECT_EQ(machine.cpu.vendor, "GenuineIntel");
  EXPECT_EQ(machine.cpu.model, "Intel(R) Xeon(R) Platinum 8480C");
  EXPECT_EQ(machine.cpu.family, 6);
  EXPECT_EQ(machine.cpu.model_number, 143);
  EXPECT_EQ(machine.cpu.stepping, 8);
  EXPECT_EQ(machine.cpu.microcode, "0x2b000603");
  EXPECT_EQ(machine.cpu.sockets, 2);
  EXPECT_EQ(machine.cpu.cores, 4);
  EXPECT_EQ(machine.cpu.threads, 8);
  EXPECT_EQ(machine.cpu.base_mhz, 2000);
  EXPECT_EQ(machine.cpu.max_mhz, 3800);
  EXPECT_EQ(machine.cpu.current_mhz, 2900);
  EXPECT_EQ(machine.cpu.governor, "performance");
  EXPECT_EQ(machine.cpu.boost, true);
  EXPECT_THAT(machine.cpu.features,
              ElementsAre("fma", "avx2", "avx512f", "avx512_bf16", "amx_tile", "amx_bf16", "erms"));
  EXPECT_TRUE(machine.cpu.has("amx_bf16"));
  EXPECT_FALSE(machine.cpu.has("amx_int8"));
}

TEST(Look, CachesAreCountedByTheCpusThatShareThem) {
  FakeNode node;
  build_two_sockets(node);
  const Machine machine = look_at(node);
  ASSERT_EQ(machine.cpu.caches.size(), 4U);
  EXPECT_EQ(machine.cpu.caches[0].type, "data");
  EXPECT_EQ(machine.cpu.caches[0].bytes, 48 * 1024);
  EXPECT_EQ(machine.cpu.caches[0].instances, 4);
  EXPECT_EQ(machine.cpu.caches[1].type, "instruction");
  EXPECT_EQ(machine.cpu.caches[2].bytes, 2 * 1024 * 1024);
  EXPECT_EQ(machine.cpu.caches[3].level, 3);
  EXPECT_EQ(machine.cpu.caches[3].instances, 2);
  EXPECT_EQ(machine.cpu.caches[3].line_bytes, 64);
  EXPECT_EQ(machine.last_level_cache_bytes(), 105LL * 1024 * 1024);
}

TEST(Look, NumaNodesHoldTheirCpusMemoryAndDistances) {
  FakeNode node;
  build_two_sockets(node);
  const Machine machine = look_at(node);
  ASSERT_EQ(machine.numa.size(), 2U);
  EXPECT_EQ(machine.numa[1].id, 1);
  EXPECT_EQ(machine.numa[1].bytes, 8LL << 30);
  EXPECT_THAT(machine.numa[1].cpus, ElementsAre(2, 3, 6, 7));
  EXPECT_EQ(machine.numa[1].cores, 2);
  EXPECT_EQ(machine.numa[1].socket, 1);
  EXPECT_THAT(machine.numa[1].distances, ElementsAre(21, 10));
}

TEST(Look, MemoryTellsItsPagesAndItsPools) {
  FakeNode node;
  build_two_sockets(node);
  const Machine machine = look_at(node);
  EXPECT_EQ(machine.memory.bytes, 16LL << 30);
  EXPECT_EQ(machine.memory.available_bytes, 12LL << 30);
  EXPECT_EQ(machine.memory.transparent_huge_pages, "madvise");
  EXPECT_THAT(machine.memory.huge_page_pools,
              ElementsAre(std::pair(2LL << 20, 512LL), std::pair(1LL << 30, 3LL)));
  EXPECT_FALSE(machine.memory.limit_bytes);
}

TEST(Look, AControlGroupAboveThisOneLimitsMemoryToo) {
  FakeNode node;
  build_two_sockets(node);
  node.write("/sys/fs/cgroup/user.slice/job/memory.max", "max\n");
  node.write("/sys/fs/cgroup/user.slice/memory.max", "4294967296\n");
  node.write("/sys/fs/cgroup/user.slice/memory.current", "1073741824\n");
  const Machine machine = look_at(node);
  EXPECT_EQ(machine.memory.limit_bytes, 4LL << 30);
  EXPECT_EQ(machine.memory.available_bytes, 3LL << 30);
  EXPECT_EQ(machine.memory.bytes, 16LL << 30);
}

TEST(Look, AnOldControlGroupLimitsMemoryToo) {
  FakeNode node;
  build_two_sockets(node);
  node.write("/proc/self/cgroup", "5:cpu:/\n4:memory:/job\n0::/\n");
  node.write("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "2147483648\n");
  node.write("/sys/fs/cgroup/memory/job/memory.usage_in_bytes", "1073741824\n");
  node.write("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  EXPECT_EQ(look_at(node).memory.limit_bytes, 2LL << 30);
  EXPECT_EQ(look_at(node).memory.available_bytes, 1LL << 30);
}

TEST(Look, ANodeWithoutGpusAndHcasSaysSoAndWhy) {
  FakeNode node;
  build_two_sockets(node);
  const Machine machine = look_at(node);
  EXPECT_THAT(machine.gpus, IsEmpty());
  EXPECT_EQ(machine.gpu_unavailable, no_nvml + ": cannot open shared object file: No such file or directory");
  EXPECT_THAT(machine.hcas, IsEmpty());
  EXPECT_THAT(machine.distances, IsEmpty());
  EXPECT_THAT(machine.notes, ElementsAre(HasSubstr("no RDMA device in /sys/class/infiniband")));
}

TEST(Look, AGpuIsDescribedByItsDriverAndItsLinkBySysfs) {
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

TEST(Look, ALinkTrainedNarrowOrSlowIsDownTrained) {
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

TEST(Look, AGen5DeviceInAGen4SlotIsNotDownTrained) {
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

TEST(Look, AnUnknownLinkIsNeitherGoodNorBad) {
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

TEST(Look, HcasAreListedInNaturalOrderWithTheirPorts) {
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

TEST(Look, ASoftwareRdmaDeviceHasNoLinkAndNoDistance) {
  FakeNode node;
  build_two_sockets(node);
  node.write("/sys/class/infiniband/rxe0/ports/1/state", "4: ACTIVE\n");
  node.write("/sys/class/infiniband/rxe0/ports/1/link_layer", "Ethernet\n");
  const Machine machine = look_at(node);
  ASSERT_EQ(machine.hcas.size(), 1U);
  EXPECT_EQ(machine.hcas[0].device, "rxe0");
  EXPECT_EQ(machine.hcas[0].pcie.address, "");
  EXPECT_THAT(machine.distances, IsEmpty());
}

TEST(Look, DistancesFollowSwitchesHostBridgesAndNodes) {
  const Machine machine = look_at_full_node();
  EXPECT_EQ(machine.distances.size(), 16U * 15U / 2U);
  EXPECT_EQ(distance_between(machine, gpu_address(0), hca_address(0)), "PIX");
  EXPECT_EQ(distance_between(machine, gpu_address(3), hca_address(3)), "PXB");
  EXPECT_EQ(distance_between(machine, gpu_address(6), hca_address(6)), "PHB");
  EXPECT_EQ(distance_between(machine, gpu_address(0), gpu_address(3)), "NODE");
  EXPECT_EQ(distance_between(machine, gpu_address(0), gpu_address(4)), "SYS");
  EXPECT_EQ(distance_between(machine, hca_address(1), hca_address(2)), "NODE");
}

TEST(Look, ALostGpuIsANoteAndTheOthersAreDescribed) {
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

TEST(Look, GpusOnTheBusWithoutADriverAreNamed) {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  const WithSetting init("FAKE_NVML_INIT", "9");
  const Machine machine = look(node.root(), Nvml(FAKE_NVML));
  EXPECT_THAT(machine.gpus, IsEmpty());
  EXPECT_EQ(machine.gpu_unavailable, "nvmlInit_v2: Driver Not Loaded");
  EXPECT_THAT(machine.notes, Contains(AllOf(HasSubstr("not listed by the driver: 0000:13:00.0, 0000:23:00.0"),
                                            HasSubstr("every CUDA point is unsupported"))));
}

TEST(Look, ADriverWithoutGpusSaysSo) {
  FakeNode node;
  build_two_sockets(node);
  const WithSetting count("FAKE_NVML_COUNT", "0");
  EXPECT_EQ(look(node.root(), Nvml(FAKE_NVML)).gpu_unavailable, "the NVIDIA driver lists no GPU");
}

TEST(Look, AnOldDriverIsNotedWithWhatItLacks) {
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

TEST(Look, MellanoxAdaptersWithoutAnRdmaDeviceAreNamed) {
  FakeNode node;
  build_two_sockets(node);
  build_gpus_and_hcas(node);
  node.remove("/sys/class/infiniband");
  EXPECT_THAT(look_at(node).notes,
              Contains(HasSubstr("8 Mellanox adapters are on the PCI bus, the first at 0000:15:00.0")));
}

TEST(Look, WhatCannotBeReadIsNotedWithItsCost) {
  FakeNode node;
  build_two_sockets(node);
  for (const char* path :
       {"/proc/cpuinfo", "/proc/meminfo", "/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name",
        "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"})
    node.make_unreadable(path);
  for (int cpu = 0; cpu < 8; ++cpu) {
    node.remove("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cache");
    node.make_unreadable("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                         "/topology/thread_siblings_list");
  }
  const Machine machine = look_at(node);
  EXPECT_EQ(machine.cpu.model, "");
  EXPECT_EQ(machine.cpu.threads, 8);
  EXPECT_EQ(machine.memory.bytes, 0);
  EXPECT_EQ(machine.last_level_cache_bytes(), 0);
  EXPECT_THAT(
      machine.notes,
      ElementsAre(HasSubstr("no product name"), HasSubstr("/proc/cpuinfo cannot be read"),
                  HasSubstr("no CPU topology"), HasSubstr("no cpufreq"), HasSubstr("no cache is described"),
                  HasSubstr("/proc/meminfo tells no MemTotal"), HasSubstr("no RDMA device")));
}

TEST(Look, AnEmptyRootIsAMachineThatTellsNothing) {
  const FakeNode node;
  const Machine machine = look_at(node);
  EXPECT_EQ(machine.cpu.threads, 0);
  EXPECT_THAT(machine.numa, IsEmpty());
  EXPECT_GE(machine.notes.size(), 5U);
}

TEST(Look, NodesThatTellLessMemoryThanTheMachineHasAreNoted) {
  FakeNode node;
  build_two_sockets(node);
  node.write("/sys/devices/system/node/node1/meminfo", "Node 1 MemTotal: 1048576 kB\n");
  EXPECT_THAT(look_at(node).notes, Contains(HasSubstr("NUMA nodes tell 9 GiB of 16 GiB")));
}

TEST(Look, AHypervisorIsNamedByItsFlagAndItsVendor) {
  FakeNode node;
  node.write("/proc/cpuinfo", "flags\t\t: fpu hypervisor\n");
  EXPECT_EQ(read_virtualization(Tree(node.root())), "a hypervisor that does not say its name");
  node.write("/sys/class/dmi/id/sys_vendor", "QEMU\n");
  EXPECT_EQ(read_virtualization(Tree(node.root())), "kvm");
  node.write("/.dockerenv", "");
  EXPECT_EQ(read_virtualization(Tree(node.root())), "kvm, in a container");
}

TEST(Look, VersionsNameTheDriverEvenWithoutNvml) {
  FakeNode node;
  build_two_sockets(node);
  node.write("/proc/driver/nvidia/version",
             "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.95.05  Release Build\nGCC "
             "version:  gcc 12.2.0\n");
  node.write("/sys/module/mlx5_core/version", "24.10-1.1.4\n");
  std::vector<std::string> said;
  for (const Version& one : look_at(node).versions) said.push_back(one.component + " " + one.version);
  EXPECT_THAT(said, ElementsAre("kernel 6.1.0-28-amd64", "microcode 0x2b000603", "nvidia driver 580.95.05",
                                "mlx5_core 24.10-1.1.4"));
}

TEST(Look, ThisMachineIsLookedAtInTime) {
  const Nvml nvml(no_nvml);
  double best_s = 1;
  for (int time = 0; time < 5; ++time) {  // others may have the processor
    const auto begin = std::chrono::steady_clock::now();
    look("", nvml);
    best_s =
        std::min(best_s, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  EXPECT_LT(best_s, 0.1);
  const Machine machine = look("", nvml);
  EXPECT_GT(machine.cpu.threads, 0);
  EXPECT_GT(machine.memory.bytes, 0);
  EXPECT_GT(machine.last_level_cache_bytes(), 0);
}

TEST(Caches, HwlocAndSysfsAgreeAboutThisMachine) {
  Notes notes;
  const Tree tree("");
  if (!tree.exists("/sys/devices/system/cpu/cpu0/cache/index0"))
    GTEST_SKIP() << "this machine's sysfs describes no caches: nothing to compare hwloc with";
  const Machine machine = look("", Nvml(no_nvml));
  if (machine.notes.end() !=
      std::find_if(machine.notes.begin(), machine.notes.end(),
                   [](const std::string& note) { return note.find("online CPUs") != std::string::npos; }))
    GTEST_SKIP() << "this process is bound to some of the CPUs: hwloc counts the caches of all";
  const std::vector<Cache> asked = caches_from_hwloc();
  ASSERT_EQ(asked.size(), machine.cpu.caches.size());
  for (std::size_t at = 0; at < asked.size(); ++at) {
    EXPECT_EQ(asked[at].level, machine.cpu.caches[at].level);
    EXPECT_EQ(asked[at].type, machine.cpu.caches[at].type);
    EXPECT_EQ(asked[at].bytes, machine.cpu.caches[at].bytes);
    EXPECT_EQ(asked[at].instances, machine.cpu.caches[at].instances);
  }
}

}  // namespace
}  // namespace assay::machine
