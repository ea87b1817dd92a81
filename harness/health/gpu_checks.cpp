// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Whether every GPU is there, is the one it was, and is set up for measuring.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "harness/health/checks.hpp"

namespace assay::health {
namespace {

const Advice off_the_bus{
    "the PCI bus shows a GPU that its driver does not: it fell off the bus or another driver holds it",
    Action::reboot};

void judge_unlisted(const Scene& scene, Findings& findings) {
  for (const std::string& address : scene.now.pci_gpus) {
    const bool listed = std::any_of(scene.now.gpus.begin(), scene.now.gpus.end(),
                                    [&](const GpuState& gpu) { return gpu.address == address; });
    // A GPU that cannot be opened has no address to be told by.
    const bool lost = std::any_of(scene.now.gpus.begin(), scene.now.gpus.end(),
                                  [](const GpuState& gpu) { return !gpu.lost.empty(); });
    if (!listed && !lost)
      findings.add(Status::failed, "GPU " + address, "on the PCI bus, not listed by the driver", off_the_bus);
  }
  for (const GpuState& gpu : scene.now.gpus)
    if (gpu.lost.empty() && scene.now.pci_told &&
        std::find(scene.now.pci_gpus.begin(), scene.now.pci_gpus.end(), gpu.address.value_or("")) ==
            scene.now.pci_gpus.end())
      findings.not_told(gpu.unit(), "listed by the driver, not to be found on the PCI bus");
    else if (!gpu.lost.empty())
      findings.add(Status::failed, gpu.unit(), "listed, but cannot be opened: " + gpu.lost, off_the_bus);
}

void judge_count(const Scene& scene, Findings& findings) {
  const auto expected = scene.expected.gpus;
  const auto found = static_cast<int>(scene.now.gpus.size());
  if (expected && scene.now.pci_told && static_cast<int>(scene.now.pci_gpus.size()) < *expected)
    findings.add(
        Status::failed, "",
        fmt::format("{} GPUs on the PCI bus, {} expected ({})", scene.now.pci_gpus.size(), *expected,
                    scene.expected.source),
        {"a GPU is not even on the bus: no power, not seated, or fallen off for good", Action::reseat});
  if (no_gpu(scene, findings)) return;
  judge_unlisted(scene, findings);
  if (!scene.now.pci_told) findings.not_told("", "no PCI bus to hold the driver's list against");
  if (expected && found > *expected)
    findings.add(Status::failed, "", fmt::format("{} GPUs, {} expected", found, *expected),
                 {"this is not the machine that was expected", Action::configure});
  findings.passed(
      "", fmt::format("{} listed by the driver, {} on the PCI bus", found, scene.now.pci_gpus.size()));
}

void judge_uuids(const Scene& scene, Findings& findings) {
  std::map<std::string, std::string> seen;
  for (const GpuState& gpu : scene.now.gpus) {
    if (!gpu.lost.empty()) continue;
    if (!gpu.name || !gpu.uuid || !gpu.serial || !gpu.vbios) {
      findings.not_told(gpu.unit(), "the driver does not tell all of name, UUID, serial and VBIOS");
      continue;
    }
    const auto [other, fresh] = seen.try_emplace(*gpu.uuid, gpu.unit());
    if (!fresh)
      findings.add(Status::failed, gpu.unit(),
                   fmt::format("UUID {} is also that of {}", *gpu.uuid, other->second),
                   {"two boards cannot share an identity: the InfoROM is not to be trusted", Action::drain});
    else
      findings.passed(gpu.unit(), fmt::format("{}, serial {}, VBIOS {}", *gpu.uuid, *gpu.serial, *gpu.vbios));
    for (const GpuState& before : scene.before.gpus)
      if (before.address == gpu.address && before.uuid && before.uuid != gpu.uuid)
        findings.add(Status::noticed, gpu.unit(), fmt::format("was {}, is {}", *before.uuid, *gpu.uuid),
                     {"another board than at the check before", Action::monitor});
  }
}

/// Equal boards should have equal VBIOS: the value most have, and expected where that is told.
void judge_vbios(const Scene& scene, Findings& findings) {
  std::map<std::string, int> votes;
  for (const GpuState& gpu : scene.now.gpus)
    if (gpu.vbios) ++votes[*gpu.vbios];
  if (votes.empty()) return;
  const auto most = std::max_element(votes.begin(), votes.end(), [](const auto& one, const auto& other) {
    return one.second < other.second;
  });
  const std::string wanted = scene.expected.vbios.value_or(most->first);
  for (const GpuState& gpu : scene.now.gpus)
    if (gpu.vbios && *gpu.vbios != wanted)
      findings.add(Status::failed, gpu.unit(),
                   fmt::format("VBIOS {}, {} have {}", *gpu.vbios,
                               scene.expected.vbios ? "they should" : "most", wanted),
                   {"boards with other firmware have other limits", Action::configure});
}

void judge_identity(const Scene& scene, Findings& findings) {
  if (no_gpu(scene, findings)) return;
  judge_uuids(scene, findings);
  judge_vbios(scene, findings);
  if (!scene.expected.gpu_name) return;
  for (const GpuState& gpu : scene.now.gpus)
    if (gpu.name.value_or("").find(*scene.expected.gpu_name) == std::string::npos)
      findings.add(
          Status::failed, gpu.unit(),
          fmt::format("is '{}', '{}' expected", gpu.name.value_or("not told"), *scene.expected.gpu_name),
          {"this is not the machine that was expected", Action::configure});
}

void judge_flag(const Scene& scene, Findings& findings, std::optional<bool> GpuState::* flag, bool wanted,
                Status otherwise, const Advice& advice) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (!(gpu.*flag))
      findings.not_told(gpu.unit(), "the driver does not tell");
    else if (*(gpu.*flag) == wanted)
      findings.passed(gpu.unit(), wanted ? "on" : "off");
    else
      findings.add(otherwise, gpu.unit(), wanted ? "off" : "on", advice);
  });
}

