// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Everything the health checks judge, read once: plain data, so that a folder of small files and a table of
// GPUs can replace a machine. A value that was not reported is an empty optional, never a zero.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/front/health/job/job_answers.hpp"
#include "harness/front/health/kernel_log/kernel_log.hpp"
#include "harness/front/health/kernel_log/manager_log.hpp"
#include "harness/front/health/snapshot/platform.hpp"
#include "harness/link/read_counters.hpp"
#include "harness/machine/cuda_driver.hpp"
#include "harness/machine/inventory/facts.hpp"
#include "harness/machine/machine.hpp"
#include "harness/machine/nvml/nvml.hpp"

namespace assay::health {

/// A GPU as its driver reports it.
struct GpuState {
  int index = 0;
  std::string
      lost;  // the driver's words where it lists the GPU and cannot open it; then nothing else is known
  std::optional<std::string> address, name, uuid, serial, vbios;
  std::optional<bool> ecc_enabled, mig_enabled, persistence_enabled;
  std::optional<double> power_limit_w, default_power_limit_w;
  std::optional<std::vector<unsigned>> processes;
  std::optional<bool> sram_threshold_exceeded;
  std::optional<machine::RemappedRows> remapped_rows;
  std::optional<unsigned> recovery_action;
  std::optional<unsigned> fabric_state, fabric_status;  // of machine::NvlinkFabric
  std::optional<machine::FabricHealth> fabric_health;
  std::optional<std::uint64_t> clocks_event_reasons;
  std::optional<std::vector<machine::Nvlink>> nvlinks;
  std::optional<std::vector<machine::C2cLink>> c2c_links;

  std::string unit() const;  // "GPU 3 0000:4b:00.0"
};

/// A value that only counts up until something resets it.
struct Counter {
  std::string unit, name;
  std::optional<std::uint64_t> value;
};

/// A link of the PCI tree and whose it is.
struct NamedLink {
  std::string unit;  // "GPU 3 0000:4b:00.0", "mlx5_2 0000:4d:00.0", "switch 0000:4a:00.0"
  bool of_gpu = false;
  machine::PcieLink link;
};

struct Snapshot {
  std::string host;
  std::string boot_id;                              // of this start of the kernel; "": unknown
  std::string kernel_release;                       // "6.8.0-45-generic"; "": unknown
  double monotonic_s = 0;                           // when it was read
  bool pci_seen = false;                            // there is a PCI bus to look at
  std::vector<std::string> pci_gpus, pci_adapters;  // addresses of NVIDIA GPUs and of Mellanox adapters
  std::string gpus_unavailable;                     // why the driver lists no GPU
  std::vector<GpuState> gpus;
  machine::CudaDriver driver;
  std::vector<NamedLink> links;  // of GPUs, adapters and every switch above them
  std::vector<machine::Hca> hcas;
  std::vector<std::string> verbs_devices;  // RDMA devices that have a device node for verbs
  std::vector<link::PortCounters> ports;
  std::vector<Counter> counters;
  Platform platform;
  std::vector<machine::Fact> parts;
  JobAnswers job;  // filled in by check_node()
  KernelLog log;
  ManagerLog manager_log;
};

/// GPUs that the driver lists, and their counters.
struct GpuReading {
  std::string unavailable;
  machine::CudaDriver driver = {};  // a table has none
  std::vector<GpuState> gpus;
  std::vector<Counter> counters;
};

GpuReading read_gpus(const machine::Nvml& nvml);

/// A table in place of the driver: JSON, {"gpus": [{"address": ..., "ecc_enabled": true, ...}]} with the
/// names of GpuState and of the counters; what a GPU's row lacks is unknown. Throws a usage Error naming
/// file, GPU and key for what it does not know or cannot read.
GpuReading read_gpu_table(const std::string& file);

/// Names of a GPU's counters in Counter and in the table.
extern const std::vector<std::string> gpu_counter_names;

inline constexpr const char* media_errors_counter = "nvme_media_errors";  // of a drive

/// `root` is prefixed to /sys, /proc and /dev. `redfish`: a tree of the board's controller; "": none.
Snapshot read_snapshot(const std::string& root, const GpuReading& gpus, const std::string& redfish = "");

}  // namespace assay::health
