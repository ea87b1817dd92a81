// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// PCIe links as they trained, against what both ends can do. A GPU that idles may lower its speed, never its
// width: a low speed is judged only where nothing explains it.
#include <fmt/format.h>

#include <algorithm>

#include "harness/health/checks.hpp"

namespace assay::health {
namespace {

bool none(const Scene& scene, Findings& findings) {
  if (!scene.now.links.empty()) return false;
  if (scene.now.pci_told)
    findings.absent("no GPU and no adapter on the PCI bus");
  else
    findings.not_told("", "no PCI bus can be seen");
  return true;
}

void judge_width(const Scene& scene, Findings& findings) {
  if (none(scene, findings)) return;
  for (const NamedLink& named : scene.now.links) {
    const machine::PcieLink& link = named.link;
    if (link.width == 0 || link.max_width == 0)
      findings.not_told(named.unit, "its width is not told");
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
    const std::string told = fmt::format("{} of {} GT/s", link.speed_gt_per_s, link.max_speed_gt_per_s);
    if (link.speed_gt_per_s == 0 || link.max_speed_gt_per_s == 0)
      findings.not_told(named.unit, "its speed is not told");
    else if (link.speed_gt_per_s >= link.max_speed_gt_per_s)
      findings.passed(named.unit, fmt::format("{} GT/s", link.speed_gt_per_s));
    else if (named.of_gpu && idles(scene, link.address))
      findings.add(Status::not_told, named.unit, told + ", and the GPU idles",
                   {"an idle link may rest at a lower speed: `assay run --filter offload.cuda.copy` reads it "
                    "under load",
                    Action::none});
    else
      findings.add(Status::failed, named.unit, told,
                   {"the link trained below what both ends can do", Action::reseat});
  }
}

constexpr Check listed_pcie_checks[] = {
    {"pcie.width", "lanes of GPUs, adapters and every switch above them against what both ends have",
     judge_width},
    {"pcie.speed", "their speed against what both ends can do; an idle GPU's is judged under load only",
     judge_speed},
};

}  // namespace

std::span<const Check> pcie_checks() { return listed_pcie_checks; }

}  // namespace assay::health
