// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/reliability/rates_file.hpp"

namespace assay::model::reliability {
namespace {

using Json = nlohmann::ordered_json;

Json rate_json(const FailureRate& rate) {
  Json json{{"per_1000_node_days", rate.per_1000_node_days()}};
  if (rate.interval) json["lower"] = 1000 * rate.interval->lower, json["upper"] = 1000 * rate.interval->upper;
  return json;
}

}  // namespace

std::string rates_text(const Rates& rates) {
  std::string text = fmt::format("rates of {}: {:.3g} failures per 1,000 node-days\n", rates.name,
                                 rates.node.per_1000_node_days());
  if (rates.node.per_node_day == 0 && rates.node.interval)
    text +=
        fmt::format("  no failure was seen: below {:.3g} with 97.5 %\n", 1000 * rates.node.interval->upper);
  if (!rates.source.empty()) text += fmt::format("  {}\n", rates.source);
  if (rates.early_life && !rates.early_life_source.empty())
    text += fmt::format("  early life: {}\n", rates.early_life_source);
  std::vector<ComponentRate> components = rates.components;
  std::ranges::stable_sort(components, std::ranges::greater{},
                           [](const ComponentRate& one) { return one.rate.per_node_day; });
  const double share = rates.node.per_node_day;
  for (const ComponentRate& one : components) {
    text += fmt::format("  {:<22} {:>8.3g} {:>6.1f} %", one.component, one.rate.per_1000_node_days(),
                        share > 0 ? 100 * one.rate.per_node_day / share : 0);
    if (one.rate.interval)
      text += fmt::format("   95 %: {:.3g} to {:.3g}", 1000 * one.rate.interval->lower,
                          1000 * one.rate.interval->upper);
    text += "\n";
  }
  for (const FailureDomain& one : rates.domains)
    text += fmt::format("  {} of {} nodes: {:.3g} failures per 1,000 of its days\n", one.name, one.nodes,
                        one.rate.per_1000_node_days());
  return text;
}

nlohmann::ordered_json rates_json(const Rates& rates) {
  Json json{{"name", rates.name},
            {"source", rates.source},
            {"node", rate_json(rates.node)},
            {"components", Json::object()}};
  if (rates.early_life && !rates.early_life_source.empty()) json["early_life"] = rates.early_life_source;
  for (const ComponentRate& one : rates.components) json["components"][one.component] = rate_json(one.rate);
  for (const FailureDomain& one : rates.domains)
    json["domains"].push_back(
        {{"name", one.name}, {"nodes", one.nodes}, {"per_1000_unit_days", one.rate.per_1000_node_days()}});
  return json;
}

}  // namespace assay::model::reliability
