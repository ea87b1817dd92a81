// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/checks/checks.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"

namespace assay::health {
namespace {

std::vector<Check> collect() {
  std::vector<Check> all;
  for (const auto checks : {gpu_checks(), gpu_state_checks(), pcie_checks(), counter_checks(), rdma_checks(),
                            rdma_counter_checks(), module_checks(), rdma_place_checks(), platform_checks(),
                            storage_checks(), parts_checks(), job_checks(), kernel_checks()})
    all.insert(all.end(), checks.begin(), checks.end());
  return all;
}

}  // namespace

std::span<const Check> all_checks() {
  static const std::vector<Check> all = collect();
  return all;
}

void require_known(const std::set<std::string>& names) {
  for (const std::string& name : names)
    if (std::none_of(all_checks().begin(), all_checks().end(),
                     [&](const Check& check) { return check.name == name; }))
      core::usage_error(fmt::format("no check is named '{}' (see assay check --list)", name));
}

bool no_gpu(const Scene& scene, Findings& findings) {
  if (!scene.now.gpus.empty()) return false;
  if (scene.now.pci_gpus.empty() && scene.now.pci_seen)
    findings.absent("no NVIDIA GPU on the PCI bus");
  else
    findings.unknown(
        "", scene.now.gpus_unavailable.empty() ? "the driver lists no GPU" : scene.now.gpus_unavailable);
  return true;
}

void of_each_gpu(const Scene& scene, Findings& findings, const std::function<void(const GpuState&)>& judge) {
  if (no_gpu(scene, findings)) return;
  for (const GpuState& gpu : scene.now.gpus)
    if (gpu.lost.empty()) judge(gpu);
}

bool no_hca(const Scene& scene, Findings& findings) {
  if (scene.now.hcas.empty()) findings.absent("no RDMA device");
  return scene.now.hcas.empty();
}

std::string unit_of(const machine::Hca& hca) { return fmt::format("{}/{}", hca.device, hca.port); }

/// A path is root port, then an upstream and a downstream port a switch.
bool same_switch(const machine::PcieLink& one, const machine::PcieLink& other) {
  return one.path.size() >= 2 && other.path.size() >= 2 && one.path[1] == other.path[1];
}

bool is_rail(const Scene& scene, const machine::Hca& hca) {
  const auto& rails = scene.expected.rails;
  return !rails || std::find(rails->begin(), rails->end(), hca.device) != rails->end();
}

Status worst_for(const Scene& scene, const machine::Hca& hca) {
  return is_rail(scene, hca) ? Status::failed : Status::noticed;
}

std::vector<Finding> judge(const Scene& scene, const std::set<std::string>& waived) {
  require_known(waived);
  std::vector<Finding> all;
  for (const Check& check : all_checks()) {
    Findings findings;
    findings.begin(check.name);
    if (waived.contains(std::string(check.name)))
      findings.add(Status::waived, "", "not looked at, as asked");
    else
      check.judge(scene, findings);
    std::vector<Finding> said = findings.take();
    if (said.empty()) {
      findings.unknown("", "this check found nothing to say");
      said = findings.take();
    }
    std::move(said.begin(), said.end(), std::back_inserter(all));
  }
  return all;
}

}  // namespace assay::health
