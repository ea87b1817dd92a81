// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/laws/rank_regimes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace assay::model::fit {
namespace {

using LawRows = std::vector<CollectiveRow>;

constexpr std::size_t most_cuts_tried = 12;  // evenly over the sizes: neighbours differ little

/// The fitting problem of a regime's rows; the regime outlives it.
RelativeProblem rank_problem(const FittedRegime& regime, const RankShape& shape) {
  const LawRows& rows = regime.rows;
  RelativeProblem problem;
  problem.time_us = [&rows, &shape, least_us = regime.least_step_us](std::size_t i,
                                                                     std::span<const double> coefficients) {
    const auto ranks = static_cast<double>(rows[i].ranks);
    return (least_us + coefficients[0]) * shape.steps(ranks) +
           rows[i].size_bytes * shape.volume(ranks) * 1e-3 / coefficients[1] +
           (coefficients.size() > 2 ? coefficients[2] : 0);
  };
  for (const CollectiveRow& row : rows) {
    problem.measured_us.push_back(row.time_us);
    problem.cluster.push_back(problem.cluster.size());
  }
  return problem;
}

/// The fastest message seen, and the fastest link; of a call, half of what the least ranks take.
std::vector<double> start_of_law(const LawRows& rows, const RankForm& form) {
  double step_us = INFINITY, gb_per_s = 0, call_us = INFINITY;
  for (const CollectiveRow& row : rows) {
    const auto ranks = static_cast<double>(row.ranks);
    step_us = std::min(step_us, row.time_us / form.shape->steps(ranks));
    gb_per_s = std::max(gb_per_s, row.size_bytes * form.shape->volume(ranks) / row.time_us * 1e-3);
    call_us = std::min(call_us, row.time_us / 2);
  }
  if (form.per_call) return {step_us / 2, gb_per_s, call_us};
  return {step_us, gb_per_s};
}

FittedRegime fit_regime(LawRows rows, const RankForm& form, double least_step_us) {
  FittedRegime fitted{.rows = std::move(rows), .least_step_us = least_step_us, .coefficients = {}};
  const RelativeProblem problem = rank_problem(fitted, *form.shape);
  fitted.coefficients = fit_relative(problem, start_of_law(fitted.rows, form));
  for (std::size_t i = 0; i < fitted.rows.size(); ++i)
    fitted.loss += std::abs(std::log(problem.time_us(i, fitted.coefficients) / problem.measured_us[i]));
  return fitted;
}

double step_us(const FittedRegime& regime) { return regime.least_step_us + regime.coefficients[0]; }

/// The first sizes of the later part, each leaving enough sizes on both sides.
std::vector<double> cuts_of(const LawRows& rows) {
  std::vector<double> sizes;
  for (const CollectiveRow& row : rows)
    if (sizes.empty() || sizes.back() != row.size_bytes) sizes.push_back(row.size_bytes);
  std::vector<double> cuts;
  if (sizes.size() < 2 * fewest_sizes_of_segment) return cuts;
  const std::size_t places = sizes.size() - 2 * fewest_sizes_of_segment + 1;
  const std::size_t stride = (places + most_cuts_tried - 1) / most_cuts_tried;
  for (std::size_t i = 0; i < places; i += stride) cuts.push_back(sizes[i + fewest_sizes_of_segment]);
  return cuts;
}

bool has_ranks_enough(const LawRows& rows, std::size_t fewest) {
  std::vector<std::int64_t> ranks;
  for (const CollectiveRow& row : rows)
    if (std::ranges::find(ranks, row.ranks) == ranks.end()) ranks.push_back(row.ranks);
  return ranks.size() >= fewest;
}

/// The best two parts of a regime; empty where it cannot be split.
std::vector<FittedRegime> split(const FittedRegime& whole, const RankForm& form) {
  std::vector<FittedRegime> best;
  double least = INFINITY;
  const std::size_t parameters = form.per_call ? 2 : 1;  // of the ranks alone
  for (const double cut : cuts_of(whole.rows)) {
    const auto at = std::ranges::lower_bound(whole.rows, cut, {}, &CollectiveRow::size_bytes);
    LawRows low(whole.rows.begin(), at), high(at, whole.rows.end());
    if (!has_ranks_enough(low, parameters) || !has_ranks_enough(high, parameters)) continue;
    FittedRegime below = fit_regime(std::move(low), form, whole.least_step_us);
    FittedRegime above = fit_regime(std::move(high), form, step_us(below));
    if (below.loss + above.loss >= least) continue;
    least = below.loss + above.loss;
    best = {std::move(below), std::move(above)};
  }
  return best;
}

RankRegime regime_of(const FittedRegime& fitted) {
  const std::vector<double>& of = fitted.coefficients;
  const auto exactly = [](const char* name, double value) { return Coefficient{name, value, value, value}; };
  return {.from_bytes = fitted.rows.front().size_bytes,
          .to_bytes = fitted.rows.back().size_bytes,
          .rows = fitted.rows.size(),
          .step = exactly("alpha_us", step_us(fitted)),
          .bandwidth = exactly("gb_per_s", of[1]),
          .call = exactly("gamma_us", of.size() > 2 ? of[2] : 0)};
}

/// `more` is what a step takes above one of the regime below.
Coefficient above(const Coefficient& below, const Coefficient& more) {
  Coefficient sum{more.name, below.value + more.value, below.lower + more.lower, below.upper + more.upper};
  sum.supported = below.supported && sum.upper < 2 * sum.lower;
  return sum;
}

}  // namespace

