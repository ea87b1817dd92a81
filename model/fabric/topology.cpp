// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/topology.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <random>
#include <span>
#include <utility>

#include "harness/link/packet_headers.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

/// The index of the range that the node falls into, by the first nodes of the ranges.
std::size_t place_in(const std::vector<NodeId>& firsts, NodeId node) {
  return static_cast<std::size_t>(std::ranges::upper_bound(firsts, node) - firsts.begin()) - 1;
}

/// 2 of "leaf3>spine7#2", where `mark` is the place of the #, or the end: then 1.
std::uint32_t parallel_number(std::string_view name, std::size_t mark) {
  if (mark == name.size()) return 1;
  std::uint32_t number = 0;
  const char* const last = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data() + mark + 1, last, number);
  if (error != std::errc() || end != last || number == 0)
    refuse("'" + std::string(name) + "' is not a link; number parallel cables from 1, as leaf3>spine7#2");
  return number;
}

}  // namespace

double LinkSpeed::goodput() const {
  constexpr int payload_bytes = 4096;
  static const int packet_bytes =
      payload_bytes + link::packet_overhead_bytes(link::Encapsulation::roce_v2_ipv4);
  return gbit_per_s * 125 * payload_bytes / packet_bytes;
}

Topology::Topology(std::vector<Tier> tiers, const std::vector<Cable>& cables)
    : tiers_(std::move(tiers)), first_of_tier_{0} {
  for (const Tier& tier : tiers_) first_of_tier_.push_back(first_of_tier_.back() + tier.nodes);
  check(cables);
  const std::size_t count = cables.size();
  ups_.resize(nodes());
  downs_.resize(nodes());
  for (const Cable& cable : cables) {
    ++ups_[cable.lower];
    ++downs_[cable.upper];
  }
  first_up_.resize(nodes());
  first_down_.resize(nodes());
  LinkId next = 0;
  for (NodeId node = 0; node < nodes(); ++node) next = (first_up_[node] = next) + ups_[node];
  for (std::size_t tier = tiers_.size(); tier-- > 1;)
    for (NodeId node = first_of_tier_[tier]; node < first_of_tier_[tier + 1]; ++node)
      next = (first_down_[node] = next) + downs_[node];
  from_.resize(2 * count);
  to_.resize(2 * count);
  reverse_.resize(2 * count);
  capacity_.resize(2 * count);
  latency_us_.resize(2 * count);
  live_.assign(2 * count, 1);
  std::vector<LinkId> up = first_up_, down = first_down_;
  for (const Cable& cable : cables) {
    const LinkId there = up[cable.lower]++, back = down[cable.upper]++;
    from_[there] = to_[back] = cable.lower;
    to_[there] = from_[back] = cable.upper;
    reverse_[there] = back;
    reverse_[back] = there;
    capacity_[there] = capacity_[back] = cable.speed.goodput();
    latency_us_[there] = latency_us_[back] = cable.speed.hop_latency_us;
    if (tier_of(cable.upper) != tier_of(cable.lower) + 1) route_rule_ = RouteRule::shortest;
  }
  const NodeId last = *std::max_element(to_.begin(), to_.begin() + hosts());
  edge_switches_ = std::max(leaves(), last + 1 - hosts());
}

void Topology::check(const std::vector<Cable>& cables) const {
  if (tiers_.size() < 2 || hosts() == 0) refuse("needs at least one host and one switch");
  if (cables.size() > (1U << 30U)) refuse(std::to_string(cables.size()) + " cables are more than 2^30");
  std::vector<std::uint32_t> of_host(hosts());
  for (const Cable& cable : cables) {
    if (cable.lower >= cable.upper || cable.upper >= nodes() || cable.upper < hosts())
      refuse("a cable must join a node with a switch of higher number");
    if (!(cable.speed.gbit_per_s > 0) || !std::isfinite(cable.speed.gbit_per_s))
      refuse("the speed of a link must be above 0 Gbit/s, got " + std::to_string(cable.speed.gbit_per_s));
    if (!(cable.speed.hop_latency_us >= 0) || !std::isfinite(cable.speed.hop_latency_us))
      refuse("the latency of a hop must be at least 0 us, got " + std::to_string(cable.speed.hop_latency_us));
    if (cable.lower < hosts()) ++of_host[cable.lower];
  }
  const auto wrong = std::ranges::find_if(of_host, [](std::uint32_t number) { return number != 1; });
  if (wrong != of_host.end())
    refuse(name_of(static_cast<NodeId>(wrong - of_host.begin())) + " has " + std::to_string(*wrong) +
           " cables; a host is one NIC port and has 1");
}

bool Topology::has_host(NodeId node) const {
  const auto below = std::span(to_).subspan(first_down_[node], downs_[node]);
  return std::ranges::any_of(below, [this](NodeId one) { return one < hosts(); });
}

