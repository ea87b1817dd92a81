// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The platform around the GPUs of a node: NVLink fabric, way from GPU to adapter, drives, clock, and the
// modules in its ports. Plain data, as in snapshot.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/link/module_memory.hpp"

namespace assay::health {

/// A PCIe port on the way between a GPU and an adapter of one switch.
struct Bridge {
  std::string address;
  std::string why_unknown;
  std::optional<unsigned> acs_control;  // empty: it has no access control
};

/// How the IOMMU treats a device.
struct IommuDomain {
  std::string unit;
  bool grouped = false;  // false: no IOMMU is in use
  std::string type;      // "identity", "DMA", "DMA-FQ"; "": not reported
};

struct ClockState {
  std::uint64_t status = 0;  // bits of adjtimex(2)
  double offset_us = 0, largest_error_us = 0;
};

struct Space {
  std::uint64_t bytes = 0, free_bytes = 0, files = 0, free_files = 0;
};

struct FileSystem {
  std::string mount;
  std::optional<Space> space;
};

/// NVMe's log page 2 (NVM Express Base Specification 2.0, figure 207).
struct SmartLog {
  unsigned warnings = 0;  // bits
  int temperature_c = 0;
  unsigned spare_percent = 0, least_spare_percent = 0, used_percent = 0;
  double written_bytes = 0;
  std::uint64_t media_errors = 0;
};

struct Drive {
  std::string name;  // "nvme0"
  std::optional<SmartLog> log;
};

struct PortModule {
  std::string unit, netdev;  // "mlx5_2/1", "eth2"
  link::Module module;
};

struct Platform {
  std::vector<std::string> nvswitches;                              // PCI addresses
  std::vector<std::string> services;                                // running programs that checks ask for
  std::string fabric_manager_version, driver_version, driver_text;  // "": unknown
  bool peer_memory = false;  // the kernel module that gives adapters the memory of GPUs is loaded
  std::vector<Bridge> bridges;
  std::vector<IommuDomain> iommu;
  std::optional<ClockState> clock;
  bool mounts_seen = false;
  std::vector<FileSystem> file_systems;
  std::vector<Drive> drives;
  std::vector<PortModule> modules;
  std::optional<std::uint64_t> locked_bytes,
      open_files;                      // limits of this process, which its children inherit
  std::optional<Space> shared_memory;  // /dev/shm

  bool runs(const std::string& service) const;
};

/// Names as /proc/PID/comm cuts them off.
inline constexpr const char* fabric_manager_service = "nv-fabricmanage";
inline constexpr const char* clock_services[] = {"chronyd", "ntpd", "systemd-timesyn", "phc2sys"};

}  // namespace assay::health
