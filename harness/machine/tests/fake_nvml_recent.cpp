// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The functions of a recent driver's NVML that fake_nvml.cpp lacks. FAKE_NVML_FABRIC_VERSION is the newest
// version of fabric information that it knows (3), FAKE_NVML_FABRIC_MASK and _SUMMARY what that says of
// health (all good), FAKE_NVML_C2C how many C2C links a GPU has (not reported), FAKE_NVML_C2C_DOWN which one
// is inactive.
#include <cstdlib>

#include "harness/machine/nvml/nvml_library.hpp"

using assay::machine::NvmlFabric;
using assay::machine::NvmlFabricHealth;
using assay::machine::NvmlFieldValue;
using assay::machine::NvmlHandle;
using assay::machine::NvmlProcess;
using assay::machine::NvmlSramErrors;
using assay::machine::NvmlTemperature;

namespace {

template <class Number>
int give(Number* into, Number value) {
  *into = value;
  return 0;
}

void say_unsigned(NvmlFieldValue& field, unsigned value) {
  field.type = 1;
  field.value.as_unsigned = value;
}

void say_long(NvmlFieldValue& field, unsigned long long value) {
  field.type = 3;
  field.value.as_unsigned_long_long = value;
}

void say_signed(NvmlFieldValue& field, long long value) {
  field.type = 4;
  field.value.as_long_long = value;
}

long whole_setting(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtol(text, nullptr, 0) : otherwise;
}

/// Answers a field of the C2C link that is the scope.
void answer_c2c(NvmlFieldValue& field, long links) {
  constexpr int invalid_argument = 2, not_supported = 3;
  field.result = links < 0 ? not_supported : 0;
  if (field.field == 170) return say_unsigned(field, static_cast<unsigned>(links));
  if (links >= 0 && static_cast<long>(field.scope) >= links) field.result = invalid_argument;
  if (field.field == 171)
    return say_unsigned(field,
                        static_cast<long>(field.scope) == whole_setting("FAKE_NVML_C2C_DOWN", -1) ? 0 : 1);
  if (field.field == 172) return say_unsigned(field, 44712);
  say_long(field, field.scope == 2 ? field.field - 230 : 0);  // errors of the third link: 1, 2, 3
}

/// A driver as of CUDA 13.1, which numbers 18 higher what held the clock down: 251 to 253 are of power
/// smoothing.
bool numbers_higher() { return std::getenv("FAKE_NVML_NUMBERS_HIGHER") != nullptr; }

/// FAKE_NVML_NVLINK5: counters as of NVLink 5, and not those of earlier generations.
bool answer_nvlink5(NvmlFieldValue& field) {
  if (std::getenv("FAKE_NVML_NVLINK5") == nullptr) return false;
  const bool all = field.scope == ~0U;
  switch (field.field) {
    case 202:
      return say_long(field, all ? 6ULL << 40 : 7), true;
    case 208:
      return say_long(field, field.scope == 2 ? 4 : 0), true;
    case 211:
      return say_long(field, 0), true;
    case 215:
      return say_long(field, 3), true;
    case 138:
    case 161:
    case 162:
    case 163:
      field.result = 3;  // not supported
      return true;
    default:
      return false;
  }
}

void answer(NvmlFieldValue& field) {
  constexpr int not_supported = 3;
  field.result = 0;
  if (answer_nvlink5(field)) return;
  constexpr unsigned first = 251, last = 253, higher = 18;
  const bool low = field.field >= first && field.field <= last,
             high = field.field >= first + higher && field.field <= last + higher;
  if (numbers_higher() ? low : high) return say_unsigned(field, 1);
  switch (high ? field.field - higher : field.field) {
    case 82:  // memory temperature
      return say_unsigned(field, 61);
    case 186:  // power at this instant, mW
      return say_unsigned(field, 701250);
    case 74:  // time held down by the power limit, ns
      return say_long(field, 5000000000ULL);
    case 252:  // hardware thermal slowdown, ns; a signed type
      return say_signed(field, 250);
    case 138:  // sent over NVLink, KiB; of one link a little, of all much. FAKE_NVML_LINKS_SILENT: not told
      if (std::getenv("FAKE_NVML_LINKS_SILENT") != nullptr) field.result = not_supported;
      return say_long(field, field.scope == ~0U ? 5ULL << 32 : 7);
    case 161:  // replays of the link that is the scope; of the others the driver tells nothing
      if (field.scope != 2) field.result = not_supported;
      return say_long(field, 9);
    case 170:
    case 171:
    case 172:
    case 231:
    case 232:
    case 233:
      return answer_c2c(field, whole_setting("FAKE_NVML_C2C", -1));
    case 230:  // recovery action: reset
      return say_unsigned(field, 1);
    case 253:  // a driver that answers nonsense
      return say_signed(field, -1);
    default:
      field.result = not_supported;
  }
}

}  // namespace

