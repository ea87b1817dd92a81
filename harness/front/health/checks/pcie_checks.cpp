// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// PCIe links as they trained, against what both ends can do. A GPU that idles may lower its speed, never its
// width: a low speed is judged only where nothing explains it.
#include <fmt/format.h>

#include <algorithm>

#include "harness/front/health/checks/checks.hpp"

namespace assay::health {
namespace {

bool none(const Scene& scene, Findings& findings) {
  if (!scene.now.links.empty()) return false;
  if (scene.now.pci_seen)
    findings.absent("no GPU and no adapter on the PCI bus");
  else
    findings.unknown("", "no PCI bus can be seen");
  return true;
}

/// The best of the GPUs of the same name here: what both ends of a link can do is less where one end is
/// another board, riser or slot than the others'.
machine::PcieLink best_of_equals(const Scene& scene, const NamedLink& named) {
  const auto gpu_at = [&](const std::string& address) {
    return std::find_if(scene.now.gpus.begin(), scene.now.gpus.end(),
                        [&](const GpuState& gpu) { return gpu.address == address; });
  };
  const auto own = gpu_at(named.link.address);
  machine::PcieLink best = named.link;
  for (const NamedLink& other : scene.now.links) {
    const auto gpu = gpu_at(other.link.address);
    if (!other.of_gpu || own == scene.now.gpus.end() || gpu == scene.now.gpus.end() || gpu->name != own->name)
      continue;
    best.max_width = std::max(best.max_width, other.link.max_width);
    best.max_speed_gt_per_s = std::max(best.max_speed_gt_per_s, other.link.max_speed_gt_per_s);
  }
  return best;
}

const Advice poorer_than_equals{"other GPUs of its kind can do more here: another board, riser or slot",
                                Action::reseat};

void judge_width(const Scene& scene, Findings& findings) {
  if (none(scene, findings)) return;
  for (const NamedLink& named : scene.now.links) {
    const machine::PcieLink& link = named.link;
    if (link.width == 0 || link.max_width == 0)
      findings.unknown(named.unit, "its width is unknown");
    else if (link.width > link.max_width)
      findings.unknown(named.unit, fmt::format("x{}, and both ends have x{}", link.width, link.max_width));
    else if (const int equals = best_of_equals(scene, named).max_width; link.max_width < equals)
      findings.add(Status::failed, named.unit, fmt::format("x{}, others x{}", link.max_width, equals),
                   poorer_than_equals);
    else if (link.width < link.max_width)
      findings.add(Status::failed, named.unit, fmt::format("x{} of x{}", link.width, link.max_width),
                   {"lanes did not train: a bad contact, riser or slot", Action::reseat});
    else
      findings.passed(named.unit, fmt::format("x{}", link.width));
  }
}

bool idles(const Scene& scene, const std::string& address) {
  constexpr std::uint64_t idle_bit = 0x1;
  return std::any_of(scene.now.gpus.begin(), scene.now.gpus.end(), [&](const GpuState& gpu) {
    return gpu.address == address && (gpu.clocks_event_reasons.value_or(0) & idle_bit) != 0;
  });
}

void judge_speed(const Scene& scene, Findings& findings) {
  if (none(scene, findings)) return;
  for (const NamedLink& named : scene.now.links) {
    const machine::PcieLink& link = named.link;
    const std::string evidence = fmt::format("{} of {} GT/s", link.speed_gt_per_s, link.max_speed_gt_per_s);
    if (link.speed_gt_per_s == 0 || link.max_speed_gt_per_s == 0)
      findings.unknown(named.unit, "its speed is unknown");
    else if (link.speed_gt_per_s > link.max_speed_gt_per_s)
      findings.unknown(named.unit, evidence + ": more than both ends can do");
    else if (const double equals = best_of_equals(scene, named).max_speed_gt_per_s;
             link.max_speed_gt_per_s < equals)
      findings.add(Status::failed, named.unit,
                   fmt::format("{} GT/s, others {} GT/s", link.max_speed_gt_per_s, equals),
                   poorer_than_equals);
    else if (link.speed_gt_per_s == link.max_speed_gt_per_s)
      findings.passed(named.unit, fmt::format("{} GT/s", link.speed_gt_per_s));
    else if (named.of_gpu && idles(scene, link.address))
      findings.add(Status::unknown, named.unit, evidence + ", and the GPU idles",
                   {"an idle link may use a lower speed: `assay run --filter offload.cuda.copy` reads it "
                    "under load",
                    Action::none});
    else
      findings.add(Status::failed, named.unit, evidence,
                   {"the link trained below what both ends can do", Action::reseat});
  }
}

constexpr Check listed_pcie_checks[] = {
    {"pcie.width", "lanes of GPUs, adapters and the switches above them, against both ends", judge_width},
    {"pcie.speed", "their speed, likewise; of a GPU under load only", judge_speed},
};

}  // namespace

std::span<const Check> pcie_checks() { return listed_pcie_checks; }

}  // namespace assay::health
