// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The machine as plain data: read once per process, passed in, and written into every context record. An
// unknown value is an empty optional or an empty string, never a guess.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/inventory/inventory.hpp"

namespace assay::machine {

struct Cache {
  int level = 0;
  std::string type;  // data | instruction | unified
  std::int64_t bytes = 0;
  std::int64_t line_bytes = 0;
  int instances = 0;  // how many of it the CPUs this process may use have
};

struct Cpu {
  std::string vendor, model;
  int family = 0, model_number = 0, stepping = 0;
  int sockets = 0, cores = 0, threads = 0;  // threads: logical CPUs this process may use
  std::optional<double> base_mhz, max_mhz, current_mhz;
  std::string governor;
  std::vector<std::string>
      features;  // of those a case asks for: avx2 avx512f avx512_bf16 avx512_vnni amx_bf16 ...
  std::vector<Cache> caches;
  std::string microcode;
  std::optional<bool> boost;  // clocks above base allowed
  bool has(const std::string& feature) const;
};

struct NumaNode {
  int id = 0;
  std::int64_t bytes = 0;
  std::vector<int> cpus;  // logical CPUs this process may use
  int cores = 0;
  int socket = -1;             // -1: a node without CPUs, or unknown
  std::vector<int> distances;  // to each node in order, as firmware states them; 10 is local
};

struct Memory {
  std::int64_t bytes = 0, available_bytes = 0;
  std::int64_t page_bytes = 4096;
  std::string transparent_huge_pages;                                  // always | madvise | never
  std::vector<std::pair<std::int64_t, std::int64_t>> huge_page_pools;  // page bytes, free pages
  std::optional<std::int64_t> limit_bytes;  // of the control group this process is in, where lower than bytes
};

/// A PCIe link as it trained, and what both ends could do. Zero speed or width: unknown.
struct PcieLink {
  std::string address;  // 0000:1b:00.0
  double speed_gt_per_s = 0, max_speed_gt_per_s = 0;
  int width = 0, max_width = 0;
  std::vector<std::string> path;  // bridges from the root port down to the device
  int numa_node = -1;
  std::string host_bridge;  // pci0000:17, the root complex above the path

  /// Slower or narrower than both ends could do. An idle GPU may lower its speed: judge speed under load.
  bool down_trained() const { return speed_gt_per_s < max_speed_gt_per_s || width < max_width; }
};

struct Gpu {
  int index = 0;
  std::string name, uuid, serial, vbios;
  std::string compute_capability;  // "9.0"
  int sm_count = 0;
  std::int64_t memory_bytes = 0, l2_bytes = 0;  // l2: CUDA reports it, the driver's library does not
  int memory_bus_bits = 0;
  double sm_clock_mhz = 0, max_sm_clock_mhz = 0, memory_clock_mhz = 0, max_memory_clock_mhz = 0;
  double power_limit_w = 0, default_power_limit_w = 0, temperature_c = 0;
  std::string ecc_mode, mig_mode, persistence_mode;
  PcieLink pcie;
  std::optional<int> nvlinks_active;
};

/// One entry of a port's GID table: the address it sends from when a program chooses this index.
struct Gid {
  int index = 0;
  std::string gid;     // fe80:0000:0000:0000:...
  std::string type;    // IB/RoCE v1 | RoCE v2
  std::string netdev;  // "" on InfiniBand
};

/// The GPUs nearest to an adapter, all of them where several are equally near.
struct NearestGpus {
  std::vector<int> indices;
  std::string distance;  // of Distance
};

struct Hca {
  std::string device;  // mlx5_0
  int port = 1;
  std::string firmware, board_id, state, link_layer, rate, netdev;
  std::string physical_state;  // LinkUp, Disabled, Polling, ...
  std::string part;            // MT4129, the vendor's number of the chip
  std::string description;     // node description, as the fabric's manager shows it
  // port_guid: of GID 0, and only on InfiniBand, where sysfs has it nowhere else
  std::string node_guid, port_guid, system_image_guid;
  int lid = 0;            // 0 on Ethernet, and before a subnet manager gave one
  int mtu_bytes = 0;      // active path MTU of a RoCE port, from its netdev; 0 on InfiniBand: not in sysfs
  bool software = false;  // rxe, siw: no PCI device behind it, and its rate says nothing
  std::vector<Gid> gids;  // of the indices in use
  std::vector<std::string> bond_members;  // netdevs below the port's netdev, where that is a bond
  PcieLink pcie;
  NearestGpus nearest_gpus;
};

/// How far two PCI devices are from each other: PIX PXB PHB NODE SYS, as nvidia-smi names it.
struct Distance {
  std::string from, to;  // PCI addresses
  std::string distance;
};

/// Hardware that a machine may be built without.
enum class Hardware { gpu, rdma };
inline constexpr std::array all_hardware{Hardware::gpu, Hardware::rdma};
std::string to_string(Hardware hardware);  // "gpu"
/// "no GPU": for people.
std::string absence_text(Hardware hardware);
std::optional<Hardware> hardware_from(const std::string& word);

struct Version {
  std::string component, version;  // ("cuda driver", "580.159")
};

struct Machine {
  std::string host, os, kernel, virtualization, product;
  Cpu cpu;
  std::vector<NumaNode> numa;
  Memory memory;
  Inventory inventory;
  std::vector<Gpu> gpus;
  std::string gpu_unavailable;  // why there is none, in the driver's own words where it spoke
  std::string driver_too_old;   // for this build's CUDA programs: one sentence; "": they start
  std::string cuda_compat;      // the folder of libraries with which they start all the same
  std::vector<Hca> hcas;
  std::vector<std::string> unused_gpus, unused_adapters;  // PCI addresses of those that no driver offers
  std::vector<PcieLink> switches;  // PCIe switches above GPUs and HCAs: the link of each towards the root
  std::vector<Distance> distances;
  std::vector<Version> versions;
  std::vector<std::string> notes;  // what could not be read, and what that costs

  /// True where a driver offers some of it.
  bool offers(Hardware hardware) const;
  /// True where there is none of it, not even one that no driver offers.
  bool lacks(Hardware hardware) const;

  std::int64_t last_level_cache_bytes() const;  // of one instance; 0 when unknown
};

class Nvml;

/// Looks at this machine. `root` is prefixed to /sys, /proc and /etc, for tests. Never throws for what it
/// cannot read: that becomes a note. GPUs come from Nvml::shared().
Machine look();  // below pretended_root()
Machine look(const std::string& root);
Machine look(const std::string& root, const Nvml& nvml);
/// With these GPUs in place of the driver's; the link of each is read at its address.
Machine look(const std::string& root, std::vector<Gpu> gpus);

}  // namespace assay::machine
