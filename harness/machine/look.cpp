// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "harness/core/version.hpp"
#include "harness/machine/cpu_list.hpp"
#include "harness/machine/cuda_driver.hpp"
#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/parts.hpp"
#include "harness/machine/pretended_node.hpp"

namespace assay::machine {
namespace {

Machine without_gpus(const Tree& tree) {
  const std::vector<int> cpus = usable_cpus(tree);
  Machine machine;
  read_host(tree, machine);
  machine.cpu = read_cpu(tree, cpus, machine.notes);
  machine.numa = read_numa(tree, cpus);
  machine.memory = read_memory(tree, machine.notes);
  note_node_memory(machine);
  machine.inventory = read_inventory(tree, machine.notes);
  return machine;
}

/// Fills in what follows from the GPUs, and the hardware next to them.
void complete(const Tree& tree, const Nvml& nvml, Machine& machine) {
  machine.hcas = read_hcas(tree, machine.notes);
  machine.unused_gpus = unlisted_gpus(tree, machine.gpus);
  if (machine.hcas.empty()) machine.unused_adapters = adapters_on_the_bus(tree);
  std::vector<PcieLink> links;
  for (const Gpu& gpu : machine.gpus) links.push_back(gpu.pcie);
  for (const Hca& hca : machine.hcas) links.push_back(hca.pcie);
  machine.switches = read_switches(tree, links);
  machine.distances = read_distances(machine);
  find_nearest_gpus(machine);
  machine.versions = read_versions(tree, nvml, machine);
  const CudaDriver driver = read_cuda_driver(tree, reported_driver(nvml));
  const auto old = driver_too_old(driver, core::cuda_toolkit());
  if (!old) return;
  machine.driver_too_old = old->sentence();
  machine.cuda_compat = forward_compatibility(driver, core::cuda_toolkit()).value_or("");
}

}  // namespace

Machine look() { return look(pretended_root()); }

Machine look(const std::string& root) { return look(root, Nvml::shared()); }

Machine look(const std::string& root, const Nvml& nvml) {
  const Tree tree(root);
  Machine machine = without_gpus(tree);
  machine.gpus = read_gpus(tree, nvml, machine.gpu_unavailable, machine.notes);
  complete(tree, nvml, machine);
  return machine;
}

Machine look(const std::string& root, std::vector<Gpu> gpus) {
  const Tree tree(root);
  Machine machine = without_gpus(tree);
  for (Gpu& gpu : gpus) gpu.pcie = read_link(tree, gpu.pcie.address);
  machine.gpus = std::move(gpus);
  complete(tree, Nvml("no driver: a table replaces it"), machine);
  return machine;
}

}  // namespace assay::machine
