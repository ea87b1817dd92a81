// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Checks of a GPU's reports on its own health: rows replaced, on-chip memory, the action its driver asks for,
// what holds its clocks down, its NVLinks. Limits and their sources: docs/reference/health-checks.md.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/front/health/checks/checks.hpp"

namespace assay::health {
namespace {

constexpr unsigned most_remapped_rows = 512;  // where DCGM and OCI replace the board

void judge_rows(const GpuState& gpu, Findings& findings) {
  const machine::RemappedRows& rows = *gpu.remapped_rows;
  const std::string evidence = fmt::format(
      "{} rows replaced for uncorrectable and {} for correctable errors{}{}", rows.uncorrected,
      rows.corrected, rows.pending ? ", one pending" : "", rows.failed ? ", one could not be replaced" : "");
  // Each is compared with the limit first: their sum could wrap.
  const bool worn = rows.uncorrected >= most_remapped_rows || rows.corrected >= most_remapped_rows ||
                    rows.uncorrected + rows.corrected >= most_remapped_rows;
  if (rows.failed)
    findings.add(Status::failed, gpu.unit(), evidence, {"a bad row has no spare left", Action::replace});
  else if (worn)
    findings.add(
        Status::failed, gpu.unit(), evidence,
        {fmt::format("{} replaced rows or more: the memory wears out", most_remapped_rows), Action::replace});
  if (rows.pending)
    findings.add(Status::failed, gpu.unit(), evidence,
                 {"a row is replaced only at the next reset; until then it is in use", Action::reset});
  if (rows.failed || rows.pending || worn) return;
  if (rows.uncorrected > 0)
    findings.add(Status::noticed, gpu.unit(), evidence,
                 {"replaced and working; more of them is a trend", Action::monitor});
  else
    findings.passed(gpu.unit(), evidence);
}

void judge_row_remap(const Scene& scene, Findings& findings) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (gpu.remapped_rows)
      judge_rows(gpu, findings);
    else
      findings.unknown(gpu.unit(), "the driver does not report replaced rows");
  });
}

void judge_sram(const Scene& scene, Findings& findings) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (!gpu.sram_threshold_exceeded)
      findings.unknown(gpu.unit(), "the driver does not report whether the limit is passed");
    else if (*gpu.sram_threshold_exceeded)
      findings.add(Status::failed, gpu.unit(), "the driver's limit of uncorrectable errors is passed",
                   {"on-chip memory fails and has no spares", Action::replace});
    else
      findings.passed(gpu.unit(), "below the driver's limit");
  });
}

struct Recovery {
  const char* evidence;
  Advice advice;
};

/// Recovery actions, indexed by NVML's number, nvmlDeviceGpuRecoveryAction_t.
const std::map<unsigned, Recovery>& recoveries() {
  static const std::map<unsigned, Recovery> all{
      {1, {"reset the GPU", {"the driver wants the GPU reset", Action::reset}}},
      {2, {"reboot the node", {"the driver wants the node rebooted", Action::reboot}}},
      {3, {"drain peers", {"the driver wants work over peers to end", Action::drain}}},
      {4, {"drain peers and reset", {"the driver wants work to end and the GPU reset", Action::reset}}},
      {5, {"recover the IMEX domain", {"memory export between nodes is broken", Action::drain}}},
  };
  return all;
}

void judge_recovery(const Scene& scene, Findings& findings) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (!gpu.recovery_action) {
      findings.unknown(gpu.unit(), "the driver does not report an action");
      return;
    }
    if (*gpu.recovery_action == 0) {
      findings.passed(gpu.unit(), "none asked for");
      return;
    }
    const auto known = recoveries().find(*gpu.recovery_action);
    if (known != recoveries().end())
      findings.add(Status::failed, gpu.unit(), known->second.evidence, known->second.advice);
    else
      findings.add(Status::failed, gpu.unit(), fmt::format("action {}", *gpu.recovery_action),
                   {"the driver asks for something this version does not know", Action::drain});
  });
}

// Bits of nvmlClocksEventReasons. They combine, so that each is tested as a bit.
constexpr std::uint64_t hardware_slowdown = 0x8, software_thermal = 0x20, hardware_thermal = 0x40,
                        power_brake = 0x80, known_reasons = 0x1ff;

void judge_reasons(const GpuState& gpu, Findings& findings) {
  const std::uint64_t reasons = *gpu.clocks_event_reasons;
  const auto names = machine::clocks_event_reason_names(reasons);
  const std::string evidence =
      names.empty() ? "nothing holds its clocks down" : fmt::format("{}", fmt::join(names, ", "));
  if ((reasons & power_brake) != 0)
    findings.add(Status::failed, gpu.unit(), evidence,
                 {"the power supply throttles it: check feed and supply", Action::drain});
  else if ((reasons & (hardware_thermal | hardware_slowdown)) != 0)
    findings.add(Status::failed, gpu.unit(), evidence,
                 {"the board slows down from heat or power: check cooling and supply", Action::drain});
  else if ((reasons & ~known_reasons) != 0)
    findings.unknown(gpu.unit(), evidence + ": a reason that this version does not know");
  else if ((reasons & software_thermal) != 0)
    findings.add(Status::noticed, gpu.unit(), evidence,
                 {"slowed down by heat, though assay puts no load on it", Action::monitor});
  else
    findings.passed(gpu.unit(), evidence);  // a power cap is normal under load
}

