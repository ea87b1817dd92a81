// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/simulate/answer/shape_findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/fabric/routing/route_rule.hpp"

namespace assay::model::fabric {

namespace {

/// The first host of a switch, whose number its link has.
LinkId host_of(const Topology& topology, NodeId at) {
  LinkId link = 0;
  while (topology.to(link) != at) ++link;
  return link;
}

}  // namespace

std::vector<std::string> cycle_names(const FabricModel& model) {
  std::vector<std::string> names;
  for (const LinkId link : model.buffer_cycle()) names.push_back(model.name_of_link(link));
  return names;
}

std::string cycle_text(const FabricModel& model) {
  if (model.buffer_cycle().empty()) return "";
  return fmt::format(
      "buffers can wait for one another in a circle, a possible deadlock of priority flow control: {}",
      fmt::join(cycle_names(model), ", "));
}

std::optional<std::string> route_note(const Topology& topology) {
  if (topology.route_rule() == RouteRule::up_down) return std::nullopt;
  constexpr std::string_view opening = "Routed over all shortest paths";
  if (const auto link = link_within_tier(topology))
    return fmt::format("{}: {} joins two switches of one tier.", opening, topology.name_of_link(*link));
  const auto pair = pair_off_up_and_down(topology);
  if (!pair) return fmt::format("{}.", opening);
  return fmt::format("{}: from {} to {} none that goes up and then down is as short.", opening,
                     topology.name_of_link(host_of(topology, pair->one)),
                     topology.name_of_link(host_of(topology, pair->other)));
}

Answer with_shape(const FabricModel& model, Answer answer) {
  const std::optional<std::string> note = route_note(model.topology());
  const std::string cycle = cycle_text(model);
  if (note) answer.notes.push_back(*note);
  if (!cycle.empty()) {
    answer.sentence += "; " + cycle;
    answer.holds = false;
  }
  if (answer.json.empty() || (!note && cycle.empty())) return answer;
  auto json = core::json_from<nlohmann::ordered_json>(answer.json);
  if (json.contains("answer")) json["answer"] = answer.sentence;
  json["notes"] = answer.notes;
  if (!cycle.empty()) json["buffer_cycle"] = cycle_names(model);
  answer.json = core::json_text(json, 2);
  return answer;
}

std::string some_names(const Topology& topology, const std::vector<NodeId>& hosts, std::size_t most) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < std::min(most, hosts.size()); ++at)
    names.push_back(topology.name_of(hosts[at]));
  return fmt::format("{}{}", fmt::join(names, ", "), hosts.size() > most ? ", ..." : "");
}

std::string parts_text(const Topology& topology, const std::vector<std::vector<NodeId>>& parts) {
  constexpr std::size_t most_parts = 4, most_hosts = 4;
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < std::min(most_parts, parts.size()); ++at)
    texts.push_back(fmt::format("{} host{} ({})", parts[at].size(), parts[at].size() == 1 ? "" : "s",
                                some_names(topology, parts[at], most_hosts)));
  if (parts.size() > most_parts) texts.push_back(fmt::format("{} more parts", parts.size() - most_parts));
  const std::string last = texts.back();
  texts.pop_back();
  return fmt::format("{} and {}", fmt::join(texts, ", "), last);
}

}  // namespace assay::model::fabric
