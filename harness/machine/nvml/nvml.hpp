// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NVIDIA's management library, opened at run time: identity, clocks, power, energy, throttling and error
// counters. Nothing here throws for a value that library, driver or GPU do not report: it is an empty
// optional.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace assay::machine {

struct NvmlLibrary;  // the loaded library and its functions

/// Counted by the driver since it was loaded (volatile) or over the life of the board (aggregate).
struct EccErrors {
  std::optional<std::uint64_t> corrected_volatile, uncorrected_volatile;
  std::optional<std::uint64_t> corrected_aggregate, uncorrected_aggregate;
};

/// Health of the NVLink fabric as this GPU sees it, by NVML's bits and numbers
/// (NVML_GPU_FABRIC_HEALTH_MASK_*, _SUMMARY_*). Zero says nothing.
struct FabricHealth {
  unsigned mask = 0;
  std::optional<unsigned> summary = {};  // drivers from 580
};

/// How far the GPU is in joining the NVLink fabric that the fabric manager sets up.
struct NvlinkFabric {
  unsigned state = 0;   // 0 not supported, 1 not started, 2 in progress, 3 completed
  unsigned status = 0;  // of the joining once it is completed: 0 is success
  /// Cluster UUID and clique, "00112233445566778899aabbccddeeff.32766": GPUs of the same reach each other's
  /// memory, also on other nodes. Empty where the GPU is in none.
  std::string domain = {};
  std::optional<FabricHealth> health = {};  // drivers from 550
};

/// HBM rows replaced by spares. Pending: a reset is needed; failed: no spare was left, the GPU must be
/// replaced.
struct RemappedRows {
  unsigned corrected = 0, uncorrected = 0;
  bool pending = false, failed = false;
};

/// One NVLink; errors since the driver was loaded. NVLink 5 counts receive and integrity errors where earlier
/// ones count replays and checksum errors.
struct Nvlink {
  int index = 0;
  bool active = false;
  std::optional<std::uint64_t> replays, recoveries, crc_errors;
  std::optional<std::uint64_t> receive_errors = {}, integrity_errors = {};
};

/// One NVLink-C2C between the GPU and the CPU of its superchip (GH200, GB200); errors since the driver was
/// loaded.
struct C2cLink {
  int index = 0;
  std::optional<bool> active;
  std::optional<std::uint64_t> mb_per_s;  // 10^6 bytes a second one way
  std::optional<std::uint64_t> crc_errors, replays, repeated_replays;
};

/// How long a limiter has held the clocks down since the driver was loaded; read before and after, and
/// subtract.
struct ThrottleTime {
  std::string
      limiter;  // power, thermal, sync_boost, board_limit, reliability, hw_thermal, hw_power_brake ...
  std::uint64_t ns = 0;
};

/// One reading of what changes while a GPU works.
struct Telemetry {
  std::optional<double> sm_clock_mhz, memory_clock_mhz;
  std::optional<double>
      power_w;  // as the board reports it at this instant, else averaged by the driver over 1 s
  std::optional<double> temperature_c;
  std::optional<std::uint64_t> energy_mj;             // since the driver was loaded
  std::optional<std::uint64_t> clocks_event_reasons;  // bit mask, see clocks_event_reason_names()
};

/// One GPU. A small value; keeps the library loaded.
class NvmlDevice {
 public:
  NvmlDevice(std::shared_ptr<const NvmlLibrary> library, void* handle)
      : library_(std::move(library)), handle_(handle) {}

  std::optional<std::string> name() const, uuid() const, serial() const, vbios() const;
  std::optional<std::string> pci_address() const;  // as sysfs writes it: 0000:1b:00.0
  std::optional<std::pair<int, int>> compute_capability() const;
  std::optional<int> core_count() const;  // FP32 lanes, not SMs
  std::optional<int> memory_bus_bits() const;
  std::optional<std::int64_t> memory_bytes() const;
  std::optional<bool> ecc_enabled() const, mig_enabled() const, persistence_enabled() const;

