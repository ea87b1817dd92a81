// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/wiring/surroundings.hpp"

#include <functional>

#include "harness/core/mix.hpp"

namespace assay::model::fabric::wiring {

SwitchColours::SwitchColours(const WiredNet& net, const std::vector<std::uint64_t>& marks) {
  for (std::uint32_t at = 0; at < net.switches(); ++at) {
    std::uint64_t own = core::mix64(marks[at] + 1);
    for (const auto& [label, hosts] : net.hosts[at])
      own += core::mix64(std::hash<std::string>{}(label) + core::mix64(hosts.size()));
    for (const auto& [neighbour, cables] : net.neighbours[at]) own += core::mix64(cables + 0x9e3779b9U);
    colours_[0].push_back(own);
  }
  for (std::size_t round = 1; round < rounds; ++round) {
    const std::vector<std::uint64_t>& before = colours_[round - 1];
    for (std::uint32_t at = 0; at < net.switches(); ++at) {
      std::uint64_t own = core::mix64(before[at]);
      for (const auto& [neighbour, cables] : net.neighbours[at])
        own += core::mix64(before[neighbour] * 3 + cables);
      colours_[round].push_back(own);
    }
  }
}

std::uint32_t SwitchColours::alike(const SwitchColours& one, std::uint32_t of_one, const SwitchColours& other,
                                   std::uint32_t of_other) {
  std::uint32_t equal = 0;
  while (equal < rounds && one.colours_[equal][of_one] == other.colours_[equal][of_other]) ++equal;
  return equal;
}

}  // namespace assay::model::fabric::wiring