void judge_ecc_mode(const Scene& scene, Findings& findings) {
  judge_flag(scene, findings, &GpuState::ecc_enabled, true, Status::failed,
             {"memory errors pass unseen", Action::configure});
}

void judge_persistence(const Scene& scene, Findings& findings) {
  judge_flag(scene, findings, &GpuState::persistence_enabled, true, Status::noticed,
             {"the driver is set up anew for every program, and forgets its counters", Action::configure});
}

void judge_mig(const Scene& scene, Findings& findings) {
  judge_flag(scene, findings, &GpuState::mig_enabled, false, Status::failed,
             {"the GPU is cut into instances: what is measured is a slice", Action::configure});
}

void judge_processes(const Scene& scene, Findings& findings) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (!gpu.processes)
      findings.not_told(gpu.unit(), "the driver does not tell who computes on it");
    else if (gpu.processes->empty())
      findings.passed(gpu.unit(), "nobody computes on it");
    else
      findings.add(Status::failed, gpu.unit(),
                   fmt::format("in use by process {}", fmt::join(*gpu.processes, ", ")),
                   {"a foreign process shares the GPU: nothing measured beside it holds", Action::configure});
  });
}

void judge_power_limit(const Scene& scene, Findings& findings) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (!gpu.power_limit_w || !gpu.default_power_limit_w)
      findings.not_told(gpu.unit(), "the driver does not tell its power limits");
    else if (*gpu.power_limit_w < *gpu.default_power_limit_w)
      findings.add(Status::noticed, gpu.unit(),
                   fmt::format("{:.0f} W, default {:.0f} W", *gpu.power_limit_w, *gpu.default_power_limit_w),
                   {"it will be slower than its kind", Action::configure});
    else
      findings.passed(gpu.unit(), fmt::format("{:.0f} W", *gpu.power_limit_w));
  });
}

constexpr Check listed_gpu_checks[] = {
    {"gpu.count", "GPUs that the driver lists against those on the PCI bus and those expected", judge_count},
    {"gpu.identity", "UUID, serial and VBIOS: told, unique, equal among equals, as at the check before",
     judge_identity},
    {"gpu.ecc_mode", "error correction is on", judge_ecc_mode},
    {"gpu.persistence", "the driver stays loaded", judge_persistence},
    {"gpu.mig", "the GPU is whole", judge_mig},
    {"gpu.processes", "nobody else computes on it", judge_processes},
    {"gpu.power_limit", "the power limit is the board's own", judge_power_limit},
};

}  // namespace

std::span<const Check> gpu_checks() { return listed_gpu_checks; }

}  // namespace assay::health
