// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// NVML of a pretended node: what its GPUs are.
#include <cstdio>
#include <cstring>

#include "harness/core/tests/simulated/h100.hpp"
#include "harness/core/tests/simulated/node.hpp"
#include "harness/machine/nvml/nvml_library.hpp"

using assay::core::simulated::Node;
using assay::machine::NvmlHandle;
using assay::machine::NvmlMemory;
using assay::machine::NvmlPci;
using assay::machine::NvmlProcess;
using assay::machine::NvmlSramErrors;
namespace h100 = assay::core::simulated::h100;

namespace {

int slot_of(NvmlHandle device) { return static_cast<int>(reinterpret_cast<std::size_t>(device)) - 1; }

int say(char* into, unsigned size, const char* text) {
  if (std::strlen(text) >= size) return 7;  // insufficient size
  std::strcpy(into, text);
  return 0;
}

template <class Number>
int give(Number* into, Number value) {
  *into = value;
  return 0;
}

unsigned lanes() { return Node::shared().faults().c2c_links > 0 ? 1 : 16; }

unsigned milliwatts(double watts) { return static_cast<unsigned>(1000 * watts); }

}  // namespace

extern "C" {

int nvmlInit_v2() { return Node::shared().pretends() ? 0 : 9; }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int result) {
  return result == 9   ? "no pretended node is named (ASSAY_SIMULATED_NODE)"
         : result == 6 ? "Not Found"
                       : "Unknown Error";
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return say(text, size, Node::shared().faults().driver.c_str());
}
int nvmlSystemGetNVMLVersion(char* text, unsigned size) {
  return say(text, size, ("13." + Node::shared().faults().driver).c_str());
}
int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  return give(version, assay::core::simulated::cuda_of_driver(Node::shared().libcuda()));
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  return give(count, static_cast<unsigned>(Node::shared().gpus()));
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, NvmlHandle* device) {
  if (index >= static_cast<unsigned>(Node::shared().gpus())) return 6;
  const auto slot = static_cast<std::size_t>(Node::shared().slot_of(static_cast<int>(index)));
  return give(device, reinterpret_cast<NvmlHandle>(slot + 1));
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* address, NvmlHandle* device) {
  for (unsigned index = 0; nvmlDeviceGetHandleByIndex_v2(index, device) == 0; ++index)
    if (std::strstr(address, Node::address_of(slot_of(*device)).c_str()) != nullptr) return 0;
  return 6;
}

int nvmlDeviceGetName(NvmlHandle, char* text, unsigned size) {
  return say(text, size, "simulated H100 80GB HBM3");
}
int nvmlDeviceGetVbiosVersion(NvmlHandle, char* text, unsigned size) {
  return say(text, size, "96.00.99.00.01");
}
int nvmlDeviceGetUUID(NvmlHandle device, char* text, unsigned size) {
  char uuid[64];
  std::snprintf(uuid, sizeof(uuid), "GPU-51a0%04llx-0000-4000-8000-%012d",
                static_cast<unsigned long long>(Node::shared().seed() % 0x10000), slot_of(device));
  return say(text, size, uuid);
}
int nvmlDeviceGetSerial(NvmlHandle device, char* text, unsigned size) {
  char serial[32];
  std::snprintf(serial, sizeof(serial), "51%07llu%02d",
                static_cast<unsigned long long>(Node::shared().seed() % 10'000'000), slot_of(device));
  return say(text, size, serial);
}
int nvmlDeviceGetPciInfo_v3(NvmlHandle device, NvmlPci* pci) {
  std::snprintf(pci->address, sizeof(pci->address), "0000%s", Node::address_of(slot_of(device)).c_str());
  return 0;
}
int nvmlDeviceGetMemoryInfo(NvmlHandle, NvmlMemory* memory) {
  *memory = {h100::memory_bytes, h100::memory_bytes, 0};
  return 0;
}
int nvmlDeviceGetCudaComputeCapability(NvmlHandle, int* major, int* minor) {
  *major = 9;
  return give(minor, 0);
}
int nvmlDeviceGetNumGpuCores(NvmlHandle, unsigned* cores) {
  return give(cores, h100::multiprocessors * h100::lanes_per_multiprocessor);
}
int nvmlDeviceGetMemoryBusWidth(NvmlHandle, unsigned* bits) { return give(bits, h100::memory_bus_bits); }
int nvmlDeviceGetPersistenceMode(NvmlHandle, int* mode) { return give(mode, 1); }
int nvmlDeviceGetEccMode(NvmlHandle, int* now, int* pending) {
  *pending = 1;
  return give(now, 1);
}
int nvmlDeviceGetMigMode(NvmlHandle, unsigned* now, unsigned* pending) {
  *pending = 0;
  return give(now, 0U);
}
int nvmlDeviceGetPowerManagementLimit(NvmlHandle, unsigned* limit) {
  return give(limit, milliwatts(h100::power_limit_w));
}
int nvmlDeviceGetEnforcedPowerLimit(NvmlHandle, unsigned* limit) {
  return give(limit, milliwatts(h100::power_limit_w));
}
int nvmlDeviceGetPowerManagementDefaultLimit(NvmlHandle, unsigned* limit) {
  return give(limit, milliwatts(h100::power_limit_w));
}
int nvmlDeviceGetMaxClockInfo(NvmlHandle, int clock, unsigned* value) {
  return give(value, clock == 1 ? h100::highest_clock_mhz : h100::memory_clock_mhz);
}
int nvmlDeviceGetCurrPcieLinkGeneration(NvmlHandle, unsigned* value) { return give(value, 5U); }
int nvmlDeviceGetMaxPcieLinkGeneration(NvmlHandle, unsigned* value) { return give(value, 5U); }
int nvmlDeviceGetCurrPcieLinkWidth(NvmlHandle, unsigned* value) { return give(value, lanes()); }
int nvmlDeviceGetMaxPcieLinkWidth(NvmlHandle, unsigned* value) { return give(value, lanes()); }
int nvmlDeviceGetNvLinkState(NvmlHandle, unsigned link, int* state) {
  return link < static_cast<unsigned>(h100::nvlinks) ? give(state, 1) : 2;
}
int nvmlDeviceGetPcieReplayCounter(NvmlHandle, unsigned* count) { return give(count, 0U); }
int nvmlDeviceGetTotalEccErrors(NvmlHandle, int, int, unsigned long long* count) { return give(count, 0ULL); }
int nvmlDeviceGetRemappedRows(NvmlHandle, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                              unsigned* failed) {
  *corrected = *uncorrected = *pending = 0;
  return give(failed, 0U);
}
int nvmlDeviceGetSramEccErrorStatus(NvmlHandle, NvmlSramErrors* errors) {
  return give(&errors->threshold_exceeded, 0U);
}
int nvmlDeviceGetComputeRunningProcesses_v3(NvmlHandle, unsigned* count, NvmlProcess*) {
  return give(count, 0U);
}

}  // extern "C"
