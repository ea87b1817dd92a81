// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/path/rail_addresses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace assay::rdma {
namespace {

using Subnet = std::vector<std::uint8_t>;

Subnet subnet_of(const std::array<std::uint8_t, 16>& gid) {
  constexpr std::array<std::uint8_t, 12> mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  const bool ipv4 = std::equal(mapped.begin(), mapped.end(), gid.begin());
  return {gid.begin(), gid.begin() + (ipv4 ? 15 : 8)};
}

/// The most frequent, of equals the first.
Subnet usual_of(const std::vector<Subnet>& subnets) {
  return *std::ranges::max_element(subnets, {},
                                   [&](const Subnet& one) { return std::ranges::count(subnets, one); });
}

std::map<int, Subnet> subnets_of_rails(std::span<const RailAddress> ranks) {
  std::map<int, std::vector<Subnet>> of_rails;
  for (const RailAddress& rank : ranks)
    if (rank.rail >= 0) of_rails[rank.rail].push_back(subnet_of(rank.gid));
  std::map<int, Subnet> usual;
  for (const auto& [rail, subnets] : of_rails) usual[rail] = usual_of(subnets);
  return usual;
}

}  // namespace

std::string crossed_rails(std::span<const RailAddress> ranks) {
  const std::map<int, Subnet> usual = subnets_of_rails(ranks);
  std::string text;
  for (const RailAddress& rank : ranks) {
    if (rank.rail < 0) continue;
    const Subnet own = subnet_of(rank.gid);
    if (own == usual.at(rank.rail)) continue;
    const auto other = std::ranges::find(usual, own, &std::pair<const int, Subnet>::second);
    if (other != usual.end())
      text += fmt::format("{}{}: rail {} has an address of rail {}", text.empty() ? "" : "; ", rank.host,
                          rank.rail, other->first);
  }
  return text;
}

}  // namespace assay::rdma
