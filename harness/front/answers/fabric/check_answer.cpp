// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/check_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/core/text/json_text.hpp"
#include "harness/core/units.hpp"
#include "harness/front/answers/fabric/located_pairs.hpp"
#include "harness/front/answers/verdict_word.hpp"
#include "model/fabric/file/build_fabric.hpp"
#include "model/fabric/site/site_names.hpp"
#include "model/fabric/wiring/wiring_faults.hpp"

namespace assay::answers {
namespace {

namespace fabric = model::fabric;
namespace wiring = model::fabric::wiring;

using CheckJson = nlohmann::ordered_json;

/// One of both sides.
struct WiredSide {
  fabric::site::SiteFabric site;
  std::vector<std::string> hosts;  // names; empty: it has none
  std::vector<std::string> rails;  // of every host, its place at its machine; empty where machines differ
  std::size_t per_machine = 1;
};

WiredSide side_of(const fabric::FabricFile& file) {
  WiredSide side{site_of(file, {}, {}), {}, {}};
  const fabric::Topology& topology = side.site.topology;
  side.per_machine = fabric::hosts_per_machine(file);
  if (!file.nodes.empty())
    side.hosts.assign(side.site.names.begin(), side.site.names.begin() + topology.hosts());
  for (fabric::NodeId host = 0; host < topology.hosts(); ++host)
    side.rails.push_back(fmt::format("rail{}", host % side.per_machine));
  return side;
}

WiredSide side_of_list(const CheckQuestion& question, const fabric::FabricFile& plan) {
  fabric::FabricFile rules;
  rules.link = plan.link;
  WiredSide side{site_of(rules, results::EvidenceFile{question.site}, question.ports), {}, {}};
  const auto machines = fabric::site::machines_of(side.site);
  side.hosts.resize(side.site.topology.hosts());
  side.rails.resize(side.hosts.size());
  side.per_machine = machines.front().ports.size();
  bool is_even = true;
  for (const fabric::site::SiteMachine& machine : machines) {
    is_even = is_even && machine.ports.size() == side.per_machine;
    for (std::size_t port = 0; port < machine.ports.size(); ++port) {
      side.hosts[machine.ports[port]] = fabric::site::rail_name(machine, port);
      side.rails[machine.ports[port]] = fmt::format("rail{}", port);
    }
  }
  if (!is_even) side.rails.clear();
  return side;
}

/// Labels that both sides have: names of hosts, else rails, else none.
std::string choose_labels(const WiredSide& plan, const WiredSide& site, std::vector<std::string>& plan_labels,
                          std::vector<std::string>& site_labels) {
  const std::set<std::string> known(site.hosts.begin(), site.hosts.end());
  const auto common =
      std::ranges::count_if(plan.hosts, [&](const std::string& one) { return known.contains(one); });
  if (common > 0 && 2 * static_cast<std::size_t>(common) >= plan.hosts.size()) {
    plan_labels = plan.hosts;
    site_labels = site.hosts;
    return "names";
  }
  if (plan.per_machine > 1 && plan.per_machine == site.per_machine && !plan.rails.empty() &&
      !site.rails.empty()) {
    plan_labels = plan.rails;
    site_labels = site.rails;
    return "rails";
  }
  plan_labels.assign(plan.site.topology.hosts(), "");
  site_labels.assign(site.site.topology.hosts(), "");
  return "none";
}

class CheckReport {
 public:
  CheckReport(const CheckQuestion& question, WiredSide plan, WiredSide site)
      : plan_(std::move(plan)), site_(std::move(site)) {
    std::vector<std::string> plan_labels, site_labels;
    labels_ = choose_labels(plan_, site_, plan_labels, site_labels);
    plan_net_ = wiring::wired_net(plan_.site.topology, plan_labels);
    site_net_ = wiring::wired_net(site_.site.topology, site_labels);
    match_ =
        wiring::match_nets(plan_net_, site_net_, {.most_starts = question.starts, .seed = question.seed});
    faults_ = wiring::wiring_faults(plan_.site.topology, plan_net_, site_.site.topology, site_net_,
                                    match_.site_of, !site_.site.assumes_rates);
  }

  CheckAnswer answer() const { return {text(), core::json_text(json(), 2) + "\n", !faults_.any()}; }

 private:
  std::string plan_name(std::uint32_t one) const {
    return plan_.site.topology.name_of(plan_.site.topology.hosts() + one);
  }
  /// "r7-leaf (plan: leaf3)", or "plan: leaf3" where the site has no such switch.
  std::string both_names(std::uint32_t one) const {
    const std::uint32_t own = match_.site_of[one];
    if (own == wiring::unmatched) return fmt::format("plan: {}", plan_name(one));
    const std::string& there = site_.site.names[site_.site.topology.hosts() + own];
    return there == plan_name(one) ? there : fmt::format("{} (plan: {})", there, plan_name(one));
  }
  std::string host_text(const std::string& label) const {
    return label.empty() ? "a host" : labels_ == "rails" ? "a host's " + label : label;
  }
  std::string planned_text(const wiring::PlannedCable& cable) const {
    return fmt::format("{} to {}", cable.one ? both_names(*cable.one) : host_text(cable.label),
                       both_names(cable.other));
  }
  std::string end_text(fabric::LinkId link, bool lower) const {
    const fabric::NodeId node = lower ? site_.site.topology.from(link) : site_.site.topology.to(link);
    std::string text = site_.site.names[node];
    if (link >= site_.site.cable_ports.size()) return text;
    const auto& ports = site_.site.cable_ports[link];
    const std::string& port = lower ? ports.lower : ports.upper;
    if (!port.empty() && node >= site_.site.topology.hosts()) text += " port " + port;
    return text;
  }
  std::string cable_text(fabric::LinkId link) const {
    return fmt::format("{} to {}", end_text(link, true), end_text(link, false));
  }