  std::optional<double> sm_clock_mhz() const, max_sm_clock_mhz() const;
  std::optional<double> memory_clock_mhz() const, max_memory_clock_mhz() const;
  std::optional<double> power_w() const;                 // the driver's figure: on Hopper an average over 1 s
  std::optional<double> power_instant_w() const;         // the board's figure at this instant
  std::optional<double> power_limit_w() const;           // as set by the administrator
  std::optional<double> enforced_power_limit_w() const;  // the lowest of all limits in force
  std::optional<double> default_power_limit_w() const;
  std::optional<std::uint64_t> energy_mj() const;
  std::optional<double> temperature_c() const, memory_temperature_c() const;
  std::optional<std::uint64_t> clocks_event_reasons() const;
  std::vector<ThrottleTime> throttle_times() const;  // those this driver reports

  std::optional<std::uint64_t> pcie_replays() const;
  EccErrors ecc_errors() const;
  std::optional<RemappedRows> remapped_rows() const;
  /// The driver's own limit for errors of on-chip memory is passed: the board is to be replaced.
  std::optional<bool> sram_threshold_exceeded() const;
  std::optional<NvlinkFabric> fabric() const;
  /// The action that the driver asks for, by NVML's number: 0 none, 1 reset, 2 reboot, 3 drain peers, 4 drain
  /// and reset, 5 recover the IMEX domain.
  std::optional<unsigned> recovery_action() const;
  /// Process ids that compute on it.
  std::optional<std::vector<unsigned>> compute_processes() const;

  std::optional<int> pcie_generation() const, max_pcie_generation() const;
  std::optional<int> pcie_width() const, max_pcie_width() const;
  /// Those the GPU has; empty where the driver does not report them, unlike a GPU without any.
  std::optional<std::vector<Nvlink>> nvlinks() const;
  /// As nvlinks(), of C2C.
  std::optional<std::vector<C2cLink>> c2c_links() const;
  std::optional<int> nvlinks_active() const;  // empty where the GPU has none
  std::optional<std::uint64_t> nvlink_sent_bytes()
      const;  // payload, of all its links since the driver was loaded

  Telemetry telemetry() const;

 private:
  std::shared_ptr<const NvmlLibrary> library_;
  void* handle_;
};

class Nvml {
 public:
  using Device = NvmlDevice;

  /// Loads `library` and initialises it. Does not throw: see ready().
  explicit Nvml(const std::string& library = default_library());

  /// One for the process, opened at first use.
  static const Nvml& shared();

  /// $ASSAY_NVML_LIBRARY where set (a library elsewhere, or one that a test built), else libnvidia-ml.so.1.
  static std::string default_library();

  bool ready() const { return library_ != nullptr; }
  /// Why not ready(), in the loader's or the driver's own words; empty when ready.
  const std::string& unavailable() const { return unavailable_; }

  std::optional<std::string> driver_version() const, library_version() const;
  std::optional<std::string> cuda_driver_version() const;  // "13.0"
  int device_count() const;                                // 0 when not ready

  /// Finds a GPU by NVML's index or by PCI address. Empty when there is none or it is lost; `why` then gets
  /// the driver's words.
  std::optional<Device> device(int index, std::string* why = nullptr) const;
  std::optional<Device> device(const std::string& pci_address, std::string* why = nullptr) const;

  /// Functions this library lacks and no other replaces: what they would have returned stays empty.
  std::vector<std::string> missing_functions() const;

 private:
  std::shared_ptr<const NvmlLibrary> library_;
  std::string unavailable_;
};

/// Names of the bits set, lowest first: gpu_idle, sw_power_cap, hw_slowdown ... ; an unknown bit is
/// "bit_<n>".
std::vector<std::string> clocks_event_reason_names(std::uint64_t reasons);

}  // namespace assay::machine
