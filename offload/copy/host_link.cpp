// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/host_link.hpp"

#include <array>

#include "harness/core/names.hpp"
#include "harness/machine/nvml.hpp"

namespace assay::offload {

std::optional<double> HostLink::ceiling_gb_per_s() const {
  constexpr std::array<double, 6> gt_per_s{2.5, 5, 8, 16, 32, 64};
  if (generation < 1 || generation > static_cast<int>(gt_per_s.size()) || width < 1) return std::nullopt;
  const double code = generation <= 2 ? 8.0 / 10 : generation <= 5 ? 128.0 / 130 : 236.0 / 256;
  return gt_per_s[static_cast<std::size_t>(generation - 1)] * width / 8 * code;
}

std::optional<HostLink> trained_link(const std::string& pci_address) {
  const machine::Nvml& nvml = machine::Nvml::shared();
  if (!nvml.ready()) return std::nullopt;
  const auto device = nvml.device(pci_address);
  if (!device) return std::nullopt;
  const auto generation = device->pcie_generation();
  const auto width = device->pcie_width();
  if (!generation || !width) return std::nullopt;
  return HostLink{*generation, *width};
}

std::vector<core::Fact> link_facts(const std::optional<HostLink>& link) {
  if (!link) return {};
  std::vector<core::Fact> facts{{"pcie_generation_under_load", std::int64_t{link->generation}},
                                {"pcie_width_under_load", std::int64_t{link->width}}};
  if (const auto ceiling = link->ceiling_gb_per_s())
    facts.emplace_back(core::names::link_ceiling_gb_per_s, *ceiling);
  return facts;
}

}  // namespace assay::offload