  std::string move_text(const wiring::CableMove& move) const {
    if (!move.extra) return "add " + planned_text(faults_.missing[*move.missing]);
    const fabric::LinkId link = faults_.extra[*move.extra];
    if (!move.missing) return "remove " + cable_text(link);
    const wiring::PlannedCable& planned = faults_.missing[*move.missing];
    if (move.ends == 2) return fmt::format("replug {} as {}", cable_text(link), planned_text(planned));
    const fabric::NodeId first = site_.site.topology.hosts();
    const bool lower_stays = !move.kept || site_.site.topology.from(link) == first + *move.kept;
    const bool first_stays = !planned.one || (move.kept && match_.site_of[*planned.one] == *move.kept);
    return fmt::format("at the cable of {}, move the end from {} to {}", end_text(link, lower_stays),
                       end_text(link, !lower_stays), both_names(first_stays ? planned.other : *planned.one));
  }

  std::string lead() const {
    const auto count = [](std::size_t number, const char* noun) {
      return core::counted(static_cast<std::int64_t>(number), noun);
    };
    if (!faults_.any()) return "PASS: every cable is as planned, up to names of switches.\n";
    return fmt::format("FAIL: {} missing, {} beyond the plan, {} slower; {} repair it.\n",
                       count(faults_.missing.size(), "cable"), faults_.extra.size(), faults_.slower.size(),
                       count(faults_.moves.size(), "move"));
  }

  std::string text() const {
    const auto& plan = plan_.site.topology;
    const auto& site = site_.site.topology;
    std::string text = lead();
    text += fmt::format(
        "plan: {} hosts, {} switches, {} cables; site: {}, {}, {}; hosts matched by {}; {} of the search\n",
        plan.hosts(), plan.nodes() - plan.hosts(), plan.links() / 2, site.hosts(),
        site.nodes() - site.hosts(), site.links() / 2, labels_ == "none" ? "their switches alone" : labels_,
        core::counted(match_.starts, "start"));
    if (site_.site.assumes_rates) text += "rates are not compared: the site's list does not state all\n";
    const auto list = [&](const char* title, std::size_t count, const auto& of) {
      if (count > 0) text += fmt::format("\n{}\n", title);
      for (std::size_t at = 0; at < count; ++at) text += fmt::format("  {}\n", of(at));
    };
    list("missing", faults_.missing.size(),
         [&](std::size_t at) { return planned_text(faults_.missing[at]); });
    list("beyond the plan", faults_.extra.size(),
         [&](std::size_t at) { return cable_text(faults_.extra[at]); });
    list("slower", faults_.slower.size(), [&](std::size_t at) {
      return fmt::format("{}: {:.3g} of the planned rate", cable_text(faults_.slower[at].link),
                         faults_.slower[at].planned_share);
    });
    list("moves", faults_.moves.size(),
         [&](std::size_t at) { return fmt::format("{}. {}", at + 1, move_text(faults_.moves[at])); });
    for (const std::string& remark : remarks_of(site_.site)) text += remark + "\n";
    return text;
  }

  CheckJson json() const {
    CheckJson json = {{"verdict", verdict_word(!faults_.any())},
                      {"hosts_matched_by", labels_},
                      {"starts", match_.starts},
                      {"rates_compared", !site_.site.assumes_rates},
                      {"missing", CheckJson::array()},
                      {"extra", CheckJson::array()},
                      {"slower", CheckJson::array()},
                      {"moves", CheckJson::array()},
                      {"switches", CheckJson::object()}};
    for (const wiring::PlannedCable& one : faults_.missing)
      json["missing"].push_back({{"plan", {one.one ? plan_name(*one.one) : one.label, plan_name(one.other)}},
                                 {"text", planned_text(one)}});
    for (const fabric::LinkId link : faults_.extra)
      json["extra"].push_back({{"site", {end_text(link, true), end_text(link, false)}}});
    for (const wiring::SlowerCable& one : faults_.slower)
      json["slower"].push_back({{"site", {end_text(one.link, true), end_text(one.link, false)}},
                                {"share_of_planned_rate", one.planned_share}});
    for (const wiring::CableMove& one : faults_.moves)
      json["moves"].push_back({{"ends", one.missing && one.extra ? one.ends : 2}, {"text", move_text(one)}});
    for (std::uint32_t one = 0; one < match_.site_of.size(); ++one)
      if (match_.site_of[one] != wiring::unmatched)
        json["switches"][plan_name(one)] =
            site_.site.names[site_.site.topology.hosts() + match_.site_of[one]];
    json["remarks"] = remarks_of(site_.site);
    return json;
  }

  WiredSide plan_, site_;
  std::string labels_;
  wiring::WiredNet plan_net_, site_net_;
  wiring::NetMatch match_;
  wiring::WiringFaults faults_;
};

}  // namespace

CheckAnswer check_wiring(const CheckQuestion& question) {
  const fabric::FabricFile plan = fabric::read_fabric(question.plan);
  const auto [kind, file] = results::tagged_name(question.site);
  WiredSide site = kind.empty() ? side_of(fabric::read_fabric(question.site)) : side_of_list(question, plan);
  return CheckReport(question, side_of(plan), std::move(site)).answer();
}

}  // namespace assay::answers
