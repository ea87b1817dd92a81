// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The part of NVML's binary interface assay calls, declared here because nvml.h is seldom installed. Names,
// layouts and numbers are those of NVIDIA's NVML API reference; a function that a library lacks is a null
// pointer.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace assay::machine {

using NvmlReturn = int;  // nvmlReturn_t; 0 is success
using NvmlHandle = void*;

struct NvmlPci {  // nvmlPciInfo_t
  char legacy_address[16];
  unsigned domain, bus, device, pci_device_id, pci_subsystem_id;
  char address[32];  // 00000000:1B:00.0
};
static_assert(sizeof(NvmlPci) == 68);

struct NvmlMemory {  // nvmlMemory_t
  unsigned long long total, free, used;
};

struct NvmlFieldValue {  // nvmlFieldValue_t
  unsigned field, scope;
  long long timestamp_us, latency_us;
  int type;  // 0 double, 1 unsigned, 2 unsigned long, 3 unsigned long long, 4 long long, 5 int, 6 unsigned
             // short
  NvmlReturn result;
  union {
    double as_double;
    unsigned as_unsigned;
    unsigned long as_unsigned_long;
    unsigned long long as_unsigned_long_long;
    long long as_long_long;
    int as_int;
    unsigned short as_unsigned_short;
  } value;
};
static_assert(sizeof(NvmlFieldValue) == 40);

struct NvmlViolation {  // nvmlViolationTime_t
  unsigned long long reference_us, violation_ns;
};

struct NvmlTemperature {  // nvmlTemperature_v1_t
  unsigned version;
  int sensor, celsius;
};
inline constexpr unsigned nvml_temperature_version = sizeof(NvmlTemperature) | (1U << 24);

struct NvmlSramErrors {  // nvmlEccSramErrorStatus_v1_t
  unsigned version;
  unsigned long long aggregate_parity, aggregate_secded, aggregate_corrected, volatile_parity,
      volatile_secded, volatile_corrected, l2, sm, pcie, microcontroller, other;
  unsigned threshold_exceeded;
};
static_assert(sizeof(NvmlSramErrors) == 104);
inline constexpr unsigned nvml_sram_errors_version = sizeof(NvmlSramErrors) | (1U << 24);

struct NvmlProcess {  // nvmlProcessInfo_v2_t
  unsigned pid;
  unsigned long long memory_bytes;
  unsigned gpu_instance, compute_instance;
};
static_assert(sizeof(NvmlProcess) == 24);

struct NvmlFabric {  // nvmlGpuFabricInfo_t: without health
  unsigned char cluster_uuid[16];
  NvmlReturn status;
  unsigned clique;
  unsigned char state;
};
static_assert(sizeof(NvmlFabric) == 28);

struct NvmlFabricHealth {  // nvmlGpuFabricInfo_v3_t; version 2 ends before the summary
  unsigned version;
  unsigned char cluster_uuid[16];
  NvmlReturn status;
  unsigned clique;
  unsigned char state;
  unsigned health_mask;
  unsigned char health_summary;
};
static_assert(offsetof(NvmlFabricHealth, health_summary) == 36 && sizeof(NvmlFabricHealth) == 40);
inline constexpr unsigned nvml_fabric_version_2 = offsetof(NvmlFabricHealth, health_summary) | (2U << 24),
                          nvml_fabric_version_3 = sizeof(NvmlFabricHealth) | (3U << 24);

enum NvmlClock : int { nvml_clock_sm = 1, nvml_clock_memory = 2 };

enum NvmlField : unsigned {
  nvml_field_policy_power = 74,
  nvml_field_policy_thermal = 75,
  nvml_field_policy_sync_boost = 76,
  nvml_field_policy_board_limit = 77,
  nvml_field_policy_low_utilization = 78,
  nvml_field_policy_reliability = 79,
  nvml_field_memory_temperature = 82,
  nvml_field_nvlink_sent_kib = 138,  // NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX
  nvml_field_nvlink_replays = 161,   // of the link that is the scope
  nvml_field_nvlink_recoveries = 162,
  nvml_field_nvlink_crc_errors = 163,
  nvml_field_c2c_links = 170,   // how many the GPU has to the CPU of its superchip
  nvml_field_c2c_active = 171,  // of the link that is the scope
  nvml_field_c2c_mb_per_s = 172,
  nvml_field_power_instant = 186,
  // NVLink 5 (B200) has these in place of 138 and 161 to 163, of the link that is the scope or of all.
  nvml_field_nvlink5_sent_bytes = 202,        // NVML_FI_DEV_NVLINK_COUNT_XMIT_BYTES
  nvml_field_nvlink5_receive_errors = 208,    // _RCV_ERRORS
  nvml_field_nvlink5_integrity_errors = 211,  // _LOCAL_LINK_INTEGRITY_ERRORS
  nvml_field_nvlink5_recoveries = 215,        // _LINK_RECOVERY_EVENTS
  nvml_field_recovery_action = 230,           // NVML_FI_DEV_GET_GPU_RECOVERY_ACTION
  nvml_field_c2c_crc_errors = 231,            // of the link that is the scope; drivers from 575
  nvml_field_c2c_replays = 232,
  nvml_field_c2c_repeated_replays = 233,  // back to back
  // As headers of CUDA 13.1 and later number them, and driver 580.159 does.
  nvml_field_sw_thermal = 269,
  nvml_field_hw_thermal = 270,
  nvml_field_hw_power_brake = 271,
};

