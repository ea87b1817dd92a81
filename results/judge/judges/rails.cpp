// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Rails that are crossed at a host: where each rail has a subnet of its own, an adapter whose address is in
// the subnet of another rail. Its cable leads to that rail's switch, or its name or address is another's. A
// fabric without subnets of rails is not judged.
#include <arpa/inet.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/core/names.hpp"
#include "results/judge/fleet/fleet_point.hpp"
#include "results/judge/judges.hpp"
#include "results/points/point_outline.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr std::size_t least_hosts = 3;  // to know which side is crossed

using Subnet = std::string;  // bytes

/// 24 bits of the address that "10.1.0.7 (RoCE v2, index 3)" begins with, 64 of IPv6.
std::optional<Subnet> subnet_of(const std::string& gid) {
  const std::string address = gid.substr(0, gid.find(' '));
  constexpr std::size_t of_ipv4 = 3, of_ipv6 = 8;
  std::array<char, 16> bytes{};
  if (inet_pton(AF_INET, address.c_str(), bytes.data()) == 1)
    return Subnet(bytes.begin(), bytes.begin() + of_ipv4);
  if (inet_pton(AF_INET6, address.c_str(), bytes.data()) == 1)
    return Subnet(bytes.begin(), bytes.begin() + of_ipv6);
  return std::nullopt;
}

class Rails {
 public:
  void take(const FleetPoint& point) {
    const auto ends = point.ends_by_rank();
    const auto add = [&](int rank, const std::string& gid) {
      const auto end = ends.find(rank);
      const auto subnet = subnet_of(gid);
      if (end != ends.end() && !end->second.rail.empty() && subnet)
        seen_[end->second.rail][*subnet].insert(end->second.host);
    };
    add(0, std::string(field_in(point.evidence.conditions, core::names::gid)));
    for (const RankReport& rank : point.evidence.ranks)
      add(rank.rank, field_text(rank.facts, {core::names::gid}));
  }

  std::size_t hosts() const {
    std::set<std::string> all;
    for (const auto& [rail, subnets] : seen_)
      for (const auto& [subnet, hosts] : subnets) all.insert(hosts.begin(), hosts.end());
    return all.size();
  }

  /// Each rail's subnet, which most of its hosts have; empty where a rail has none, two rails have one, or
  /// there is one rail.
  std::map<std::string, Subnet> usual() const {
    std::map<std::string, Subnet> usual;
    std::set<Subnet> different;
    for (const auto& [rail, subnets] : seen_) {
      std::size_t hosts = 0;
      for (const auto& [subnet, of_subnet] : subnets) hosts += of_subnet.size();
      const auto most =
          std::ranges::max_element(subnets, {}, [](const auto& one) { return one.second.size(); });
      if (2 * most->second.size() <= hosts) return {};
      usual[rail] = most->first;
      different.insert(most->first);
    }
    return different.size() < usual.size() || usual.size() < 2 ? std::map<std::string, Subnet>() : usual;
  }

  /// The crossed rails, by host: "rail0 has an address of rail1".
  std::map<std::string, std::vector<std::string>> crossed() const {
    const std::map<std::string, Subnet> usual = this->usual();
    std::map<std::string, std::vector<std::string>> crossed;
    for (const auto& [own, subnet] : usual)
      for (const auto& [other, of_other] : usual) {
        const auto hosts = seen_.at(own).find(of_other);
        if (own == other || hosts == seen_.at(own).end()) continue;
        for (const std::string& host : hosts->second)
          crossed[host].push_back(fmt::format("{} has an address of {}", own, other));
      }
    return crossed;
  }

 private:
  std::map<std::string, std::map<Subnet, std::set<std::string>>> seen_;  // hosts, by rail and subnet
};

Rails rails_in(const Store& store, const std::string& filter) {
  Rails rails;
  FleetPoints points(store, filter, "rdma.*");
  for (const StoredRun& run : whole_runs(store)) {
    points.begin(run);
    while (const FleetPoint* point = points.next()) rails.take(*point);
  }
  return rails;
}

VerdictRow row_of(Verdict verdict, const std::string& host, std::string because) {
  return {.unit = host,
          .kind = "host",
          .metric = "addresses of rails",
          .verdict = verdict,
          .because = std::move(because),
          .action = action_of(verdict)};
}

std::vector<Judged> judge_rails(const Evidence& evidence) {
  if (!evidence.order.accept) return {};
  const Rails rails = rails_in(evidence.store, evidence.order.filter);
  if (rails.usual().empty() || rails.hosts() < least_hosts) return {};
  Verdicts verdicts{.command = "accept", .subject = "rails"};
  for (const auto& [host, crossed] : rails.crossed()) {
    VerdictRow row = row_of(Verdict::fail, host, fmt::format("{}", fmt::join(crossed, ", ")));
    row.meaning =
        "its cables are crossed, or its adapters are named or addressed in another order than elsewhere";
    row.action = Action::reseat;
    verdicts.rows.push_back(row);
  }
  if (verdicts.rows.empty())
    verdicts.rows.push_back(row_of(
        Verdict::pass, "", fmt::format("of {} hosts no rail has an address of another rail", rails.hosts())));
  settle(verdicts);
  return {{.verdicts = std::move(verdicts)}};
}

}  // namespace

Judge rails_judge() { return {"rails", {}, judge_rails}; }

}  // namespace assay::results
