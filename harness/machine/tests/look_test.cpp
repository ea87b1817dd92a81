// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/machine/machine.hpp"
#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/parts.hpp"
#include "harness/machine/tests/fake_node.hpp"

namespace assay::machine {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string no_nvml = "/nonexistent/libnvidia-ml.so.1";

Machine look_at(const FakeNode& node) { return look(node.root(), Nvml(no_nvml)); }

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
                  HasSubstr("/proc/meminfo has no MemTotal"), HasSubstr("no RDMA device")));
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
  EXPECT_THAT(look_at(node).notes, Contains(HasSubstr("NUMA nodes report 9 GiB of 16 GiB")));
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

TEST(Look, ThisMachineHasProcessorMemoryAndCaches) {
  const Nvml nvml(no_nvml);
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