/// The shift of throttle fields' numbers: 251 in headers of CUDA 12.9 and 13.0 and driver 580.65 is 269 now;
/// the old numbers are whole numbers of 32 bits of power smoothing.
inline constexpr unsigned nvml_throttle_fields_moved_by = 18;

inline constexpr unsigned nvml_most_nvlinks = 36;  // NVML_NVLINK_MAX_LINKS
inline constexpr unsigned nvml_all_nvlinks = ~0U;  // as the scope of a field: all links together

template <class... Arguments>
using NvmlCall = NvmlReturn (*)(Arguments...);
template <class... Arguments>
using NvmlDeviceCall = NvmlReturn (*)(NvmlHandle, Arguments...);

struct NvmlFunctions {
  NvmlCall<> init = nullptr, shutdown = nullptr;
  const char* (*error_string)(NvmlReturn) = nullptr;
  NvmlCall<char*, unsigned> driver_version = nullptr, library_version = nullptr;
  NvmlCall<int*> cuda_driver_version = nullptr;
  NvmlCall<unsigned*> device_count = nullptr;
  NvmlCall<unsigned, NvmlHandle*> device_by_index = nullptr;
  NvmlCall<const char*, NvmlHandle*> device_by_pci = nullptr;

  NvmlDeviceCall<char*, unsigned> name = nullptr, uuid = nullptr, serial = nullptr, vbios = nullptr;
  NvmlDeviceCall<NvmlPci*> pci = nullptr;
  NvmlDeviceCall<int*, int*> compute_capability = nullptr;
  NvmlDeviceCall<unsigned*> core_count = nullptr, memory_bus_bits = nullptr;
  NvmlDeviceCall<NvmlMemory*> memory = nullptr;
  NvmlDeviceCall<int*, int*> ecc_mode = nullptr;
  NvmlDeviceCall<unsigned*, unsigned*> mig_mode = nullptr;
  NvmlDeviceCall<int*> persistence_mode = nullptr;
  NvmlDeviceCall<int, unsigned*> clock = nullptr, max_clock = nullptr;
  NvmlDeviceCall<unsigned*> power = nullptr, power_limit = nullptr, enforced_power_limit = nullptr,
                            default_power_limit = nullptr;
  NvmlDeviceCall<unsigned long long*> energy = nullptr, clocks_event_reasons = nullptr,
                                      clocks_throttle_reasons = nullptr;
  NvmlDeviceCall<int, unsigned*> temperature = nullptr;
  NvmlDeviceCall<NvmlTemperature*> temperature_v = nullptr;
  NvmlDeviceCall<int, NvmlViolation*> violation = nullptr;
  NvmlDeviceCall<int, NvmlFieldValue*> field_values = nullptr;
  NvmlDeviceCall<unsigned*> pcie_replays = nullptr, pcie_generation = nullptr, max_pcie_generation = nullptr,
                            pcie_width = nullptr, max_pcie_width = nullptr;
  NvmlDeviceCall<int, int, unsigned long long*> ecc_errors = nullptr;
  NvmlDeviceCall<unsigned*, unsigned*, unsigned*, unsigned*> remapped_rows = nullptr;
  NvmlDeviceCall<unsigned, int*> nvlink_state = nullptr;
  // Newer drivers have them; without them a health check says that it could not look.
  NvmlDeviceCall<NvmlSramErrors*> sram_errors = nullptr;
  NvmlDeviceCall<unsigned*, NvmlProcess*> compute_processes = nullptr;
  NvmlDeviceCall<NvmlFabric*> fabric = nullptr;
  NvmlDeviceCall<NvmlFabricHealth*> fabric_health = nullptr;
};

/// True when the library has the function and it succeeded.
template <class Function, class... Arguments>
bool works(Function function, Arguments... arguments) {
  return function != nullptr && function(arguments...) == 0;
}

/// The loaded, initialised library; shut down and closed when the last Device is gone.
struct NvmlLibrary {
  NvmlLibrary() = default;
  ~NvmlLibrary();
  NvmlLibrary(const NvmlLibrary&) = delete;
  NvmlLibrary& operator=(const NvmlLibrary&) = delete;

  /// Empty on success, else why not, in the loader's or the driver's own words.
  std::string open(const std::string& path);
  std::string words(NvmlReturn result) const;

  NvmlFunctions call;
  std::vector<std::string> missing;

 private:
  void resolve_identity();
  void resolve_state();
  template <class Function>
  void find(Function& function, const char* name);
  /// Finds two functions with the same result, of which newer drivers have one and older drivers the other.
  template <class Function, class Other>
  void find_either(Function& function, const char* name, Other& other, const char* other_name);

  void* library_ = nullptr;
  bool initialised_ = false;
};

}  // namespace assay::machine
