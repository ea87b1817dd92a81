// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/machine/nvml/nvml_library.hpp"

#include <dlfcn.h>

#include <string>

#include "harness/core/files/shared_library.hpp"

namespace assay::machine {

namespace {

template <class Function>
Function symbol(void* library, const char* name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

NvmlLibrary::~NvmlLibrary() {
  if (initialised_ && call.shutdown != nullptr) call.shutdown();
  if (library_ != nullptr) dlclose(library_);
}

std::string NvmlLibrary::open(const std::string& path) {
  if (!core::is_absolute_or_searched(path))
    return path + ": expected an absolute path, or a name without '/'";
  library_ = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library_ == nullptr) {
    const char* said = dlerror();
    return said != nullptr ? said : path + ": cannot be loaded";
  }
  resolve_identity();
  resolve_state();
  if (call.init == nullptr) return path + ": has no nvmlInit_v2";
  const NvmlReturn result = call.init();
  initialised_ = result == 0;
  return initialised_ ? "" : "nvmlInit_v2: " + words(result);
}

std::string NvmlLibrary::words(NvmlReturn result) const {
  const char* said = call.error_string != nullptr ? call.error_string(result) : nullptr;
  return said != nullptr ? said : "NVML error " + std::to_string(result);
}

template <class Function>
void NvmlLibrary::find(Function& function, const char* name) {
  function = symbol<Function>(library_, name);
  if (function == nullptr) missing.emplace_back(name);
}

template <class Function, class Other>
void NvmlLibrary::find_either(Function& function, const char* name, Other& other, const char* other_name) {
  function = symbol<Function>(library_, name);
  other = symbol<Other>(library_, other_name);
  if (function == nullptr && other == nullptr) missing.emplace_back(name);
}

void NvmlLibrary::resolve_identity() {
  find(call.init, "nvmlInit_v2");
  find(call.shutdown, "nvmlShutdown");
  find(call.error_string, "nvmlErrorString");
  find(call.driver_version, "nvmlSystemGetDriverVersion");
  find(call.library_version, "nvmlSystemGetNVMLVersion");
  find(call.cuda_driver_version, "nvmlSystemGetCudaDriverVersion_v2");
  find(call.device_count, "nvmlDeviceGetCount_v2");
  find(call.device_by_index, "nvmlDeviceGetHandleByIndex_v2");
  find(call.device_by_pci, "nvmlDeviceGetHandleByPciBusId_v2");
  find(call.name, "nvmlDeviceGetName");
  find(call.uuid, "nvmlDeviceGetUUID");
  find(call.serial, "nvmlDeviceGetSerial");
  find(call.vbios, "nvmlDeviceGetVbiosVersion");
  find(call.pci, "nvmlDeviceGetPciInfo_v3");
  find(call.compute_capability, "nvmlDeviceGetCudaComputeCapability");
  find(call.core_count, "nvmlDeviceGetNumGpuCores");
  find(call.memory_bus_bits, "nvmlDeviceGetMemoryBusWidth");
  find(call.memory, "nvmlDeviceGetMemoryInfo");
}

void NvmlLibrary::resolve_state() {
  find(call.ecc_mode, "nvmlDeviceGetEccMode");
  find(call.mig_mode, "nvmlDeviceGetMigMode");
  find(call.persistence_mode, "nvmlDeviceGetPersistenceMode");
  find(call.clock, "nvmlDeviceGetClockInfo");
  find(call.max_clock, "nvmlDeviceGetMaxClockInfo");
  find(call.power, "nvmlDeviceGetPowerUsage");
  find(call.power_limit, "nvmlDeviceGetPowerManagementLimit");
  find(call.enforced_power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  find(call.default_power_limit, "nvmlDeviceGetPowerManagementDefaultLimit");
  find(call.energy, "nvmlDeviceGetTotalEnergyConsumption");
  find(call.field_values, "nvmlDeviceGetFieldValues");
  find(call.pcie_replays, "nvmlDeviceGetPcieReplayCounter");
  find(call.pcie_generation, "nvmlDeviceGetCurrPcieLinkGeneration");
  find(call.max_pcie_generation, "nvmlDeviceGetMaxPcieLinkGeneration");
  find(call.pcie_width, "nvmlDeviceGetCurrPcieLinkWidth");
  find(call.max_pcie_width, "nvmlDeviceGetMaxPcieLinkWidth");
  find(call.ecc_errors, "nvmlDeviceGetTotalEccErrors");
  find(call.remapped_rows, "nvmlDeviceGetRemappedRows");
  find(call.nvlink_state, "nvmlDeviceGetNvLinkState");
  find_either(call.clocks_event_reasons, "nvmlDeviceGetCurrentClocksEventReasons",
              call.clocks_throttle_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  find_either(call.temperature, "nvmlDeviceGetTemperature", call.temperature_v, "nvmlDeviceGetTemperatureV");
  call.sram_errors = symbol<decltype(call.sram_errors)>(library_, "nvmlDeviceGetSramEccErrorStatus");
  call.fabric = symbol<decltype(call.fabric)>(library_, "nvmlDeviceGetGpuFabricInfo");
  call.fabric_health = symbol<decltype(call.fabric_health)>(library_, "nvmlDeviceGetGpuFabricInfoV");
  call.compute_processes =
      symbol<decltype(call.compute_processes)>(library_, "nvmlDeviceGetComputeRunningProcesses_v3");
  call.violation =
      symbol<decltype(call.violation)>(library_, "nvmlDeviceGetViolationStatus");  // else by fields
}

}  // namespace assay::machine
