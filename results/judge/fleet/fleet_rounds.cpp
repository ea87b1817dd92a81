// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/fleet_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>

#include "harness/core/statistics/order_statistic.hpp"
#include "results/judge/fleet/fleet_judgement.hpp"
#include "results/judge/statistics/robust_statistics.hpp"

namespace assay::results {
namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();
/// A median of m values has this over m of the variance of one, where noise is normal.
constexpr double variance_of_median = M_PI / 2;
/// Robust deviations from the middle beyond which a unit is not a partner.
constexpr double partner_deviations = 3;

using Indices = std::vector<std::size_t>;

/// Worse below.
double oriented_log(const Fleet& fleet, std::size_t metric, std::size_t unit) {
  const double value = fleet.at(metric, unit);
  if (std::isnan(value)) return not_measured;
  if (!(value > 0) || std::isinf(value))
    throw std::invalid_argument(fmt::format("{} of {} is {}: expected a number above 0",
                                            fleet.metrics[metric].name, fleet.units[unit].name, value));
  return fleet.metrics[metric].larger_is_better ? std::log(value) : -std::log(value);
}

Deviations logarithms_of(const Fleet& fleet) {
  Deviations logarithms{.places = fleet.units.size()};
  for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric)
    for (std::size_t unit = 0; unit < fleet.units.size(); ++unit)
      logarithms.values.push_back(oriented_log(fleet, metric, unit));
  return logarithms;
}

/// One metric of one block, round after round.
class BlockRow {
 public:
  BlockRow(FleetRounds& rounds, std::size_t metric, const Indices& members)
      : rounds_(rounds),
        metric_(metric),
        members_(members),
        widened_at_(metric * rounds.blocks + rounds.block_of[members.front()]) {}

  void centre_all() {
    Indices partial;
    for (std::size_t round = 0; round < rounds_.rounds.size(); ++round) {
      const Indices measured = measured_in(round);
      if (2 * measured.size() >= members_.size())
        centre_on_all(round, measured);
      else if (!measured.empty())
        partial.push_back(round);
    }
    if (partial.empty()) return;
    find_partners();
    for (const std::size_t round : partial) centre_on_partners(round);
  }

 private:
  double& at(std::size_t round, std::size_t unit) { return rounds_.rounds[round].at(metric_, unit); }

  Indices measured_in(std::size_t round) {
    Indices measured;
    for (const std::size_t unit : members_)
      if (!std::isnan(at(round, unit))) measured.push_back(unit);
    return measured;
  }

  void centre_on_all(std::size_t round, const Indices& measured) {
    scratch_.clear();
    for (const std::size_t unit : measured) scratch_.push_back(at(round, unit));
    shift(round, measured, core::median_in_place(scratch_),
          variance_of_median / static_cast<double>(measured.size()));
    full_.push_back(round);
  }

  void shift(std::size_t round, const Indices& measured, double centre, double share) {
    for (const std::size_t unit : measured) at(round, unit) -= centre;
    rounds_.widened[round][widened_at_] = std::sqrt(1 + share);
  }

  /// The median of a unit over the rounds of the whole fleet.
  double standing(std::size_t unit) {
    scratch_.clear();
    for (const std::size_t round : full_)
      if (const double value = at(round, unit); !std::isnan(value)) scratch_.push_back(value);
    return core::median_in_place(scratch_);
  }

  /// Those that are not odd in what all were measured in. What is odd may be so by chance, and then comes
  /// closer to the others when it is measured again: it would move the centre.
  void find_partners() {
    std::vector<double> known;
    standing_.assign(rounds_.block_of.size(), not_measured);
    for (const std::size_t unit : members_) {
      standing_[unit] = standing(unit);
      if (!std::isnan(standing_[unit])) known.push_back(standing_[unit]);
    }
    const Core core = core_of(known);
    const double most = partner_deviations * core.deviation;
    for (const std::size_t unit : members_)
      if (!(std::abs(standing_[unit] - core.centre) <= most)) standing_[unit] = not_measured;
  }

  void centre_on_partners(std::size_t round) {
    const Indices measured = measured_in(round);
    std::vector<double> changes;
    for (const std::size_t unit : measured)
      if (!std::isnan(standing_[unit])) changes.push_back(at(round, unit) - standing_[unit]);
    const auto partners = static_cast<double>(changes.size());
    if (changes.size() < least_partners) {
      for (const std::size_t unit : measured) at(round, unit) = not_measured;
      return;
    }
    const double share = variance_of_median * (1 + 1 / static_cast<double>(full_.size())) / partners;
    shift(round, measured, core::median_in_place(changes), share);
  }

  FleetRounds& rounds_;
  std::size_t metric_;
  const Indices& members_;
  std::size_t widened_at_;
  Indices full_;
  std::vector<double> scratch_, standing_;
};

}  // namespace

std::vector<std::vector<std::size_t>> blocks_of(const Fleet& fleet) {
  std::map<std::string, Indices> by_name;
  for (std::size_t unit = 0; unit < fleet.units.size(); ++unit)
    by_name[fleet.units[unit].block].push_back(unit);
  std::vector<Indices> blocks;
  for (auto& [name, units] : by_name) blocks.push_back(std::move(units));
  return blocks;
}

FleetRounds rounds_of(const Fleet& first, std::span<const Fleet> again) {
  FleetRounds rounds;
  rounds.rounds.push_back(logarithms_of(first));
  for (const Fleet& fleet : again) rounds.rounds.push_back(logarithms_of(fleet));
  const std::vector<Indices> blocks = blocks_of(first);
  rounds.blocks = blocks.size();
  rounds.block_of.resize(first.units.size());
  for (std::size_t block = 0; block < blocks.size(); ++block)
    for (const std::size_t unit : blocks[block]) rounds.block_of[unit] = block;
  rounds.widened.assign(rounds.rounds.size(), std::vector<double>(first.metrics.size() * rounds.blocks, 1));
  for (std::size_t metric = 0; metric < first.metrics.size(); ++metric)
    for (const Indices& members : blocks) BlockRow(rounds, metric, members).centre_all();
  return rounds;
}

std::vector<std::string> leave_out_small_blocks(const Fleet& fleet, FleetRounds& rounds) {
  const auto level = static_cast<std::size_t>(std::ranges::find(fleet.levels, "host") - fleet.levels.begin());
  std::vector<std::string> lines;
  for (const Indices& units : blocks_of(fleet)) {
    std::set<std::string> hosts;  // each unit is one, where the fleet knows none
    for (const std::size_t unit : units)
      hosts.insert(level < fleet.levels.size() ? fleet.units[unit].places[level] : fleet.units[unit].name);
    if (hosts.size() >= least_equals) continue;
    const std::string& block = fleet.units[units.front()].block;
    lines.push_back(fmt::format("{}: {} units in {} hosts", block.empty() ? "of no known kind" : block,
                                units.size(), hosts.size()));
    for (Deviations& round : rounds.rounds)
      for (const std::size_t unit : units)
        for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric)
          round.at(metric, unit) = not_measured;
  }
  return lines;
}

}  // namespace assay::results
