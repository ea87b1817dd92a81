// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Checks whether every GPU is there, is the one it was, and is set up for measuring.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/core/gpu_name.hpp"
#include "harness/front/health/checks/checks.hpp"

namespace assay::health {
namespace {

const Advice off_the_bus{
    "the PCI bus shows a GPU that its driver does not: it fell off the bus or another driver holds it",
    Action::reboot};

void judge_unlisted(const Scene& scene, Findings& findings) {
  for (const std::string& address : scene.now.pci_gpus) {
    const bool listed = std::any_of(scene.now.gpus.begin(), scene.now.gpus.end(),
                                    [&](const GpuState& gpu) { return gpu.address == address; });
    // A GPU that cannot be opened is named without its address.
    const bool lost = std::any_of(scene.now.gpus.begin(), scene.now.gpus.end(),
                                  [](const GpuState& gpu) { return !gpu.lost.empty(); });
    if (!listed && !lost)
      findings.add(Status::failed, core::GpuName{"", address}.text(),
                   "on the PCI bus, not listed by the driver", off_the_bus);
  }
  for (const GpuState& gpu : scene.now.gpus)
    if (gpu.lost.empty() && scene.now.pci_seen &&
        std::find(scene.now.pci_gpus.begin(), scene.now.pci_gpus.end(), gpu.address.value_or("")) ==
            scene.now.pci_gpus.end())
      findings.unknown(gpu.unit(), "listed by the driver, not to be found on the PCI bus");
    else if (!gpu.lost.empty())
      findings.add(Status::failed, gpu.unit(), "listed, but cannot be opened: " + gpu.lost, off_the_bus);
}

void judge_count(const Scene& scene, Findings& findings) {
  const auto expected = scene.expected.gpus;
  const auto found = static_cast<int>(scene.now.gpus.size());
  if (expected && scene.now.pci_seen && static_cast<int>(scene.now.pci_gpus.size()) < *expected)
    findings.add(Status::failed, "",
                 fmt::format("{} GPUs on the PCI bus, {} expected ({})", scene.now.pci_gpus.size(), *expected,
                             scene.expected.source),
                 {"a GPU is not on the bus at all: no power, not seated, or lost for good", Action::reseat});
  if (!scene.now.gpus.empty() && !scene.now.gpus_unavailable.empty())
    findings.unknown("", "the driver lists GPUs and reports: " + scene.now.gpus_unavailable);
  if (no_gpu(scene, findings)) return;
  judge_unlisted(scene, findings);
  if (!scene.now.pci_seen) findings.unknown("", "no PCI bus to compare the driver's list with");
  if (expected && found > *expected)
    findings.add(Status::failed, "", fmt::format("{} GPUs, {} expected", found, *expected),
                 {"this is not the machine that was expected", Action::configure});
  findings.passed(
      "", fmt::format("{} listed by the driver, {} on the PCI bus", found, scene.now.pci_gpus.size()));
}

void judge_flag(const Scene& scene, Findings& findings, std::optional<bool> GpuState::* flag, bool wanted,
                Status otherwise, const Advice& advice) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (!(gpu.*flag))
      findings.unknown(gpu.unit(), "the driver does not report it");
    else if (*(gpu.*flag) == wanted)
      findings.passed(gpu.unit(), wanted ? "on" : "off");
    else
      findings.add(otherwise, gpu.unit(), wanted ? "off" : "on", advice);
  });
}

void judge_ecc_mode(const Scene& scene, Findings& findings) {
  judge_flag(scene, findings, &GpuState::ecc_enabled, true, Status::failed,
             {"memory errors go undetected", Action::configure});
}

void judge_persistence(const Scene& scene, Findings& findings) {
  judge_flag(scene, findings, &GpuState::persistence_enabled, true, Status::noticed,
             {"the driver is loaded for every program, and loses its counters", Action::configure});
}

void judge_mig(const Scene& scene, Findings& findings) {
  judge_flag(scene, findings, &GpuState::mig_enabled, false, Status::failed,
             {"the GPU is partitioned: a measurement covers one instance", Action::configure});
}

void judge_processes(const Scene& scene, Findings& findings) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (!gpu.processes)
      findings.unknown(gpu.unit(), "the driver does not report who computes on it");
    else if (gpu.processes->empty())
      findings.passed(gpu.unit(), "no process computes on it");
    else
      findings.add(Status::failed, gpu.unit(),
                   fmt::format("in use by process {}", fmt::join(*gpu.processes, ", ")),
                   {"a foreign process shares the GPU: measurements are not valid", Action::configure});
  });
}

/// No board of this kind has a limit outside: such a number was not read from one.
constexpr double least_power_w = 20, most_power_w = 10000;
/// Below this part of the board's own limit no measurement represents its kind.
constexpr double least_of_default = 0.5;
/// Boards that may be raised above their default are raised by less.
constexpr double most_of_default = 1.5;

bool possible_power(double power_w) { return power_w >= least_power_w && power_w <= most_power_w; }

/// The highest default power limit of boards with this GPU's name on this node, in W.
double most_default_w(const Scene& scene, const GpuState& gpu) {
  double most = 0;
  for (const GpuState& other : scene.now.gpus)
    if (other.name == gpu.name) most = std::max(most, other.default_power_limit_w.value_or(0));
  return most;
}

void judge_power(const Scene& scene, const GpuState& gpu, Findings& findings) {
  const double limit = *gpu.power_limit_w, own = *gpu.default_power_limit_w;
  const std::string evidence = fmt::format("{:.6g} W, default {:.6g} W", limit, own);
  if (!possible_power(own) || (limit >= least_power_w && !possible_power(limit)) ||
      limit > most_of_default * own)
    findings.unknown(gpu.unit(), evidence + ": no board has such limits");
  else if (limit < least_of_default * own)
    findings.add(Status::failed, gpu.unit(), evidence,
                 {"less than half of the board's own limit: no measurement here represents its kind",
                  Action::configure});
  else if (own < most_default_w(scene, gpu))
    findings.add(Status::failed, gpu.unit(),
                 fmt::format("{}, others of its name {:.6g} W", evidence, most_default_w(scene, gpu)),
                 {"a board of another kind under the same name", Action::configure});
  else if (limit != own)
    findings.add(Status::noticed, gpu.unit(), evidence,
                 {limit < own ? "it will be slower than its kind" : "it may be faster than its kind",
                  Action::configure});
  else
    findings.passed(gpu.unit(), fmt::format("{:.6g} W", limit));
}

void judge_power_limit(const Scene& scene, Findings& findings) {
  of_each_gpu(scene, findings, [&](const GpuState& gpu) {
    if (!gpu.power_limit_w || !gpu.default_power_limit_w)
      findings.unknown(gpu.unit(), "the driver does not report its power limits");
    else
      judge_power(scene, gpu, findings);
  });
}

constexpr Check listed_gpu_checks[] = {
    {"gpu.count", "GPUs that the driver lists, against the PCI bus and the expectation", judge_count},
    {"gpu.identity", "name, UUID, serial, VBIOS: reported, unique or equal, unchanged", judge_identity},
    {"gpu.ecc_mode", "error correction is on", judge_ecc_mode},
    {"gpu.persistence", "the driver stays loaded", judge_persistence},
    {"gpu.mig", "the GPU is not partitioned", judge_mig},
    {"gpu.processes", "no other process computes on it", judge_processes},
    {"gpu.power_limit", "the power limit is the board's default", judge_power_limit},
};

}  // namespace

std::span<const Check> gpu_checks() { return listed_gpu_checks; }

}  // namespace assay::health
