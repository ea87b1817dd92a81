// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/routing/drawn_flows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "harness/core/mix.hpp"

namespace assay::model::fabric {

namespace {

constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;

}  // namespace

bool can_draw(const RoutingSettings& settings, const Topology& topology) {
  return (settings.kind == RoutingKind::ecmp || settings.kind == RoutingKind::e_ecmp) &&
         settings.hash == path::SwitchHash::ideal && !settings.same_seed &&
         topology.route_rule() == RouteRule::up_down;
}

DrawnFlows::DrawnFlows(const Router& router)
    : router_(&router),
      bytes_(router.topology().links()),
      up_(router.topology().nodes()),
      down_(router.topology().nodes()) {}

void DrawnFlows::deal_out(NodeId leaf, std::uint64_t draw) {
  const NodeId first = router_->topology().hosts(), end = router_->topology().nodes();
  state_ = core::mix64((std::uint64_t{router_->settings().seed} << 32U) | leaf) + core::mix64(draw);
  const NextHops::View view = router_->next_hops().view(leaf);
  const auto deal_from = [&](NodeId at, std::vector<Held>& held) {
    const Held own = std::exchange(held[at], {});
    if (at != leaf && own.flows > 0) deal(at, own, router_->next_hops().towards(view, at));
  };
  for (NodeId at = first; at < end; ++at) deal_from(at, up_);
  for (NodeId at = end; at-- > first;) deal_from(at, down_);
}

std::uint64_t DrawnFlows::random() { return core::mix64(state_ += odd); }

void DrawnFlows::deal(NodeId at, Held held, std::span<const LinkId> links) {
  draw_counts(held.flows, links.size());
  for (std::size_t number = 0; number < links.size(); ++number) {
    Held part = {counts_[number], held.bytes};
    if (part.flows < held.flows)
      part.bytes = std::min(held.bytes, static_cast<std::uint64_t>(static_cast<double>(held.bytes) *
                                                                   static_cast<double>(part.flows) /
                                                                   static_cast<double>(held.flows)));
    held.flows -= part.flows;
    held.bytes -= part.bytes;
    bytes_[links[number]] += part.bytes;
    const NodeId to = router_->topology().to(links[number]);
    (to > at ? up_ : down_)[to] += part;
    if (held.flows == 0) return;
  }
}

/// Few flows choose one by one.
void DrawnFlows::draw_counts(std::uint64_t flows, std::size_t links) {
  constexpr std::uint64_t few = 8;  // for each link: the normal number would be below 0 too often
  counts_.assign(links, 0);
  if (flows >= few * links) {
    for (std::size_t left = links; left > 0; --left)
      flows -= counts_[links - left] = left == 1 ? flows : draw_first(flows, left);
    return;
  }
  for (std::uint64_t flow = 0; flow < flows; ++flow) ++counts_[(random() >> 32U) * links >> 32U];
}

/// How many of the flows take the first of so many links, each with the same chance: a normal number with the
/// mean and variance of the binomial one, rounded. Loads are sums of very many.
std::uint64_t DrawnFlows::draw_first(std::uint64_t flows, std::size_t links) {
  const double chance = 1 / static_cast<double>(links), mean = static_cast<double>(flows) * chance;
  // 64 coins and a uniform number, less their mean: of variance 64 / 4 + 1 / 12.
  const std::uint64_t coins = random();
  const double deviate = std::popcount(coins) - 32.5 + static_cast<double>((coins * odd) >> 11U) * 0x1p-53;
  const double count = mean + deviate * std::sqrt(mean * (1 - chance) / (16 + 1.0 / 12));
  return std::min(flows, static_cast<std::uint64_t>(std::max(0.0, count + 0.5)));
}

}  // namespace assay::model::fabric
