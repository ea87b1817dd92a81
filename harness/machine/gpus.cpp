// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// GPUs: what the driver lists, compared with what is on the PCI bus.
#include <algorithm>
#include <set>

#include "harness/machine/nvml/nvml.hpp"
#include "harness/machine/parts.hpp"

namespace assay::machine {

namespace {

std::string on_or_off(const std::optional<bool>& mode) { return !mode ? "" : *mode ? "enabled" : "disabled"; }

/// FP32 lanes of one SM, from NVIDIA's CUDA C++ programming guide, throughput of arithmetic instructions.
int lanes_per_sm(std::pair<int, int> capability) {
  const auto [major, minor] = capability;
  if (major == 7 || (major == 8 && minor == 0)) return 64;
  return major >= 8 && major <= 12 ? 128 : 0;
}

double gt_per_s(int generation) {
  static constexpr double speeds[] = {0, 2.5, 5, 8, 16, 32, 64};
  return generation >= 0 && generation < 7 ? speeds[generation] : 0;
}

/// Some containers hide the link from sysfs; the driver knows it too.
void complete_link(const Nvml::Device& device, PcieLink& link) {
  if (link.width == 0) link.width = device.pcie_width().value_or(0);
  if (link.max_width == 0) link.max_width = device.max_pcie_width().value_or(0);
  if (link.speed_gt_per_s == 0) link.speed_gt_per_s = gt_per_s(device.pcie_generation().value_or(0));
  if (link.max_speed_gt_per_s == 0)
    link.max_speed_gt_per_s = gt_per_s(device.max_pcie_generation().value_or(0));
}

Gpu read_gpu(const Tree& tree, const Nvml::Device& device, int index) {
  Gpu gpu;
  gpu.index = index;
  gpu.name = device.name().value_or("");
  gpu.uuid = device.uuid().value_or("");
  gpu.serial = device.serial().value_or("");
  gpu.vbios = device.vbios().value_or("");
  if (const auto capability = device.compute_capability()) {
    gpu.compute_capability = std::to_string(capability->first) + "." + std::to_string(capability->second);
    if (const int lanes = lanes_per_sm(*capability); lanes > 0)
      gpu.sm_count = device.core_count().value_or(0) / lanes;
  }
  gpu.memory_bytes = device.memory_bytes().value_or(0);
  gpu.memory_bus_bits = device.memory_bus_bits().value_or(0);
  gpu.sm_clock_mhz = device.sm_clock_mhz().value_or(0);
  gpu.max_sm_clock_mhz = device.max_sm_clock_mhz().value_or(0);
  gpu.memory_clock_mhz = device.memory_clock_mhz().value_or(0);
  gpu.max_memory_clock_mhz = device.max_memory_clock_mhz().value_or(0);
  gpu.power_limit_w = device.power_limit_w().value_or(0);
  gpu.default_power_limit_w = device.default_power_limit_w().value_or(0);
  gpu.temperature_c = device.temperature_c().value_or(0);
  gpu.ecc_mode = on_or_off(device.ecc_enabled());
  gpu.mig_mode = on_or_off(device.mig_enabled());
  gpu.persistence_mode = on_or_off(device.persistence_enabled());
  gpu.nvlinks_active = device.nvlinks_active();
  if (const auto address = device.pci_address()) gpu.pcie = read_link(tree, *address);
  complete_link(device, gpu.pcie);
  return gpu;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void note_unlisted(const std::vector<std::string>& unlisted, const std::string& unavailable, Notes& notes) {
  if (unlisted.empty()) return;
  const std::string what = "NVIDIA GPU on the PCI bus but not listed by the driver: " + joined(unlisted);
  notes.push_back(what +
                  (unavailable.empty() ? "; it is not measured" : "; every CUDA point is unsupported"));
}

}  // namespace

std::vector<std::string> unlisted_gpus(const Tree& tree, const std::vector<Gpu>& gpus) {
  std::set<std::string> listed;
  for (const Gpu& gpu : gpus) listed.insert(gpu.pcie.address);
  std::vector<std::string> unlisted;
  for (const std::string& address : pci_devices(tree, "0x10de", {"0x0300", "0x0302"}))
    if (!listed.contains(address)) unlisted.push_back(address);
  return unlisted;
}

std::vector<Gpu> read_gpus(const Tree& tree, const Nvml& nvml, std::string& unavailable, Notes& notes) {
  std::vector<Gpu> gpus;
  unavailable = nvml.unavailable();
  const int count = nvml.device_count();
  for (int index = 0; index < count; ++index) {
    std::string why;
    if (const auto device = nvml.device(index, &why))
      gpus.push_back(read_gpu(tree, *device, index));
    else
      notes.push_back("GPU " + std::to_string(index) + " is listed but cannot be opened: " + why +
                      "; it is not measured");
  }
  if (gpus.empty() && unavailable.empty())
    unavailable =
        count == 0 ? "the NVIDIA driver lists no GPU" : "no GPU that the NVIDIA driver lists can be opened";
  if (const auto missing = nvml.missing_functions(); !missing.empty())
    notes.push_back("the driver's libnvidia-ml lacks " + joined(missing) + ": records lack what they report");
  note_unlisted(unlisted_gpus(tree, gpus), unavailable, notes);
  return gpus;
}

}  // namespace assay::machine
