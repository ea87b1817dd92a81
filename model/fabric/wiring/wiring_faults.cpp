// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/wiring/wiring_faults.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "model/fabric/wiring/shared_ends.hpp"

namespace assay::model::fabric::wiring {
namespace {

constexpr double slower_below = 0.999;

class FaultFinder {
 public:
  FaultFinder(const Topology& plan, const WiredNet& plan_net, const Topology& site, const WiredNet& site_net,
              const std::vector<std::uint32_t>& site_of, bool compare_rates)
      : plan_(plan),
        plan_net_(plan_net),
        site_(site),
        site_net_(site_net),
        site_of_(site_of),
        compare_rates_(compare_rates),
        plan_of_(site_net.switches(), unmatched) {
    for (std::uint32_t one = 0; one < site_of.size(); ++one)
      if (site_of[one] != unmatched) plan_of_[site_of[one]] = one;
  }

  WiringFaults find() {
    for (const auto& [ends, links] : plan_net_.cables) find_missing(ends.first, ends.second, links);
    for (const auto& [ends, links] : site_net_.cables) find_extra(ends.first, ends.second, links);
    for (std::uint32_t one = 0; one < site_of_.size(); ++one) find_missing_hosts(one);
    for (std::uint32_t other = 0; other < plan_of_.size(); ++other) find_extra_hosts(other);
    find_moves();
    return std::move(faults_);
  }

 private:
  const std::vector<LinkId>& at_site(std::uint32_t one, std::uint32_t other) const {
    static const std::vector<LinkId> none;
    if (one == unmatched || other == unmatched) return none;
    const auto found = site_net_.cables.find(std::minmax(one, other));
    return found == site_net_.cables.end() ? none : found->second;
  }

  void find_missing(std::uint32_t one, std::uint32_t other, const std::vector<LinkId>& planned) {
    const std::vector<LinkId>& there = at_site(site_of_[one], site_of_[other]);
    for (std::size_t at = there.size(); at < planned.size(); ++at) faults_.missing.push_back({one, other});
    for (std::size_t at = 0; at < std::min(there.size(), planned.size()); ++at)
      compare_rate(planned[at], there[at]);
  }
  void compare_rate(LinkId planned, LinkId there) {
    const double share =
        std::min(site_.capacity(there), site_.capacity(site_.reverse(there))) / plan_.capacity(planned);
    if (compare_rates_ && share < slower_below) faults_.slower.push_back({there, share});
  }
  void find_extra(std::uint32_t one, std::uint32_t other, const std::vector<LinkId>& there) {
    std::size_t planned = 0;
    if (plan_of_[one] != unmatched && plan_of_[other] != unmatched)
      planned = plan_net_.cables_between(plan_of_[one], plan_of_[other]);
    for (std::size_t at = planned; at < there.size(); ++at) faults_.extra.push_back(there[at]);
  }

  static const std::vector<NodeId>& labelled(const std::map<std::string, std::vector<NodeId>>& hosts,
                                             const std::string& label) {
    static const std::vector<NodeId> none;
    const auto found = hosts.find(label);
    return found == hosts.end() ? none : found->second;
  }
  void find_missing_hosts(std::uint32_t one) {
    for (const auto& [label, planned] : plan_net_.hosts[one]) {
      static const std::map<std::string, std::vector<NodeId>> nobody;
      const auto& there =
          labelled(site_of_[one] == unmatched ? nobody : site_net_.hosts[site_of_[one]], label);
      for (std::size_t at = there.size(); at < planned.size(); ++at)
        faults_.missing.push_back({std::nullopt, one, label});
      for (std::size_t at = 0; at < std::min(there.size(), planned.size()); ++at)
        compare_rate(planned[at], there[at]);
    }
  }
  void find_extra_hosts(std::uint32_t other) {
    for (const auto& [label, there] : site_net_.hosts[other]) {
      const std::size_t planned =
          plan_of_[other] == unmatched ? 0 : labelled(plan_net_.hosts[plan_of_[other]], label).size();
      for (std::size_t at = planned; at < there.size(); ++at) {
        faults_.extra.push_back(there[at]);  // a host's link has its number
        label_of_[there[at]] = label;
      }
    }
  }

