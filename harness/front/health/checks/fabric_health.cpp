// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Health of the NVLink fabric as the driver of a GPU reports it: fields of a mask, and a summary. A GPU joins
// a fabric that is degraded as it joins a whole one, so that its state says nothing of this.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "harness/front/health/checks/checks.hpp"

namespace assay::health {
namespace {

/// Fields of NVML_GPU_FABRIC_HEALTH_MASK_*. 0 in one: nothing is reported.
struct HealthField {
  std::string_view name;
  unsigned shift, ones, good;
  bool needed;  // drivers from 570 report it of every fabric; the others are newer, or of some fabrics only
};

constexpr std::array health_fields{
    HealthField{"bandwidth", 0, 0x3, 2, true},        HealthField{"route recovery", 2, 0x3, 2, true},
    HealthField{"routes", 4, 0x3, 2, true},           HealthField{"access timeouts", 6, 0x3, 2, true},
    HealthField{"configuration", 8, 0xf, 1, false},   HealthField{"partition", 12, 0x3, 1, false},
    HealthField{"fabric manager", 14, 0x3, 1, false},
};

struct HealthFault {
  std::string_view field;
  unsigned value;
  Status status;
  std::string_view evidence, meaning;
  Action action;
};

constexpr std::string_view other_fabric =
    "the fabric manager's configuration and this GPU do not belong together";

constexpr std::array health_faults{
    HealthFault{"bandwidth", 1, Status::failed, "bandwidth degraded",
                "the GPU reaches others over a part of its links", Action::drain},
    HealthFault{"route recovery", 1, Status::failed, "route recovery in progress",
                "routes change: traffic of this GPU stands still", Action::retest},
    HealthFault{"routes", 1, Status::failed, "route unhealthy",
                "the GPU does not reach every other one of the fabric", Action::drain},
    HealthFault{"access timeouts", 1, Status::failed, "access timeout recovery in progress",
                "an access to another GPU's memory had no answer: programs that use the fabric failed",
                Action::retest},
    HealthFault{"configuration", 2, Status::failed, "incorrect configuration: system GUID", other_fabric,
                Action::configure},
    HealthFault{"configuration", 3, Status::failed, "incorrect configuration: serial number of the chassis",
                other_fabric, Action::configure},
    HealthFault{"configuration", 4, Status::failed, "incorrect configuration: no partition",
                "the GPU is in no partition of the fabric", Action::configure},
    HealthFault{"configuration", 5, Status::failed, "incorrect configuration: not enough NVLinks",
                "links of the GPU did not train", Action::drain},
    HealthFault{"configuration", 6, Status::failed, "incorrect configuration: firmware of the GPU",
                "the firmware is not one that the fabric manager takes", Action::configure},
    HealthFault{"configuration", 7, Status::failed, "incorrect configuration: location", other_fabric,
                Action::configure},
    HealthFault{"configuration", 8, Status::failed, "incorrect configuration: state of the GPU",
                "the fabric manager does not take the GPU in its state", Action::reset},
    HealthFault{"partition", 2, Status::failed, "no partition assigned",
                "the GPU is in no partition of the fabric", Action::configure},
    HealthFault{"fabric manager", 2, Status::noticed, "the global fabric manager is disconnected",
                "a link that fails is not handled", Action::monitor},
};

unsigned known_bits() {
  unsigned known = 0;
  for (const HealthField& field : health_fields) known |= field.ones << field.shift;
  return known;
}

void judge_field(const GpuState& gpu, const HealthField& field, unsigned value, Findings& findings) {
  const auto fault = std::ranges::find_if(
      health_faults, [&](const HealthFault& one) { return one.field == field.name && one.value == value; });
  if (fault == health_faults.end())
    findings.unknown(gpu.unit(),
                     fmt::format("{}: value {}, which this version does not know", field.name, value));
  else
    findings.add(fault->status, gpu.unit(), std::string(fault->evidence),
                 {std::string(fault->meaning), fault->action});
}

/// Value of NVML_GPU_FABRIC_HEALTH_SUMMARY_*. True where nothing counts against it.
bool judge_summary(const GpuState& gpu, unsigned summary, Findings& findings) {
  enum Summary : unsigned { not_reported, healthy, unhealthy, limited_capacity };
  if (summary == not_reported || summary == healthy) return true;
  if (summary == unhealthy)
    findings.add(Status::failed, gpu.unit(), "summary: unhealthy",
                 {"the GPU cannot be relied on to reach others", Action::drain});
  else if (summary == limited_capacity)
    findings.add(Status::failed, gpu.unit(), "summary: limited capacity",
                 {"the GPU reaches others with less than its bandwidth", Action::drain});
  else
    findings.unknown(gpu.unit(), fmt::format("summary {}, which this version does not know", summary));
  return false;
}

void judge_health(const GpuState& gpu, const machine::FabricHealth& health, Findings& findings) {
  std::vector<std::string_view> silent, missing;
  bool good = judge_summary(gpu, health.summary.value_or(0), findings);
  for (const HealthField& field : health_fields) {
    const unsigned value = health.mask >> field.shift & field.ones;
    if (value == field.good) continue;
    if (value == 0) {
      (field.needed ? missing : silent).push_back(field.name);
      continue;
    }
    judge_field(gpu, field, value, findings);
    good = false;
  }
  if (const unsigned other = health.mask & ~known_bits(); other != 0) {
    findings.unknown(gpu.unit(), fmt::format("bits 0x{:x}, which this version does not know", other));
    good = false;
  }
  if (!missing.empty())
    findings.unknown(gpu.unit(), fmt::format("the driver does not report: {}", fmt::join(missing, ", ")));
  else if (good)
    findings.passed(gpu.unit(),
                    fmt::format("healthy (mask 0x{:x}){}{}", health.mask,
                                silent.empty() ? "" : "; not reported: ", fmt::join(silent, ", ")));
}

bool says_something(const std::optional<machine::FabricHealth>& health) {
  return health && (health->mask != 0 || health->summary.value_or(0) != 0);
}

}  // namespace

bool no_fabric(const Scene& scene, Findings& findings) {
  const bool asked_for = std::ranges::any_of(
      scene.now.gpus, [](const GpuState& gpu) { return gpu.fabric_state.value_or(0) != 0; });
  if (asked_for || !scene.now.platform.nvswitches.empty()) return false;
  if (scene.now.pci_seen)
    findings.absent("no NVSwitch on the PCI bus");
  else
    findings.unknown("", "no PCI bus can be seen");
  return true;
}

void judge_fabric_health(const Scene& scene, Findings& findings) {
  if (no_fabric(scene, findings)) return;
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (says_something(gpu.fabric_health))
      judge_health(gpu, *gpu.fabric_health, findings);
    else if (gpu.fabric_state == 0U)
      findings.passed(gpu.unit(), "it asks for no fabric");
    else
      findings.unknown(gpu.unit(), "the driver does not report the health of its NVLink fabric");
  });
}

}  // namespace assay::health
