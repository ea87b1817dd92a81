// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "harness/core/statistics/statistics.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/fabric/simulate/variants/policies.hpp"

namespace assay::model::fabric {

namespace {

using Kind = results::Column::Kind;
using results::Number;

std::string name_of_policy(const Policy& policy) {
  std::vector<std::string> parts;
  for (const KeyValue& one : policy.values) parts.push_back(fmt::format("{}={}", one.key, one.value));
  return fmt::format("{}", fmt::join(parts, " "));
}

double median_of(const Policy& one) { return core::quantile_of(one.time_us, 0.5); }
double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The gain of mean times, with what single seeds gain over themselves as its interval.
Number gain_of(const Policy& first, const Policy& one, double scale) {
  Number gain = number_of(one.gain, scale);
  gain.value = scale * (mean_of(first.time_us) / mean_of(one.time_us) - 1);
  return gain;
}

/// The share of what links allow: mean over seeds, 5 and 95 %.
Number share_of_links(const Policy& one, double scale) {
  std::vector<double> shares;
  for (const double time_us : one.time_us) shares.push_back(one.even_us / time_us);
  Number share = number_of(shares, scale);
  share.value = scale * mean_of(shares);
  return share;
}

/// Compares the policy with the first: lower times are faster.
std::string verdict_of(const Policy& first, const Policy& one) {
  if (&one == &first) return "reference";
  if (one.time_us == first.time_us) return "equal";
  if (one.time_us.size() < static_cast<std::size_t>(core::fewest_runs)) return "unknown";
  switch (one.equivalence.verdict) {
    case core::Equivalence::equivalent:
      return "equal";
    case core::Equivalence::lower:
      return "faster";
    case core::Equivalence::higher:
      return "slower";
    case core::Equivalence::not_enough_data:
      break;
  }
  return "unknown";
}

results::Table policy_table(const std::vector<Policy>& policies) {
  results::Table table{.title = "Policies"};
  for (const KeyValue& one : policies.front().values) table.columns.push_back({one.key, "", Kind::word});
  for (results::Column column : std::vector<results::Column>{{"sharing", "", Kind::word, true},
                                                             {"time", "ms", Kind::number},
                                                             {"of what links allow", "%", Kind::number},
                                                             {"gain over the first", "%", Kind::number},
                                                             {"verdict", "", Kind::word},
                                                             {"Pareto", "", Kind::word}})
    table.columns.push_back(std::move(column));
  for (const Policy& one : policies) {
    std::vector<results::Cell> row;
    for (const KeyValue& each : one.values) row.emplace_back(each.value);
    std::vector<std::string_view> rules;
    for (const SharingRuleKind rule : one.rules) rules.push_back(rule_words.of(rule));
    row.emplace_back(fmt::format("{}", fmt::join(rules, ",")));
    row.emplace_back(number_of(one.time_us, 1e-3));
    row.push_back(one.even_us > 0 ? results::Cell(share_of_links(one, 100)) : results::Cell());
    row.emplace_back(gain_of(policies.front(), one, 100));
    row.emplace_back(verdict_of(policies.front(), one));
    row.emplace_back(one.pareto ? "yes" : "no");
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string policies_json(const Answer& answer, const std::vector<Policy>& policies, double margin) {
  nlohmann::ordered_json json = {{"origin", "simulated"},
                                 {"answer", answer.sentence},
                                 {"notes", answer.notes},
                                 {"margin", margin},
                                 {"policies", nlohmann::ordered_json::array()}};
  for (const Policy& one : policies) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (const KeyValue& each : one.values) values[each.key] = each.value;
    nlohmann::ordered_json row = {{"values", std::move(values)},
                                  {"time_us", median_of(one)},
                                  {"time_us_p5", core::quantile_of(one.time_us, 0.05)},
                                  {"time_us_p95", core::quantile_of(one.time_us, 0.95)},
                                  {"time_us_of_seeds", one.time_us},
                                  {"links_allow_us", one.even_us},
                                  {"links_allow_share", share_of_links(one, 1).value},
                                  {"gain", gain_of(policies.front(), one, 1).value},
                                  {"gain_p5", core::quantile_of(one.gain, 0.05)},
                                  {"gain_p95", core::quantile_of(one.gain, 0.95)},
                                  {"verdict", verdict_of(policies.front(), one)},
                                  {"pareto", one.pareto},
                                  {"queue_pairs", one.queue_pairs},
                                  {"switch_capacity_gb_per_s", one.switch_capacity_gb_per_s}};
    row["time_ratio"] = {{"mean", one.equivalence.ratio}};
    if (one.equivalence.lower) row["time_ratio"]["lower"] = *one.equivalence.lower;
    if (one.equivalence.upper) row["time_ratio"]["upper"] = *one.equivalence.upper;
    for (const SharingRuleKind rule : one.rules) row["sharing"].push_back(rule_words.of(rule));
    json["policies"].push_back(std::move(row));
  }
  return core::json_text(json, 2);
}

}  // namespace

Answer policies_answer(const PolicyQuestion& question, const std::vector<Policy>& policies) {
  const Policy& best = *std::ranges::min_element(policies, {}, median_of);
  const Policy& first = policies.front();
  Answer answer{.sentence = fmt::format("{} is the fastest of {}: {}", name_of_policy(best), policies.size(),
                                        time_text(best.time_us))};
  if (&best != &first)
    answer.sentence +=
        fmt::format(", {:+.1f} % over {}", gain_of(first, best, 100).value, name_of_policy(first));
  std::vector<SharingRuleKind> rules;
  for (const Policy& one : policies)
    for (const SharingRuleKind rule : one.rules)
      if (std::ranges::find(rules, rule) == rules.end()) rules.push_back(rule);
  answer.notes = notes_of(parse_fabric(question.fabric_toml, question.fabric_file, question.replaced), rules,
                          question.simulation.seeds);
  answer.notes.push_back(
      fmt::format("Gains are of mean times; their intervals, of each seed over itself, 5 to 95 %. Verdicts: "
                  "two one-sided tests "
                  "over seeds within "
                  "{:g} %, at least {} seeds.",
                  100 * question.margin, core::fewest_runs));
  answer.notes.emplace_back(
      "Pareto: no other is as good in median, 95 %, queue pairs and switch capacity, and better in one.");
  answer.tables.push_back(policy_table(policies));
  answer.json = policies_json(answer, policies, question.margin);
  return answer;
}

}  // namespace assay::model::fabric
