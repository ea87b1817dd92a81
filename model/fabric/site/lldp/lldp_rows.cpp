// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/site/lldp/lldp_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/fabric/site/lldp/lldp_cables.hpp"
#include "model/fabric/site/lldp/lldp_kinds.hpp"
#include "model/fabric/site/lldp/lldp_names.hpp"

namespace assay::model::fabric::site {

namespace {

/// Each system by one name.
LldpLists with_one_name(LldpLists lists) {
  for (LldpRow& row : lists.rows)
    if (const auto named = lists.name_by_chassis.find(plain_port(row.peer.system));
        named != lists.name_by_chassis.end())
      row.peer.system = named->second;
  std::vector<std::string> names;
  for (const LldpRow& row : lists.rows) names.push_back(row.own.system);
  for (const LldpRow& row : lists.rows) names.push_back(row.peer.system);
  for (const auto& [name, forwards] : lists.forwards) names.push_back(name);
  const SystemNames systems(names, lists.file);
  for (LldpRow& row : lists.rows)
    for (LldpPort* port : {&row.own, &row.peer}) port->system = systems.of(port->system);
  std::map<std::string, bool> forwards;
  for (const auto& [name, own] : lists.forwards) forwards[systems.of(name)] |= own;
  lists.forwards = std::move(forwards);
  if (!systems.merged().empty())
    lists.notes.push_back(fmt::format(
        "names of one system: {}{}", systems.merged().front(),
        systems.merged().size() > 1 ? fmt::format(" and {} more", systems.merged().size() - 1) : ""));
  return lists;
}

/// LLDP itself carries no rate.
std::string assumed_rates(const std::vector<SiteCable>& cables, const std::string& file, LinkSpeed speed) {
  const auto unknown =
      std::ranges::count_if(cables, [](const SiteCable& cable) { return cable.gbit_per_s <= 0; });
  if (unknown == 0) return "";
  return fmt::format("the rate of {} of {} cables is assumed, {:.10g} Gbit/s: {} does not state it", unknown,
                     cables.size(), speed.gbit_per_s, file);
}

/// "node1 eth0", by every name that either end of the cable gives the port.
std::vector<std::string> names_of_port(const LldpPort& port, const LldpPort* other) {
  std::vector<std::string> names;
  for (const LldpPort* one : {&port, other})
    if (one != nullptr)
      for (const std::string& name : one->names) names.push_back(port.system + " " + name);
  return names;
}

std::vector<SiteCable> chosen_cables(const LldpCables& joined, const std::set<std::string>& switches,
                                     PortChoice& choice) {
  std::vector<SiteCable> cables;
  for (const LldpCable& cable : joined.cables) {
    const LldpRow &row = *cable.row, *const back = cable.back;
    const SiteEnd one{row.own.system, own_port(cable), switches.contains(row.own.system)},
        other{row.peer.system, peer_port(cable), switches.contains(row.peer.system)};
    const bool takes_one =
        one.is_switch || choice.takes(names_of_port(row.own, back == nullptr ? nullptr : &back->peer));
    const bool takes_other =
        other.is_switch || choice.takes(names_of_port(back == nullptr ? row.peer : back->own, &row.peer));
    const double rate = row.gbit_per_s > 0 || back == nullptr ? row.gbit_per_s : back->gbit_per_s;
    if (takes_one && takes_other)
      cables.push_back({one, other, rate, 0, row.place});
    else
      choice.leave_out(one, other);
  }
  return cables;
}

}  // namespace

SiteFabric lldp_fabric(const LldpLists& given, LinkSpeed speed, const ChoosePort& choose) {
  const LldpLists lists = with_one_name(given);
  const LldpCables joined = join_rows(lists.rows);
  LldpKinds kinds = kinds_of(lists, joined.cables);
  PortChoice choice(choose);
  std::vector<SiteCable> cables = chosen_cables(joined, kinds.switches, choice);
  choice.refuse_none(lists.file);
  cables = choice.reached(std::move(cables));
  SiteFabric fabric = site_fabric(cables, lists.file, speed);
  choice.report(fabric);
  fabric.unreported = std::move(kinds.unreported);
  for (const std::vector<std::string>* notes : {&lists.notes, &joined.notes, &std::as_const(kinds).notes})
    fabric.assumed.insert(fabric.assumed.end(), notes->begin(), notes->end());
  if (std::string rates = assumed_rates(cables, lists.file, speed); !rates.empty())
    fabric.assumed.push_back(std::move(rates));
  return fabric;
}

}  // namespace assay::model::fabric::site
