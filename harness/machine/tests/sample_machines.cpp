// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/tests/sample_machines.hpp"

#include <fmt/format.h>

#include "harness/machine/parts.hpp"

namespace assay::machine {

namespace {

PcieLink gen5_link(const std::string& address, std::vector<std::string> path, int node) {
  PcieLink link;
  link.address = address;
  link.speed_gt_per_s = link.max_speed_gt_per_s = 32;
  link.width = link.max_width = 16;
  link.path = std::move(path);
  link.numa_node = node;
  link.host_bridge = "pci" + link.path.front().substr(0, 7);
  return link;
}

Gpu gpu(int index, PcieLink link) {
  Gpu one;
  one.index = index;
  one.name = "NVIDIA H100 80GB HBM3";
  one.uuid = fmt::format("GPU-0000000{}", index);
  one.serial = fmt::format("16500000000{}", index);
  one.vbios = "96.00.99.00.01";
  one.compute_capability = "9.0";
  one.sm_count = 132;
  one.memory_bytes = 85520809984;
  one.memory_bus_bits = 5120;
  one.sm_clock_mhz = 345;
  one.max_sm_clock_mhz = 1980;
  one.memory_clock_mhz = one.max_memory_clock_mhz = 2619;
  one.power_limit_w = one.default_power_limit_w = 700;
  one.temperature_c = 31;
  one.ecc_mode = one.persistence_mode = "enabled";
  one.mig_mode = "disabled";
  one.pcie = std::move(link);
  one.nvlinks_active = index == 2 ? 17 : 18;
  return one;
}

Hca hca(int index, PcieLink link) {
  Hca one;
  one.device = fmt::format("mlx5_{}", index);
  one.firmware = "28.39.1002";
  one.board_id = "MT_0000000838";
  one.state = index == 7 ? "DOWN" : "ACTIVE";
  one.rate = index == 7 ? "40 Gb/sec (4X QDR)" : "400 Gb/sec (4X NDR)";
  one.link_layer = index < 4 ? "InfiniBand" : "Ethernet";
  one.netdev = index < 4 ? "" : index == 6 ? "bond0" : fmt::format("eth{}", index);
  one.mtu_bytes = index < 4 ? 0 : 4096;
  one.physical_state = index == 7 ? "Disabled" : "LinkUp";
  one.part = "MT4129";
  one.node_guid = fmt::format("a088:c203:0012:34{}0", index);
  one.system_image_guid = one.node_guid;
  one.description = fmt::format("node-1 {}", one.device);
  one.gids = {{0, fmt::format("fe80:0000:0000:0000:a088:c203:0012:34{}0", index),
               index < 4 ? "IB/RoCE v1" : "RoCE v2", one.netdev}};
  if (index < 4) one.port_guid = one.node_guid;
  if (index < 4) one.lid = 17 + index;
  if (index >= 4)
    one.gids.push_back(
        {3, fmt::format("0000:0000:0000:0000:0000:ffff:0a00:000{}", index), "RoCE v2", one.netdev});
  if (index == 6) one.bond_members = {"ens6f0", "ens6f1"};
  one.pcie = std::move(link);
  return one;
}

Cpu server_cpu() {
  Cpu cpu;
  cpu.vendor = "GenuineIntel";
  cpu.model = "Intel(R) Xeon(R) Platinum 8480C";
  cpu.family = 6;
  cpu.model_number = 143;
  cpu.stepping = 8;
  cpu.microcode = "0x2b000603";
  cpu.sockets = 2;
  cpu.cores = 112;
  cpu.threads = 224;
  cpu.base_mhz = 2000;
  cpu.max_mhz = 3800;
  cpu.current_mhz = 2900;
  cpu.governor = "performance";
  cpu.boost = true;
  cpu.features = {"fma", "avx2", "avx512f", "avx512_bf16", "amx_tile", "amx_bf16", "amx_int8"};
  cpu.caches = {{1, "data", 48 * 1024, 64, 112},
                {1, "instruction", 32 * 1024, 64, 112},
                {2, "unified", 2 * 1024 * 1024, 64, 112},
                {3, "unified", 105 * 1024 * 1024, 64, 2}};
  return cpu;
}

NumaNode numa_node(int id) {
  NumaNode node;
  node.id = node.socket = id;
  node.bytes = 1LL << 40;
  node.cores = 56;
  for (int first : {0, 112})
    for (int cpu = 0; cpu < 56; ++cpu) node.cpus.push_back(first + 56 * id + cpu);
  node.distances = id == 0 ? std::vector{10, 21} : std::vector{21, 10};
  return node;
}

void add_parts(Inventory& inventory) {
  inventory.bios_vendor = "Example Megatrends";
  inventory.bios_version = "2.4a";
  inventory.bios_date = "03/14/2025";
  inventory.bmc_firmware = "1.17";
  inventory.numa_nodes = inventory.sockets = 2;
  for (int slot = 1; slot <= 32; ++slot)
    inventory.dimms.push_back({.slot = fmt::format("DIMM_{}{}", slot <= 16 ? "A" : "B", (slot - 1) % 16 + 1),
                               .bytes = 64LL << 30,
                               .type = "DDR5",
                               .megatransfers_per_s = slot == 7 ? 4400 : 4800,
                               .maker = "Example",
                               .part = "EX64G-4800"});
  for (int slot = 1; slot <= 2; ++slot)
    inventory.power_supplies.push_back({.slot = fmt::format("PSU{}", slot),
                                        .maker = "Example",
                                        .model = "P3000",
                                        .revision = "1.2",
                                        .watts = 3000});
  inventory.drives = {{"nvme0", "0000:c1:00.0", "Example NVMe 3.84TB", "GDC5602Q"}};
  inventory.firmware = {{"CPLD0", "0x0B"}};
}

void add_pair(Machine& machine, int index) {
  const std::string bus = fmt::format("0000:{}", index + 1);
  const int node = index / 4;
  const std::string port = bus + "0:01.0", upstream = bus + "1:00.0";
  std::vector<std::string> to_gpu = {port, upstream, bus + "2:00.0"},
                           to_hca = {port, upstream, bus + "2:01.0"};
  if (index == 6) {
    to_gpu = {port};
    to_hca = {bus + "0:02.0"};
  } else {
    machine.switches.push_back(gen5_link(upstream, {port}, node));
  }
  if (index == 3) {
    to_hca.insert(to_hca.end(), {bus + "5:00.0", bus + "6:00.0"});
    machine.switches.push_back(gen5_link(bus + "5:00.0", {port, upstream, bus + "2:01.0"}, node));
  }
  machine.gpus.push_back(gpu(index, gen5_link(bus + "3:00.0", to_gpu, node)));
  machine.hcas.push_back(hca(index, gen5_link(bus + "7:00.0", to_hca, node)));
}

}  // namespace

Machine full_node() {
  Machine machine;
  machine.host = "node-1";
  machine.os = "Debian GNU/Linux 12 (bookworm)";
  machine.kernel = "6.1.0-28-amd64";
  machine.virtualization = "none";
  machine.product = "Example GX-8 <rev. B>";
  machine.cpu = server_cpu();
  machine.numa = {numa_node(0), numa_node(1)};
  machine.memory = {.bytes = 2LL << 40,
                    .available_bytes = 2089072092774,
                    .page_bytes = 4096,
                    .transparent_huge_pages = "madvise",
                    .huge_page_pools = {{2LL << 20, 512}, {1LL << 30, 0}},
                    .limit_bytes = {}};
  add_parts(machine.inventory);
  for (int index = 0; index < 8; ++index) add_pair(machine, index);
  machine.switches[1].speed_gt_per_s = 8;
  machine.hcas[2].pcie.speed_gt_per_s = 16;
  machine.gpus[5].pcie.width = 8;
  machine.distances = read_distances(machine);
  find_nearest_gpus(machine);
  machine.versions = {{"kernel", "6.1.0-28-amd64"},
                      {"glibc", "2.36"},
                      {"nvidia driver", "580.95.05"},
                      {"cuda driver", "13.0"}};
  return machine;
}

Machine bare_node() {
  Machine machine;
  machine.host = "vm-1";
  machine.os = "Debian GNU/Linux 12 (bookworm)";
  machine.kernel = "6.1.0-28-amd64";
  machine.virtualization = "kvm, in a container";
  machine.cpu.model = "AMD EPYC";
  machine.cpu.family = 25;
  machine.cpu.model_number = 17;
  machine.cpu.stepping = 1;
  machine.cpu.sockets = 1;
  machine.cpu.cores = machine.cpu.threads = 2;
  machine.cpu.current_mhz = 2596.134;
  machine.cpu.features = {"avx2", "avx512f"};
  machine.cpu.caches = {{1, "data", 32 * 1024, 64, 2}, {3, "unified", 32 * 1024 * 1024, 64, 1}};
  NumaNode node;
  node.bytes = 6LL << 30;
  node.cores = 2;
  node.cpus = {0, 1};
  node.socket = 0;
  node.distances = {10};
  machine.numa = {node};
  machine.memory.bytes = 6LL << 30;
  machine.memory.limit_bytes = 4LL << 30;
  machine.memory.available_bytes = 3LL << 30;
  machine.memory.transparent_huge_pages = "madvise";
  machine.gpu_unavailable = "libnvidia-ml.so.1: cannot open shared object file: No such file or directory";
  machine.versions = {{"kernel", "6.1.0-28-amd64"}, {"glibc", "2.36"}};
  machine.notes = {
      "no cpufreq in /sys/devices/system/cpu/: the maximum clock and the governor are unknown, so a "
      "throttled host looks like a slow processor",
      "no RDMA device in /sys/class/infiniband: nothing can be measured over verbs"};
  return machine;
}

}  // namespace assay::machine