  bool is_host_link(LinkId link) const { return link < site_.hosts(); }
  std::uint32_t switch_at(NodeId node) const { return node - site_.hosts(); }

  std::optional<std::uint32_t> kept_end(const PlannedCable& planned, LinkId link) const {
    for (const NodeId end : {site_.from(link), site_.to(link)})
      for (const std::uint32_t own : {*planned.one, planned.other})
        if (site_of_[own] == switch_at(end)) return switch_at(end);
    return std::nullopt;
  }

  /// Extra cables by the switches of the site where an end can stay, then by labels of hosts.
  SharedEnds shared_ends() const {
    SharedEnds ends{{}, std::vector<std::vector<std::size_t>>(site_net_.switches()), faults_.extra.size()};
    std::map<std::string, std::size_t> group_of_label;
    for (std::size_t extra = 0; extra < faults_.extra.size(); ++extra) {
      const LinkId link = faults_.extra[extra];
      if (is_host_link(link)) {
        const auto [group, fresh] =
            group_of_label.try_emplace(label_of_.at(link), ends.extras_of_group.size());
        if (fresh) ends.extras_of_group.emplace_back();
        ends.extras_of_group[group->second].push_back(extra);
      } else {
        for (const NodeId end : {site_.from(link), site_.to(link)})
          ends.extras_of_group[switch_at(end)].push_back(extra);
      }
    }
    const auto of_switch = [&](std::uint32_t own) {
      return site_of_[own] == unmatched ? SharedEnds::no_group : site_of_[own];
    };
    for (const PlannedCable& planned : faults_.missing) {
      const auto label = planned.one ? group_of_label.end() : group_of_label.find(planned.label);
      if (planned.one)
        ends.groups_of_missing.push_back({of_switch(*planned.one), of_switch(planned.other)});
      else
        ends.groups_of_missing.push_back(
            {label == group_of_label.end() ? SharedEnds::no_group : label->second, SharedEnds::no_group});
    }
    return ends;
  }

  void find_moves() {
    const std::vector<std::optional<std::size_t>> missing_of = most_pairs(shared_ends());
    std::vector<std::optional<std::size_t>> extra_of(faults_.missing.size());
    for (std::size_t extra = 0; extra < missing_of.size(); ++extra)
      if (missing_of[extra]) extra_of[*missing_of[extra]] = extra;
    std::vector<std::size_t> spare;
    for (std::size_t extra = 0; extra < missing_of.size(); ++extra)
      if (!missing_of[extra]) spare.push_back(extra);
    for (std::size_t missing = 0; missing < extra_of.size(); ++missing) {
      if (extra_of[missing]) {
        const PlannedCable& planned = faults_.missing[missing];
        faults_.moves.push_back(
            {missing, extra_of[missing], 1,
             planned.one ? kept_end(planned, faults_.extra[*extra_of[missing]]) : std::nullopt});
        continue;
      }
      const auto of_kind = std::ranges::find_if(spare, [&](std::size_t extra) {
        return is_host_link(faults_.extra[extra]) != faults_.missing[missing].one.has_value();
      });
      if (of_kind == spare.end() || !faults_.missing[missing].one) {
        faults_.moves.push_back({missing, std::nullopt});
        continue;
      }
      faults_.moves.push_back({missing, *of_kind, 2});
      spare.erase(of_kind);
    }
    for (const std::size_t extra : spare) faults_.moves.push_back({std::nullopt, extra});
  }

  const Topology& plan_;
  const WiredNet& plan_net_;
  const Topology& site_;
  const WiredNet& site_net_;
  const std::vector<std::uint32_t>& site_of_;
  bool compare_rates_;
  std::vector<std::uint32_t> plan_of_;
  std::map<LinkId, std::string> label_of_;  // of hosts whose cables are extra
  WiringFaults faults_;
};

}  // namespace

WiringFaults wiring_faults(const Topology& plan, const WiredNet& plan_net, const Topology& site,
                           const WiredNet& site_net, const std::vector<std::uint32_t>& site_of,
                           bool compare_rates) {
  return FaultFinder(plan, plan_net, site, site_net, site_of, compare_rates).find();
}

}  // namespace assay::model::fabric::wiring