void judge_throttle(const Scene& scene, Findings& findings) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (gpu.clocks_event_reasons)
      judge_reasons(gpu, findings);
    else
      findings.unknown(gpu.unit(), "the driver does not report what holds its clocks down");
  });
}

int active_links(const GpuState& gpu) {
  if (!gpu.nvlinks) return 0;
  return static_cast<int>(std::count_if(gpu.nvlinks->begin(), gpu.nvlinks->end(),
                                        [](const machine::Nvlink& link) { return link.active; }));
}

/// The expected number; else that of the best of its kind here, which cannot see what all of them lack.
int wanted_links(const Scene& scene, const GpuState& gpu) {
  if (scene.expected.nvlinks) return *scene.expected.nvlinks;
  int most = 0;
  for (const GpuState& other : scene.now.gpus)
    if (other.name == gpu.name) most = std::max(most, active_links(other));
  return most;
}

bool has_link_twice(const GpuState& gpu) {
  std::set<int> seen;
  return std::any_of(gpu.nvlinks->begin(), gpu.nvlinks->end(),
                     [&](const machine::Nvlink& link) { return !seen.insert(link.index).second; });
}

void judge_links(const Scene& scene, const GpuState& gpu, Findings& findings) {
  const int active = active_links(gpu), wanted = wanted_links(scene, gpu);
  std::vector<int> down;
  for (const machine::Nvlink& link : *gpu.nvlinks)
    if (!link.active) down.push_back(link.index);
  const std::string evidence = fmt::format("{} of {} links active{}{}", active, wanted,
                                           down.empty() ? "" : "; inactive: ", fmt::join(down, ", "));
  if (has_link_twice(gpu) || active > wanted)
    findings.unknown(gpu.unit(), evidence + ": more than it can have");
  else if (active < wanted)
    findings.add(Status::failed, gpu.unit(), evidence,
                 {"a link did not train: bandwidth is missing", Action::drain});
  else if (active == 0 && !scene.expected.nvlinks)
    findings.unknown(gpu.unit(), fmt::format("it has {} links and none is active: only an expectation "
                                             "(nvlinks) can say whether that is right",
                                             gpu.nvlinks->size()));
  else
    findings.passed(gpu.unit(), evidence);
}

void judge_nvlinks(const Scene& scene, Findings& findings) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (!gpu.nvlinks)
      findings.unknown(gpu.unit(), "the driver does not report its links");
    else if (gpu.nvlinks->empty() && wanted_links(scene, gpu) == 0)
      findings.passed(gpu.unit(), "has none");
    else
      judge_links(scene, gpu, findings);
  });
}

/// The number of links of the GPU here with most.
std::size_t wanted_c2c_links(const Scene& scene) {
  std::size_t most = 0;
  for (const GpuState& gpu : scene.now.gpus)
    if (gpu.c2c_links) most = std::max(most, gpu.c2c_links->size());
  return most;
}

void judge_c2c_links(const GpuState& gpu, std::size_t wanted, Findings& findings) {
  std::size_t active = 0;
  std::vector<int> down, silent;
  for (const machine::C2cLink& link : *gpu.c2c_links)
    if (!link.active)
      silent.push_back(link.index);
    else if (*link.active)
      ++active;
    else
      down.push_back(link.index);
  const std::string evidence = fmt::format("{} of {} links active{}{}", active, wanted,
                                           down.empty() ? "" : "; inactive: ", fmt::join(down, ", "));
  if (!down.empty() || active + silent.size() < wanted)
    findings.add(Status::failed, gpu.unit(), evidence,
                 {"a link to the CPU did not train: bandwidth is missing", Action::drain});
  else if (!silent.empty())
    findings.unknown(gpu.unit(),
                     fmt::format("{}; no state is reported of {}", evidence, fmt::join(silent, ", ")));
  else
    findings.passed(gpu.unit(), evidence);
}

void judge_c2c_state(const Scene& scene, Findings& findings) {
  const std::size_t wanted = wanted_c2c_links(scene);
  if (wanted == 0 && !scene.now.gpus.empty()) return findings.absent("no GPU here reports C2C links");
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (gpu.c2c_links)
      judge_c2c_links(gpu, wanted, findings);
    else
      findings.unknown(gpu.unit(), "the driver does not report its C2C links, and others here have them");
  });
}

constexpr Check listed_gpu_state_checks[] = {
    {"gpu.recovery_action", "the action that the driver asks for", judge_recovery},
    {"gpu.row_remap", "memory rows replaced: failed, pending, how many", judge_row_remap},
    {"gpu.sram", "the driver's limit for errors of on-chip memory", judge_sram},
    {"gpu.throttle", "what holds the clocks down", judge_throttle},
    {"gpu.nvlink_state", "every NVLink is active, as many as expected or as equals have", judge_nvlinks},
    {"gpu.c2c_state", "every C2C link to the CPU is active, as many as equals have", judge_c2c_state},
};

}  // namespace

std::span<const Check> gpu_state_checks() { return listed_gpu_state_checks; }

}  // namespace assay::health
