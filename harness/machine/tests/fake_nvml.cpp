// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A library with NVML's binary interface and scripted answers: what every driver has. FAKE_NVML_INIT is the
// result of nvmlInit_v2, FAKE_NVML_COUNT how many GPUs there are (8), FAKE_NVML_LOST the index of one that is
// lost.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "harness/machine/nvml/nvml_library.hpp"

using assay::machine::NvmlHandle;
using assay::machine::NvmlMemory;
using assay::machine::NvmlPci;

namespace {

int setting(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

int index_of(NvmlHandle device) { return static_cast<int>(reinterpret_cast<std::size_t>(device)) - 1; }

int say(char* into, unsigned size, const char* text) {
  if (std::strlen(text) >= size) return 7;  // insufficient size
  std::strcpy(into, text);
  return 0;
}

}  // namespace

extern "C" {

int nvmlInit_v2() { return setting("FAKE_NVML_INIT", 0); }
int nvmlShutdown() { return 0; }

const char* nvmlErrorString(int result) {
  if (result == 9) return "Driver Not Loaded";
  if (result == 15) return "GPU is lost";
  return result == 6 ? "Not Found" : "Unknown Error";
}

int nvmlSystemGetDriverVersion(char* text, unsigned size) { return say(text, size, "580.95.05"); }
int nvmlSystemGetNVMLVersion(char* text, unsigned size) { return say(text, size, "13.580.95.05"); }

int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 13000;
  return 0;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(setting("FAKE_NVML_COUNT", 8));
  return 0;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, NvmlHandle* device) {
  if (index >= static_cast<unsigned>(setting("FAKE_NVML_COUNT", 8))) return 6;
  if (static_cast<int>(index) == setting("FAKE_NVML_LOST", -1)) return 15;
  *device = reinterpret_cast<NvmlHandle>(static_cast<std::size_t>(index) + 1);
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* address, NvmlHandle* device) {
  const char* bus = std::strchr(address, ':');
  if (bus == nullptr || bus[2] != '3') return 6;
  return nvmlDeviceGetHandleByIndex_v2(static_cast<unsigned>(bus[1] - '1'), device);
}

int nvmlDeviceGetName(NvmlHandle, char* text, unsigned size) {
  return say(text, size, "NVIDIA H100 80GB HBM3");
}
int nvmlDeviceGetVbiosVersion(NvmlHandle, char* text, unsigned size) {
  return say(text, size, "96.00.99.00.01");
}

int nvmlDeviceGetUUID(NvmlHandle device, char* text, unsigned size) {
  char uuid[32];
  std::snprintf(uuid, sizeof(uuid), "GPU-0000000%d", index_of(device));
  return say(text, size, uuid);
}

int nvmlDeviceGetSerial(NvmlHandle device, char* text, unsigned size) {
  char serial[32];
  std::snprintf(serial, sizeof(serial), "16500000000%d", index_of(device));
  return say(text, size, serial);
}

int nvmlDeviceGetPciInfo_v3(NvmlHandle device, NvmlPci* pci) {
  std::snprintf(pci->address, sizeof(pci->address), "00000000:%d3:00.0", index_of(device) + 1);
  return 0;
}

int nvmlDeviceGetMemoryInfo(NvmlHandle, NvmlMemory* memory) {
  *memory = {85520809984ULL, 85000000000ULL, 520809984ULL};
  return 0;
}

int nvmlDeviceGetClockInfo(NvmlHandle, int clock, unsigned* value) {
  *value = clock == 1 ? 1755 : 2619;
  return 0;
}

int nvmlDeviceGetPowerUsage(NvmlHandle, unsigned* milliwatts) {
  *milliwatts = 690500;
  return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(NvmlHandle, unsigned long long* reasons) {
  *reasons = 0x4;
  return 0;
}

}  // extern "C"
