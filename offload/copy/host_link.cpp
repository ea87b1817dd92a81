// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/copy/host_link.hpp"

#include <fmt/format.h>

#include <array>

#include "harness/core/names.hpp"

namespace assay::offload {
namespace {

constexpr double most_percent = 105;  // of a ceiling that is the right one: clocks are off by less

double percent(double gb_per_s, double ceiling) { return gb_per_s / ceiling * 100; }

core::Fact ceiling_fact(const HostLink& link, double gb_per_s) {
  constexpr const char* no_ceiling = "link_ceiling";
  const auto ceiling = link.ceiling_gb_per_s();
  if (!ceiling) return {no_ceiling, "none: NVML does not report the speed of this link"};
  if (percent(gb_per_s, *ceiling) > most_percent)
    return {no_ceiling, fmt::format("none: {:.4g} GB/s is {:.4g} % of this link's {:.4g} GB/s (at most {} % "
                                    "expected), so the data took another way",
                                    gb_per_s, percent(gb_per_s, *ceiling), *ceiling, most_percent)};
  return {core::names::link_ceiling_gb_per_s, *ceiling};
}

}  // namespace

std::optional<double> HostLink::ceiling_gb_per_s() const {
  if (c2c_links > 0) return c2c_gb_per_s > 0 ? std::optional(c2c_gb_per_s) : std::nullopt;
  constexpr std::array<double, 6> gt_per_s{2.5, 5, 8, 16, 32, 64};
  if (generation < 1 || generation > static_cast<int>(gt_per_s.size()) || width < 1) return std::nullopt;
  const double code = generation <= 2 ? 8.0 / 10 : generation <= 5 ? 128.0 / 130 : 236.0 / 256;
  return gt_per_s[static_cast<std::size_t>(generation - 1)] * width / 8 * code;
}

std::optional<HostLink> trained_link(const std::string& pci_address) {
  const auto device = machine::Nvml::shared().device(pci_address);
  return device ? trained_link(*device) : std::nullopt;
}

std::optional<HostLink> trained_link(const machine::NvmlDevice& device) {
  HostLink link;
  for (const machine::C2cLink& one : device.c2c_links().value_or(std::vector<machine::C2cLink>{})) {
    ++link.c2c_links;
    if (one.active.value_or(false)) link.c2c_gb_per_s += static_cast<double>(one.mb_per_s.value_or(0)) / 1e3;
  }
  if (link.c2c_links > 0) return link;
  const auto generation = device.pcie_generation();
  const auto width = device.pcie_width();
  if (!generation || !width) return std::nullopt;
  return HostLink{.generation = *generation, .width = *width};
}

std::optional<double> percent_of_link(const std::optional<HostLink>& link, double gb_per_s) {
  const auto ceiling = link ? link->ceiling_gb_per_s() : std::nullopt;
  if (!ceiling || percent(gb_per_s, *ceiling) > most_percent) return std::nullopt;
  return percent(gb_per_s, *ceiling);
}

std::vector<core::Fact> link_facts(const std::optional<HostLink>& link, double gb_per_s) {
  if (!link) return {};
  std::vector<core::Fact> facts;
  if (link->c2c_links > 0)
    facts = {{"link", "c2c"}, {"c2c_links", std::int64_t{link->c2c_links}}};
  else
    facts = {{"link", "pcie"},
             {"pcie_generation_under_load", std::int64_t{link->generation}},
             {"pcie_width_under_load", std::int64_t{link->width}}};
  facts.push_back(ceiling_fact(*link, gb_per_s));
  return facts;
}

}  // namespace assay::offload