std::vector<FittedRegime> fit_regimes(LawRows rows, const RankForm& form) {
  std::ranges::sort(rows, {}, &CollectiveRow::size_bytes);
  std::vector<FittedRegime> regimes;
  regimes.push_back(fit_regime(std::move(rows), form, 0));
  while (regimes.size() < form.regimes) {
    std::size_t where = 0;
    double saved = 0;
    std::vector<FittedRegime> parts;
    for (std::size_t i = 0; i < regimes.size(); ++i) {
      std::vector<FittedRegime> of = split(regimes[i], form);
      if (of.empty() || regimes[i].loss - of[0].loss - of[1].loss <= saved) continue;
      saved = regimes[i].loss - of[0].loss - of[1].loss;
      where = i, parts = std::move(of);
    }
    if (parts.empty()) break;
    regimes[where] = std::move(parts[0]);
    regimes.insert(regimes.begin() + static_cast<std::ptrdiff_t>(where) + 1, std::move(parts[1]));
    for (std::size_t i = where + 2; i < regimes.size(); ++i)  // the floor of those above has moved
      regimes[i] = fit_regime(std::move(regimes[i].rows), form, step_us(regimes[i - 1]));
  }
  return regimes;
}

RankLaw law_of(const std::vector<FittedRegime>& regimes, const RankForm& form) {
  RankLaw law;
  law.shape = form.shape;
  for (const FittedRegime& fitted : regimes) law.regimes.push_back(regime_of(fitted));
  return law;
}

void add_rank_intervals(RankLaw& law, const std::vector<FittedRegime>& regimes, const RankForm& form,
                        std::uint64_t seed) {
  std::vector<std::string> names{"alpha_us", "gb_per_s"};
  if (form.per_call) names.emplace_back("gamma_us");
  for (std::size_t i = 0; i < regimes.size(); ++i) {
    const std::vector<Coefficient> of =
        with_intervals(rank_problem(regimes[i], *form.shape), regimes[i].coefficients, names, seed);
    RankRegime& regime = law.regimes[i];
    regime.step = i == 0 ? of[0] : above(law.regimes[i - 1].step, of[0]);
    regime.bandwidth = of[1];
    if (form.per_call) regime.call = of[2];
  }
}

}  // namespace assay::model::fit
