// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/models/fabric_location.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "harness/front/answers/fabric/addressed_routing.hpp"
#include "harness/front/answers/fabric/located_pairs.hpp"
#include "harness/front/answers/fabric/stored_pairs.hpp"
#include "model/fabric/file/build_fabric.hpp"

namespace assay::cli {
namespace {

namespace fabric = model::fabric;
namespace locate = model::fabric::locate;

constexpr double most_false_names = 0.01;  // of all metrics

bool is_host(const locate::LocationReport& report, locate::ElementId element) {
  return report.elements->kind(element) == locate::ElementKind::host;
}

/// The host, also where its only cable may be meant.
locate::ElementId named_member(const locate::LocationReport& report, const locate::Alternative& one) {
  const std::vector<locate::ElementId>& members = report.incidence->members(one.of_class);
  const auto host = std::ranges::find_if(members, [&](locate::ElementId id) { return is_host(report, id); });
  return host == members.end() ? members.front() : *host;
}

/// Fleets call the host "h3 rail1" of the fabric "h3/rail1".
std::string name_of(const locate::LocationReport& report, locate::ElementId element) {
  std::string name = report.elements->name(element);
  if (is_host(report, element)) std::ranges::replace(name, ' ', '/');
  return name;
}

class FabricLocator {
 public:
  explicit FabricLocator(const results::FabricFiles& files)
      : file_(answers::read_fabric_of(files.fabric)),
        site_(answers::site_of(file_, files.topology)),
        names_(answers::names_of(site_)),
        topology_(files.topology ? files.topology->name : ""),
        elements_(site_.topology, files.topology ? 0 : fabric::hosts_per_machine(file_), site_.names),
        crossed_(site_.topology.links(), false) {
    order_.hash_known = file_.states_hash;
  }

  results::FabricLocation locate(std::span<const results::MetricRates> rates) {
    order_.settings.false_names =
        std::min(order_.settings.false_names,
                 most_false_names / static_cast<double>(std::max<std::size_t>(1, rates.size())));
    location_.fabric = file_.name;
    location_.assumed = answers::remarks_of(site_);
    for (const results::MetricRates& one : rates) location_.metrics.push_back(of_metric(one));
    location_.unknown_hosts.assign(unknown_.begin(), unknown_.end());
    location_.links = crossed_.size();
    location_.unseen_links = static_cast<std::size_t>(std::ranges::count(crossed_, false));
    return std::move(location_);
  }

 private:
  /// Indices of the rates that `pairs` are of, in order.
  std::vector<std::size_t> take(const results::MetricRates& rates, locate::MeasuredPairs& pairs) {
    std::vector<std::size_t> taken;
    pairs.origin = rates.origin;
    for (std::size_t at = 0; at < rates.rates.size(); ++at) {
      const results::PairRate& rate = rates.rates[at];
      const auto from = host_of(rate.from), to = host_of(rate.to);
      if (!from || !to || from == to) continue;
      pairs.measurements.push_back(
          {{answers::measured_flow(*from, *to, rate.queue_pairs)}, rate.gb_per_s, 0, rate.round});
      pairs.known_paths += rate.queue_pairs.empty() ? 0 : 1;
      pairs.see_address(*from, rate.from_address);
      pairs.see_address(*to, rate.to_address);
      taken.push_back(at);
    }
    pairs.flows = pairs.measurements.size();
    if (pairs.known_paths > 0) pairs.concurrency = locate::Concurrency::together;
    return taken;
  }

  std::optional<fabric::NodeId> host_of(const results::LinkEnd& end) {
    const auto host = names_.find_port(end.host, end.rail);
    if (!host) unknown_.insert(end.host);
    return host;
  }

  results::MetricLocation of_metric(const results::MetricRates& rates) {
    results::MetricLocation found;
    found.losses.resize(rates.rates.size());
    locate::MeasuredPairs pairs;
    const std::vector<std::size_t> taken = take(rates, pairs);
    if (taken.empty()) return found;
    const fabric::Router router(site_.topology,
                                answers::addressed_routing(file_, site_, !topology_.empty(), pairs));
    if (!topology_.empty()) answers::refuse_without_paths(router, site_, pairs, topology_);
    const answers::LocatedPairs located = answers::locate_pairs(pairs, router, elements_, order_);
    const locate::Location& location = located.report.location;
    for (std::size_t at = 0; at < location.suspects.size(); ++at)
      found.elements.push_back(element_of(located.report, at));
    for (std::size_t at = 0; at < taken.size(); ++at)
      if (const locate::Explanation& by = location.explained[at]; by.fall > 0)
        found.losses[taken[at]] = {by.suspect, -std::expm1(-by.fall)};
    note_crossed(*located.incidence);
    location_.flows += pairs.flows;
    location_.known_paths += located.report.known_paths;
    if (location_.ports_left_out.empty()) location_.ports_left_out = located.report.ports_left_out;
    return found;
  }

  static results::SlowElement element_of(const locate::LocationReport& report, std::size_t at) {
    const locate::Suspect& one = report.location.suspects[at];
    const locate::ElementId named = named_member(report, one.named);
    results::SlowElement element{.name = name_of(report, named),
                                 .kind = std::string(to_string(report.elements->kind(named))),
                                 .factor = one.named.factor,
                                 .lower = one.factor_low,
                                 .upper = one.factor_high,
                                 .probability = one.named.probability,
                                 .chance = one.chance,
                                 .gain = one.gain,
                                 .measurements = crossing(report, one.named),
                                 .not_distinguished = not_distinguished(report, one.named, named)};
    for (const locate::Alternative& other : one.others) element.others.push_back(text_of(report, other));
    for (const locate::NextPair& pair : report.next[at]) element.next.push_back(text_of(report, pair));
    return element;
  }

  void note_crossed(const locate::Incidence& incidence) {
    std::vector<bool> crossed(crossed_.size(), true);
    for (const fabric::LinkId link : incidence.unseen()) crossed[link] = false;
    for (std::size_t link = 0; link < crossed.size(); ++link)
      if (crossed[link]) crossed_[link] = true;
  }

  fabric::FabricFile file_;
  fabric::site::SiteFabric site_;
  locate::NodeNames names_;
  std::string topology_;  // "lldp=cables.csv"; empty: the fabric's own
  locate::Elements elements_;
  answers::LocateOrder order_;
  results::FabricLocation location_;
  std::set<std::string> unknown_;
  std::vector<bool> crossed_;
};

}  // namespace

results::FabricLocation locate_in_fabric(const results::FabricFiles& files,
                                         std::span<const results::MetricRates> rates) {
  return FabricLocator(files).locate(rates);
}

}  // namespace assay::cli
