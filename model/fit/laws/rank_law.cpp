// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/rank_law.hpp"

#include <fmt/format.h>

#include <map>

#include "model/fit/laws/rank_regimes.hpp"

namespace assay::model::fit {
namespace {

using LawRows = std::vector<CollectiveRow>;

constexpr std::size_t most_regimes = 3;  // NCCL has three protocols

constexpr double worth_a_regime = 0.9;  // of the error with fewer

/// The number of nodes for each number of ranks, of rows that have one for each.
std::map<std::int64_t, std::int64_t> nodes_by_ranks(const LawRows& rows) {
  std::map<std::int64_t, std::int64_t> nodes;
  for (const CollectiveRow& row : rows) nodes[row.ranks] = row.nodes;
  return nodes;
}

std::vector<std::int64_t> ranks_of(const LawRows& rows) {
  std::vector<std::int64_t> ranks;
  for (const auto& [number, nodes] : nodes_by_ranks(rows)) ranks.push_back(number);
  return ranks;
}

struct LeftOut {
  Errors all;
  std::map<std::int64_t, Errors> of;
};

/// Each number of ranks by a law of the others; a single other number does not separate gamma from alpha.
LeftOut leave_each_out(const LawRows& rows, const std::vector<std::int64_t>& ranks, const RankForm& form) {
  LeftOut left_out;
  for (const std::int64_t apart : ranks) {
    LawRows kept, asked;
    for (const CollectiveRow& row : rows) (row.ranks == apart ? asked : kept).push_back(row);
    const RankLaw law = law_of(fit_regimes(std::move(kept), form), form);
    for (const CollectiveRow& row : asked) {
      const double predicted_us = law.time_us(static_cast<double>(apart), row.size_bytes);
      left_out.all.add(row.size_bytes, predicted_us, row.time_us);
      left_out.of[apart].add(row.size_bytes, predicted_us, row.time_us);
    }
  }
  return left_out;
}

std::vector<RankForm> forms_of(const std::string& operation, std::size_t numbers) {
  std::vector<RankForm> forms;
  for (std::size_t regimes = 1; regimes <= most_regimes; ++regimes)
    for (const RankShape& shape : rank_shapes(operation))
      for (const bool per_call : {false, true})
        if (!per_call || (numbers >= fewest_ranks_with_call && !shape.steps_are_constant()))
          forms.push_back({&shape, per_call, regimes});
  return forms;
}

RankLaw best_law(const LawRows& rows, const std::vector<std::int64_t>& ranks, std::uint64_t seed) {
  RankForm best;
  LeftOut least;
  for (const RankForm& form : forms_of(rows.front().operation, ranks.size())) {
    LeftOut of = leave_each_out(rows, ranks, form);
    const double margin = form.regimes > best.regimes ? worth_a_regime : 1;
    if (best.shape != nullptr && of.all.whole().mape_percent >= margin * least.all.whole().mape_percent)
      continue;
    best = form, least = std::move(of);
  }
  const std::vector<FittedRegime> regimes = fit_regimes(rows, best);
  RankLaw law = law_of(regimes, best);
  add_rank_intervals(law, regimes, best, seed);
  const CollectiveRow& any = rows.front();
  law.system = any.system, law.operation = any.operation, law.algorithm = any.algorithm;
  law.dtype = any.dtype, law.ranks = ranks, law.held_out = least.all.whole();
  for (const auto& [number, nodes] : nodes_by_ranks(rows)) law.nodes.push_back(nodes);
  for (const auto& [number, errors] : least.of) law.held_out_of[number] = errors.whole();
  return law;
}

Coefficient bounded(std::string name, double value, double lower, double upper) {
  return {std::move(name), value, lower, upper, upper < 2 * lower};
}

}  // namespace

std::string RankLaw::name() const {
  return with_tier(fmt::format("{},{},{},{}", system, operation, algorithm, dtype), tier());
}

double RankLaw::time_us(double of_ranks, double size_bytes) const {
  const double steps = shape->steps(of_ranks), us_per_gb_per_s = shape->volume(of_ranks) * 1e-3;
  return time_over_pieces(std::span<const RankRegime>(regimes), size_bytes,
                          [&](const RankRegime& regime, double bytes) {
                            return steps * regime.step.value + regime.call.value +
                                   bytes * us_per_gb_per_s / regime.bandwidth.value;
                          });
}

std::vector<Segment> RankLaw::segments(double of_ranks) const {
  const double steps = shape->steps(of_ranks), volume = shape->volume(of_ranks);
  std::vector<Segment> found;
  for (const RankRegime& regime : regimes) {
    const auto latency_us = [&](double Coefficient::* of) {
      return steps * regime.step.*of + regime.call.*of;
    };
    const Coefficient& link = regime.bandwidth;
    Segment& segment = found.emplace_back();
    segment.from_bytes = regime.from_bytes, segment.to_bytes = regime.to_bytes;
    segment.rows = regime.rows;
    segment.latency = bounded("latency_us", latency_us(&Coefficient::value), latency_us(&Coefficient::lower),
                              latency_us(&Coefficient::upper));
    segment.bandwidth = {"gb_per_s", link.value / volume, link.lower / volume, link.upper / volume,
                         link.supported};
    segment.latency_us = segment.latency.value;
    segment.us_per_byte = 1e-3 / segment.bandwidth.value;
  }
  return found;
}

std::vector<RankLaw> fit_rank_laws(const std::vector<CollectiveRow>& rows, std::uint64_t seed) {
  std::map<std::string, LawRows> groups;
  for (const CollectiveRow& row : rows)
    groups[fmt::format("{},{},{},{}", row.tiered_system(), row.operation, row.algorithm, row.dtype)]
        .push_back(row);
  std::vector<RankLaw> laws;
  for (auto& [name, all] : groups) {
    const LawRows members = on_most_nodes(std::move(all));
    const std::vector<std::int64_t> ranks = ranks_of(members);
    if (ranks.size() >= fewest_ranks_of_law && !rank_shapes(members.front().operation).empty())
      laws.push_back(best_law(members, ranks, seed));
  }
  return laws;
}

}  // namespace assay::model::fit
