// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/fleet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/statistics/log_gamma.hpp"
#include "model/json/append_json.hpp"
#include "results/record/clock_watch.hpp"

namespace assay::model::reliability {
namespace {

using PartName = std::pair<std::string, std::string>;  // kind, serial

struct PartHistory {
  PartRecord record;
  std::vector<double> days;  // of failures, since 1970
};

void add_once(std::vector<std::string>& words, const std::string& word) {
  if (!word.empty() && std::ranges::count(words, word) == 0) words.push_back(word);
}

/// The node of a failure, and the part that failed if its serial number is known.
std::vector<PartName> names_of(const PartFailure& failure) {
  std::vector<PartName> names{{"node", failure.node}};
  if (!failure.serial.empty()) names.emplace_back(failure.kind, failure.serial);
  return names;
}

std::map<PartName, PartHistory> histories_of(const FleetHistory& fleet) {
  std::map<PartName, PartHistory> all;
  for (const PartStay& stay : fleet.stays) {
    if (stay.serial.empty()) continue;
    PartRecord& record = all[{stay.kind, stay.serial}].record;
    record.watched_days += stay.watched_days;
    add_once(record.nodes, stay.node);
  }
  for (const PartFailure& failure : fleet.failures)
    for (const PartName& name : names_of(failure)) {
      PartHistory& history = all[name];
      ++history.record.failures;
      add_once(history.record.nodes, failure.node);
      add_once(history.record.components, failure.component);
      if (const auto since_s = results::seconds_of(failure.since)) history.days.push_back(*since_s / 86400);
    }
  for (auto& [name, history] : all) std::tie(history.record.kind, history.record.serial) = name;
  return all;
}

/// P(X >= events) of `of` events that each fall on this part with probability `share`.
double binomial_at_least(std::int64_t events, std::int64_t of, double share) {
  if (events <= 0 || share >= 1) return 1;
  if (share <= 0) return 0;
  double sum = 0;
  for (std::int64_t k = events; k <= of; ++k) {
    const auto hits = static_cast<double>(k), all = static_cast<double>(of);
    sum += std::exp(core::log_gamma(all + 1) - core::log_gamma(hits + 1) - core::log_gamma(all - hits + 1) +
                    hits * std::log(share) + (all - hits) * std::log1p(-share));
  }
  return std::min(1.0, sum);
}

bool has_so_many(std::vector<double> days, const OffenderRule& rule) {
  std::ranges::sort(days);
  const auto apart = static_cast<std::size_t>(rule.failures - 1);
  for (std::size_t first = 0; first + apart < days.size(); ++first)
    if (days[first + apart] - days[first] <= rule.within_days) return true;
  return false;
}

/// As TOML writes a string; JSON's escapes are among TOML's.
std::string quoted(const std::string& text) {
  std::string json;
  append_json(json, text);
  return json;
}

struct KindSum {
  double watched_days = 0;
  std::int64_t failures = 0, parts = 0;
};

std::map<std::string, KindSum> sums_of(const std::map<PartName, PartHistory>& all) {
  std::map<std::string, KindSum> sums;
  for (const auto& [name, history] : all) {
    KindSum& sum = sums[name.first];
    sum.watched_days += history.record.watched_days;
    sum.failures += history.record.failures;
    ++sum.parts;
  }
  return sums;
}

}  // namespace

std::int64_t FleetHistory::nodes() const {
  std::set<std::string> names;
  for (const PartStay& stay : stays)
    if (stay.kind == "node") names.insert(stay.serial);
  return static_cast<std::int64_t>(names.size());
}

double FleetHistory::node_days() const {
  double days = 0;
  for (const PartStay& stay : stays) days += stay.kind == "node" ? stay.watched_days : 0;
  return days;
}

std::vector<PartRecord> offenders(const FleetHistory& fleet, const OffenderRule& rule) {
  const auto all = histories_of(fleet);
  const auto sums = sums_of(all);
  std::vector<PartRecord> records;
  for (const auto& [name, history] : all) {
    PartRecord record = history.record;
    if (record.failures == 0) continue;
    const KindSum& sum = sums.at(name.first);
    const double share = sum.watched_days > 0 ? record.watched_days / sum.watched_days : 1;
    record.by_chance = binomial_at_least(record.failures, sum.failures, share);
    record.repeats =
        record.failures > 1 && record.by_chance * static_cast<double>(sum.parts) < rule.by_chance;
    record.replace = record.kind != "node" && has_so_many(history.days, rule);
    records.push_back(std::move(record));
  }
  std::ranges::stable_sort(records, [](const PartRecord& one, const PartRecord& other) {
    return std::tuple(!one.replace, one.by_chance) < std::tuple(!other.replace, other.by_chance);
  });
  return records;
}

void fit_ages(FleetHistory& fleet) {
  constexpr double day_s = 86400;
  std::map<std::string, std::vector<double>> failures_s;  // by node
  for (const PartFailure& failure : fleet.failures)
    if (const auto at = results::seconds_of(failure.since); failure.counted && at)
      failures_s[failure.node].push_back(*at);
  std::vector<NodeLife> lives;
  for (const NodeWatch& watch : fleet.watches) {
    const auto since = results::seconds_of(watch.since), until = results::seconds_of(watch.until);
    if (!since || !until || *until <= *since) continue;
    NodeLife life{.days = (*until - *since) / day_s};
    for (const double at : failures_s[watch.node])
      if (at >= *since && at <= *until) life.failures_days.push_back((at - *since) / day_s);
    lives.push_back(std::move(life));
  }
  if (!lives.empty()) fleet.early_life = fit_early_life(lives);
}

std::string rates_toml(const FleetHistory& fleet, const std::string& name) {
  if (!(fleet.node_days() > 0))
    core::usage_error(fmt::format("{}: nothing was under watch for any time{}{}", fleet.source,
                                  fleet.notes.empty() ? "" : ": ", fmt::join(fleet.notes, "; ")));
  const auto nodes = static_cast<double>(fleet.nodes());
  std::map<std::string, std::int64_t> counts;
  for (const PartFailure& failure : fleet.failures) counts[failure.component] += failure.counted ? 1 : 0;
  std::string text = fmt::format(
      "name = {}\nsource = {}\nnodes = {}\ngpus_per_node = {}\n"
      "days = {:.9g} # mean time that a node was under watch\n",
      quoted(name), quoted("assay reliability, from " + fleet.source), fleet.nodes(), fleet.gpus_per_node,
      fleet.node_days() / nodes);
  for (const auto& [component, days] : fleet.seen) {
    if (!(days > 0)) continue;
    text += fmt::format("\n[[component]]\nname = \"{}\"\nfailures = {}\n", component, counts[component]);
    if (days < fleet.node_days() * (1 - 1e-9))
      text += fmt::format("days = {:.9g} # in which they would have been seen\n", days / nodes);
  }
  if (!fleet.early_life || !fleet.early_life->why_not.empty()) return text;
  const EarlyLife& life = fleet.early_life->life;
  return text + fmt::format(
                    "\n[early_life]\nsource = {}\nper_day = {:.9g} # what remains\nearly = {:.9g}\n"
                    "scale_days = {:.9g}\nshape = {:.9g}\n",
                    quoted(fmt::format("measured, {} failures of {} nodes by age", fleet.early_life->failures,
                                       fleet.early_life->nodes)),
                    life.per_day, life.early, life.scale_days, life.shape);
}

}  // namespace assay::model::reliability