extern "C" {

int nvmlDeviceGetCudaComputeCapability(NvmlHandle, int* major, int* minor) {
  *major = 9;
  *minor = 0;
  return 0;
}

int nvmlDeviceGetGpuFabricInfo(NvmlHandle, NvmlFabric* fabric) {
  fabric->cluster_uuid[0] = 0xab;
  fabric->clique = 7;
  fabric->state = 3;
  fabric->status = 0;
  return 0;
}

int nvmlDeviceGetGpuFabricInfoV(NvmlHandle, NvmlFabricHealth* fabric) {
  const unsigned version = fabric->version >> 24, size = fabric->version & 0xffffff;
  const bool known = (version == 2 && size == 36) || (version == 3 && size == 40);
  if (!known || static_cast<long>(version) > whole_setting("FAKE_NVML_FABRIC_VERSION", 3))
    return 25;  // argument version mismatch
  fabric->cluster_uuid[0] = 0xab;
  fabric->clique = 7;
  fabric->state = 3;
  fabric->status = 0;
  fabric->health_mask = static_cast<unsigned>(whole_setting("FAKE_NVML_FABRIC_MASK", 0x51aa));
  if (version == 3)
    fabric->health_summary = static_cast<unsigned char>(whole_setting("FAKE_NVML_FABRIC_SUMMARY", 1));
  return 0;
}

int nvmlDeviceGetNumGpuCores(NvmlHandle, unsigned* cores) { return give(cores, 16896U); }
int nvmlDeviceGetMemoryBusWidth(NvmlHandle, unsigned* bits) { return give(bits, 5120U); }
int nvmlDeviceGetPersistenceMode(NvmlHandle, int* mode) { return give(mode, 1); }
int nvmlDeviceGetPowerManagementLimit(NvmlHandle, unsigned* limit) { return give(limit, 600000U); }
int nvmlDeviceGetEnforcedPowerLimit(NvmlHandle, unsigned* limit) { return give(limit, 590000U); }
int nvmlDeviceGetPowerManagementDefaultLimit(NvmlHandle, unsigned* limit) { return give(limit, 700000U); }
int nvmlDeviceGetMaxClockInfo(NvmlHandle, int clock, unsigned* value) {
  return give(value, clock == 1 ? 1980U : 2619U);
}
int nvmlDeviceGetTotalEnergyConsumption(NvmlHandle, unsigned long long* energy) {
  return give(energy, 123456789ULL);
}
int nvmlDeviceGetCurrentClocksEventReasons(NvmlHandle, unsigned long long* reasons) {
  return give(reasons, 0x44ULL);
}
int nvmlDeviceGetPcieReplayCounter(NvmlHandle, unsigned* count) { return give(count, 7U); }
int nvmlDeviceGetCurrPcieLinkGeneration(NvmlHandle, unsigned* value) { return give(value, 5U); }
int nvmlDeviceGetMaxPcieLinkGeneration(NvmlHandle, unsigned* value) { return give(value, 5U); }
int nvmlDeviceGetCurrPcieLinkWidth(NvmlHandle, unsigned* value) { return give(value, 16U); }
int nvmlDeviceGetMaxPcieLinkWidth(NvmlHandle, unsigned* value) { return give(value, 16U); }

int nvmlDeviceGetEccMode(NvmlHandle, int* now, int* pending) {
  *pending = 0;
  return give(now, 1);
}

int nvmlDeviceGetMigMode(NvmlHandle, unsigned* now, unsigned* pending) {
  *pending = 1;
  return give(now, 0U);
}

// Only the newer of the two temperature functions, as after the older one's removal.
int nvmlDeviceGetTemperatureV(NvmlHandle, NvmlTemperature* reading) {
  if (reading->version != (12 | 1U << 24)) return 25;  // argument version mismatch
  return give(&reading->celsius, 45);
}

int nvmlDeviceGetFieldValues(NvmlHandle, int count, NvmlFieldValue* fields) {
  for (int at = 0; at < count; ++at) answer(fields[at]);
  return 0;
}

int nvmlDeviceGetTotalEccErrors(NvmlHandle, int error, int counter, unsigned long long* count) {
  if (error == 1 && counter == 1) return 3;  // not supported
  return give(count, static_cast<unsigned long long>(10 * error + counter));
}

int nvmlDeviceGetRemappedRows(NvmlHandle, unsigned* corrected, unsigned* uncorrected, unsigned* pending,
                              unsigned* failed) {
  *corrected = 1;
  *uncorrected = 2;
  *pending = 1;
  return give(failed, 0U);
}

int nvmlDeviceGetSramEccErrorStatus(NvmlHandle, NvmlSramErrors* errors) {
  if (errors->version != (104 | 1U << 24)) return 25;  // argument version mismatch
  return give(&errors->threshold_exceeded, 1U);
}

int nvmlDeviceGetComputeRunningProcesses_v3(NvmlHandle, unsigned* count, NvmlProcess* processes) {
  processes[0].pid = 4321;
  return give(count, 1U);
}

int nvmlDeviceGetNvLinkState(NvmlHandle, unsigned link, int* state) {
  return link < 18 ? give(state, link == 4 ? 0 : 1) : 2;  // one link is down
}

}  // extern "C"
