// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/system/group.hpp"

#include <algorithm>
#include <numeric>

namespace assay::model {
namespace {

bool is_measured(const Network& network, Collective which, double members) {
  return network.curve(which, members) != nullptr || network.law(which) != nullptr;
}

/// Seconds that `network` carries its part of a collective among `all`, of whom it joins `here` where the
/// tier below joins `below`. A ring through all passes on one part of `all` less than there are, on every
/// tier.
double part_s(const Network& network, Collective which, double bytes, double here, double below, double all) {
  const bool to_all = which == Collective::all_to_all;
  const Network::Operation& op = network.operation(which);
  const double passed = to_all ? here / all : here < all && op.offset < 0 ? 1 - 1 / all : 1;
  if (below == 1) return network.seconds(which, bytes * passed, here);
  if (to_all) return bytes * op.scalar * (here - below) / all / network.bandwidth_b_per_s;
  return bytes * passed * op.scalar * (1 + op.offset / here) / (network.bandwidth_b_per_s * below);
}

}  // namespace

std::int64_t ProcessorGroup::members_within(std::int64_t domain) const {
  std::int64_t within = 1;
  for (const Digit& digit : digits) {
    if (digit.stride >= domain) continue;
    if (domain % digit.stride != 0) return 1;
    within *= std::gcd(digit.size, domain / digit.stride);
  }
  return within;
}

double seconds(const System& system, Collective which, double bytes, const ProcessorGroup& group) {
  const Network& network = system.networks[group.tier];
  const std::int64_t all = group.members();
  const auto members = static_cast<double>(all);
  if (!system.fixes.node_groups || group.tier == 0 || all == 1 || which == Collective::p2p ||
      is_measured(network, which, members))
    return network.seconds(which, bytes, members);
  double slowest_s = 0;
  std::int64_t below = 1;
  for (std::size_t tier = 0; tier < group.tier; ++tier) {
    const std::int64_t here = group.members_within(system.networks[tier].size);
    if (here <= below || here == all) continue;
    slowest_s = std::max(slowest_s, part_s(system.networks[tier], which, bytes, static_cast<double>(here),
                                           static_cast<double>(below), members));
    below = here;
  }
  if (below == 1) return network.seconds(which, bytes, members);
  return network.latency_s +
         std::max(part_s(network, which, bytes, members, static_cast<double>(below), members), slowest_s);
}

}  // namespace assay::model