std::vector<NodeId> Topology::switches_with_hosts() const {
  std::vector<NodeId> switches;
  for (NodeId node = hosts(); node < hosts() + edge_switches(); ++node)
    if (has_host(node)) switches.push_back(node);
  return switches;
}

std::size_t Topology::tier_of(NodeId node) const { return place_in(first_of_tier_, node); }

std::string Topology::name_of(NodeId node) const {
  return node < host_names_.size() ? host_names_[node] : numbered_name(node);
}

std::string Topology::numbered_name(NodeId node) const {
  const std::size_t tier = tier_of(node);
  return tiers_[tier].kind + std::to_string(node - first_of_tier_[tier]);
}

std::vector<std::string> Topology::kinds_of_switches() const {
  std::vector<std::string> kinds;
  for (std::size_t tier = 1; tier < tiers(); ++tier) kinds.push_back(kind_of_tier(tier));
  return kinds;
}

std::string Topology::name_of_link(LinkId link) const {
  return name_of(from_[link]) + ">" + name_of(to_[link]);
}

NodeId Topology::node_named(std::string_view name) const {
  if (const auto host = std::ranges::find(host_names_, name); host != host_names_.end())
    return static_cast<NodeId>(host - host_names_.begin());
  for (std::size_t tier = 0; tier < tiers_.size(); ++tier) {
    if (!name.starts_with(tiers_[tier].kind)) continue;
    std::uint32_t number = 0;
    const char* const digits = name.data() + tiers_[tier].kind.size();
    const auto [end, error] = std::from_chars(digits, name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size() && number < tiers_[tier].nodes)
      return first_of_tier_[tier] + number;
  }
  refuse("there is no node '" + std::string(name) + "'; the last of each tier is " + [this] {
    std::string names;
    for (const Tier& tier : tiers_)
      names += (names.empty() ? "" : ", ") + tier.kind + std::to_string(tier.nodes - 1);
    return names;
  }());
}

LinkId Topology::link_named(std::string_view name) const {
  const std::size_t arrow = name.find('>');
  if (arrow == std::string_view::npos)
    refuse("'" + std::string(name) + "' is not a link; write leaf3>spine7");
  const std::size_t mark = std::min(name.find('#', arrow), name.size());
  const NodeId from = node_named(name.substr(0, arrow)),
               to = node_named(name.substr(arrow + 1, mark - arrow - 1));
  const bool up = from < to;
  const std::uint32_t asked = parallel_number(name, mark);
  std::uint32_t met = 0;
  for (LinkId link = up ? first_up_[from] : first_down_[from]; link < (up ? end_up(from) : end_down(from));
       ++link)
    if (to_[link] == to && ++met == asked) return link;
  if (met > 0)
    refuse("'" + std::string(name) + "': cables " + name_of(from) + ">" + name_of(to) +
           " are numbered 1 to " + std::to_string(met));
  refuse("no link joins " + name_of(from) + " with " + name_of(to));
}

void Topology::set_cable(LinkId link, std::optional<double> bytes_per_us,
                         std::optional<double> hop_latency_us) {
  for (const LinkId one : {link, reverse(link)}) {
    capacity_[one] = bytes_per_us.value_or(capacity_[one]);
    latency_us_[one] = hop_latency_us.value_or(latency_us_[one]);
  }
}

void Topology::fail_cable(LinkId link) { live_[link] = live_[reverse_[link]] = 0; }

void Topology::fail_switch(NodeId node) {
  if (node < hosts()) refuse(name_of(node) + " is not a switch");
  for (LinkId link = first_up(node); link < end_up(node); ++link) fail_cable(link);
  for (LinkId link = first_down(node); link < end_down(node); ++link) fail_cable(link);
}

void Topology::fail_share(double share, std::uint64_t seed) {
  if (!(share >= 0 && share < 1))
    refuse("the share of failed cables must be in [0, 1), got " + std::to_string(share));
  for (const LinkId link : draw_cables(share, seed)) fail_cable(link);
}

std::vector<LinkId> Topology::draw_cables(double share, std::uint64_t seed) const {
  std::vector<LinkId> cables;  // links up: one for each cable
  for (LinkId link = hosts(); link < links() / 2; ++link) cables.push_back(link);
  std::mt19937_64 random(seed);
  const auto drawn = static_cast<std::size_t>(std::llround(share * static_cast<double>(cables.size())));
  for (std::size_t at = 0; at < drawn; ++at)
    std::swap(cables[at], cables[at + static_cast<std::size_t>(random() % (cables.size() - at))]);
  cables.resize(drawn);
  return cables;
}

void Topology::degrade(LinkId link, double factor) {
  if (!(factor > 0 && factor <= 1))
    refuse(name_of_link(link) + " must keep a factor in (0, 1] of its speed, got " + std::to_string(factor));
  capacity_[link] *= factor;
}

}  // namespace assay::model::fabric
