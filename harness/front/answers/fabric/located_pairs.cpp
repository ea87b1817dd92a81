// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/located_pairs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/text/glob.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/site/infiniband/ibnetdiscover.hpp"
#include "model/fabric/site/lldp/lldp_site.hpp"
#include "model/fabric/site/site_names.hpp"
#include "model/fabric/site/slurm_topology.hpp"
#include "results/judge/limits/limits_file.hpp"

namespace assay::answers {
namespace {

namespace fabric = model::fabric;
namespace locate = model::fabric::locate;
namespace site = model::fabric::site;

LocatedPairs locate_by(locate::QueuePairRule rule, const locate::MeasuredPairs& pairs,
                       const fabric::Router& router, const locate::Elements& elements,
                       const LocateOrder& order) {
  LocatedPairs located{
      std::make_unique<locate::Incidence>(router, elements, pairs.measurements, pairs.concurrency, rule), {}};
  located.report = locate::locate_and_report(
      router, elements, *located.incidence, pairs.measurements, order.settings,
      {.pairs = order.next,
       .ports_known = order.hash_known && router.settings().kind != fabric::RoutingKind::adaptive});
  located.report.rule = rule;
  located.report.origin = pairs.origin;
  located.report.concurrency = pairs.concurrency;
  located.report.flows = pairs.flows;
  const bool by_tables = router.settings().kind == fabric::RoutingKind::tables;
  located.report.known_paths = by_tables ? pairs.flows : pairs.known_paths;
  located.report.addresses_assumed = order.hash_known && pairs.known_paths > 0 &&
                                     router.settings().hash != path::SwitchHash::ideal &&
                                     router.settings().addresses == nullptr;
  return located;
}

template <class Is>
bool any_flow(const locate::MeasuredPairs& pairs, const Is& is) {
  return std::ranges::any_of(
      pairs.measurements, [&](const locate::Measurement& one) { return std::ranges::any_of(one.flows, is); });
}

bool has_several_queue_pairs(const locate::MeasuredFlow& flow) { return flow.queue_pairs.size() > 1; }

bool has_ports(const locate::MeasuredFlow& flow) {
  return std::ranges::any_of(flow.queue_pairs,
                             [](const locate::MeasuredQueuePair& one) { return one.ports.has_value(); });
}

site::ChoosePort any_of(const std::vector<std::string>& globs) {
  if (globs.empty()) return {};
  return [&globs](const std::string& name) {
    return std::ranges::any_of(globs,
                               [&](const std::string& glob) { return core::glob_matches(glob, name); });
  };
}

site::SiteFabric read_site(const results::EvidenceFile& topology, fabric::LinkSpeed speed,
                           const std::vector<std::string>& ports) {
  const auto [kind, file] = results::tagged_name(topology.name);
  if (kind.empty() || file.empty())
    core::usage_error(fmt::format("--topology {}: expected KIND=FILE", topology.name));
  const std::optional<std::string>& content = topology.content;
  if (kind == "ibnetdiscover")
    return content ? site::parse_ibnetdiscover(*content, file, speed, any_of(ports))
                   : site::read_ibnetdiscover(file, speed, any_of(ports));
  if (kind == "lldp")
    return content ? site::parse_lldp(*content, file, speed, any_of(ports))
                   : site::read_lldp(file, speed, any_of(ports));
  if (!ports.empty() && kind == "slurm")
    core::usage_error(
        "--ports: expected --topology ibnetdiscover=FILE or lldp=FILE: Slurm's files name nodes, not ports");
  if (kind == "slurm")
    return content ? site::parse_slurm_topology(*content, file, speed)
                   : site::read_slurm_topology(file, speed);
  core::usage_error(
      fmt::format("--topology {}: expected ibnetdiscover, lldp or slurm before '='", topology.name));
}

LocatedPairs locate_by_rules(const locate::MeasuredPairs& pairs, const fabric::Router& router,
                             const locate::Elements& elements, const LocateOrder& order) {
  const auto by = [&](locate::QueuePairRule rule) { return locate_by(rule, pairs, router, elements, order); };
  if (order.rule == "average") return by(locate::QueuePairRule::average);
  LocatedPairs slowest = by(locate::QueuePairRule::slowest);
  if (order.rule == "slowest" || !any_flow(pairs, has_several_queue_pairs)) return slowest;
  LocatedPairs average = by(locate::QueuePairRule::average);
  return average.gain() > slowest.gain() ? std::move(average) : std::move(slowest);
}

constexpr const char* no_hash = "the fabric states no routing.hash";
constexpr const char* misfit = "the rates do not fit the paths that its routing computes from them";

/// Flows of unknown paths, each as if it ran alone; where a path itself is known, it stays so.
locate::MeasuredPairs without_ports(locate::MeasuredPairs pairs) {
  for (locate::Measurement& one : pairs.measurements)
    for (locate::MeasuredFlow& flow : one.flows)
      for (locate::MeasuredQueuePair& queue_pair : flow.queue_pairs) queue_pair.ports.reset();
  pairs.concurrency = locate::Concurrency::alone;
  pairs.known_paths =
      static_cast<std::size_t>(std::ranges::count_if(pairs.measurements, [](const locate::Measurement& one) {
        return std::ranges::all_of(one.flows.front().queue_pairs,
                                   [](const locate::MeasuredQueuePair& pair) { return !pair.path.empty(); });
      }));
  return pairs;
}

}  // namespace

site::SiteFabric site_of(const fabric::FabricFile& file, const std::optional<results::EvidenceFile>& topology,
                         const std::vector<std::string>& ports) {
  if (topology && file.routing.kind == fabric::RoutingKind::tables)
    core::usage_error(
        fmt::format("--topology {}: {} has routing by tables, which are of its own links: expected neither "
                    "or another routing",
                    topology->name, file.file));
  if (topology) return read_site(*topology, file.link, ports);
  if (!ports.empty())
    core::usage_error("--ports: expected --topology ibnetdiscover=FILE or lldp=FILE with it");
  site::SiteFabric own{fabric::topology_of(file), {}};
  for (fabric::NodeId node = 0; node < own.topology.nodes(); ++node)
    own.names.push_back(own.topology.name_of(node));
  return own;
}

std::vector<std::string> remarks_of(const site::SiteFabric& site) {
  std::vector<std::string> remarks = site.assumed;
  remarks.insert(remarks.end(), site.notes.begin(), site.notes.end());
  return remarks;
}

locate::NodeNames names_of(const site::SiteFabric& site) {
  return locate::NodeNames(site.topology, site.names, site::other_names(site));
}

void refuse_without_paths(const fabric::Router& router, const site::SiteFabric& site,
                          const locate::MeasuredPairs& pairs, const std::string& topology) {
  constexpr std::size_t most_named = 16;
  for (const locate::Measurement& one : pairs.measurements)
    for (const locate::MeasuredFlow& flow : one.flows) try {
        router.check_reach(flow.source, flow.destination);
      } catch (const core::Error&) {
        const auto named = std::span(site.unreported).first(std::min(site.unreported.size(), most_named));
        core::usage_error(fmt::format(
            "{}: no path joins {} with {}: {}", topology, site.names[flow.source],
            site.names[flow.destination],
            named.empty()
                ? "expected the cables of every switch"
                : fmt::format("{}{} have cables to several switches and no rows of their own: if they "
                              "are switches, expected what they report as rows, system = {}",
                              fmt::join(named, ", "), named.size() < site.unreported.size() ? ", ..." : "",
                              named.front())));
      }
}

fabric::FabricFile read_fabric_of(const results::EvidenceFile& file,
                                  std::span<const fabric::KeyValue> replaced) {
  return file.content ? fabric::parse_fabric(*file.content, file.name, replaced)
                      : fabric::read_fabric(file.name, replaced);
}

double LocatedPairs::gain() const {
  double sum = 0;
  for (const locate::Suspect& one : report.location.suspects) sum += one.gain;
  return sum;
}

LocatedPairs locate_pairs(const locate::MeasuredPairs& pairs, const fabric::Router& router,
                          const locate::Elements& elements, const LocateOrder& order) {
  LocateOrder unknown = order;
  unknown.hash_known = false;
  const bool by_tables = router.settings().kind == fabric::RoutingKind::tables;
  if (by_tables || !any_flow(pairs, has_ports)) return locate_by_rules(pairs, router, elements, order);
  if (!order.hash_known) {
    LocatedPairs located = locate_by_rules(without_ports(pairs), router, elements, unknown);
    located.report.ports_left_out = no_hash;
    return located;
  }
  LocatedPairs located = locate_by_rules(pairs, router, elements, order);
  LocatedPairs without = locate_by_rules(without_ports(pairs), router, elements, unknown);
  if (without.report.location.fit <= located.report.location.fit) return located;
  without.report.ports_left_out = misfit;
  return without;
}

}  // namespace assay::answers
