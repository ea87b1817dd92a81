// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/reliability/fleet.hpp"

namespace assay::model::reliability {
namespace {

constexpr std::size_t shown = 20;

std::int64_t counted(const FleetHistory& fleet) {
  return std::ranges::count(fleet.failures, true, &PartFailure::counted);
}

std::string with_interval(double value, const Interval& interval) {
  return fmt::format("{:.3g} ({:.3g} to {:.3g})", value, interval.lower, interval.upper);
}

std::string early_life_text(const EarlyLifeFit& fit) {
  if (!fit.why_not.empty()) return fmt::format("early life does not show: {}\n", fit.why_not);
  return fmt::format(
      "early life, measured by age since the first look, 95 %: {} failures a node, scale {} days, shape {}, "
      "then "
      "{:.3g} per 1,000 node-days\n",
      with_interval(fit.life.early, fit.early), with_interval(fit.life.scale_days, fit.scale_days),
      with_interval(fit.life.shape, fit.shape), 1000 * fit.life.per_day);
}

nlohmann::ordered_json early_life_json(const EarlyLifeFit& fit) {
  if (!fit.why_not.empty())
    return {{"failures", fit.failures}, {"nodes", fit.nodes}, {"why_not", fit.why_not}};
  const auto number = [](double value, const Interval& interval) {
    return nlohmann::ordered_json{{"value", value}, {"lower", interval.lower}, {"upper", interval.upper}};
  };
  return {{"origin", "measured"},
          {"failures", fit.failures},
          {"nodes", fit.nodes},
          {"gain", fit.gain},
          {"early", number(fit.life.early, fit.early)},
          {"scale_days", number(fit.life.scale_days, fit.scale_days)},
          {"shape", number(fit.life.shape, fit.shape)},
          {"per_1000_node_days_after", 1000 * fit.life.per_day}};
}

}  // namespace

std::string to_text(const FleetHistory& fleet, const OffenderRule& rule) {
  const std::int64_t failures = counted(fleet),
                     earlier = static_cast<std::int64_t>(fleet.failures.size()) - failures;
  std::string text = fmt::format("{}: nodes {}, node-days under watch {:.4g}, failures {}{}\n", fleet.source,
                                 fleet.nodes(), fleet.node_days(), failures,
                                 earlier > 0 ? fmt::format(" ({} more when watching began)", earlier) : "");
  if (fleet.early_life) text += early_life_text(*fleet.early_life);
  for (const std::string& note : fleet.notes) text += fmt::format("note: {}\n", note);
  const std::vector<PartRecord> parts = offenders(fleet, rule);
  if (parts.empty()) return text;
  text += fmt::format(
      "\nparts that failed; RMA: {} times within {:g} days; repeats: below {:g} % by chance for any of its "
      "kind\n  {:<8} {:<5} {:<20} {:>8} {:>10} {:>9}  {}\n",
      rule.failures, rule.within_days, 100 * rule.by_chance, "", "kind", "serial number", "failures", "days",
      "by chance", "what, where");
  for (std::size_t at = 0; at < std::min(parts.size(), shown); ++at) {
    const PartRecord& one = parts[at];
    text += fmt::format("  {:<8} {:<5} {:<20} {:>8} {:>10.4g} {:>9.2g}  {} in {}\n", one.word(), one.kind,
                        one.serial, one.failures, one.watched_days, one.by_chance,
                        fmt::join(one.components, ", "), fmt::join(one.nodes, ", "));
  }
  if (parts.size() > shown) text += fmt::format("  and {} more (--json)\n", parts.size() - shown);
  return text;
}

nlohmann::ordered_json to_json(const FleetHistory& fleet, const OffenderRule& rule) {
  using Json = nlohmann::ordered_json;
  Json json{{"source", fleet.source},
            {"nodes", fleet.nodes()},
            {"node_days", fleet.node_days()},
            {"failures", counted(fleet)},
            {"when_watching_began", fleet.failures.size() - static_cast<std::size_t>(counted(fleet))},
            {"rule",
             {{"failures", rule.failures}, {"within_days", rule.within_days}, {"by_chance", rule.by_chance}}},
            {"parts", Json::array()},
            {"notes", fleet.notes}};
  if (fleet.early_life) json["early_life"] = early_life_json(*fleet.early_life);
  for (const PartRecord& one : offenders(fleet, rule))
    json["parts"].push_back({{"kind", one.kind},
                             {"serial", one.serial},
                             {"verdict", one.word()},
                             {"failures", one.failures},
                             {"watched_days", one.watched_days},
                             {"by_chance", one.by_chance},
                             {"components", one.components},
                             {"nodes", one.nodes}});
  return json;
}

}  // namespace assay::model::reliability
