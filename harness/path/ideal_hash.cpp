// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/path/ideal_hash.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/core/error.hpp"
#include "harness/core/statistics/log_gamma.hpp"

namespace assay::path {

namespace {

constexpr double unlikely = 0.05;
// Ratios of equal integers may differ in the last bit between an observed spread and a drawn one.
constexpr double rounding = 1e-9;

void check(std::int64_t flows, int uplinks, int rounds) {
  constexpr int most_uplinks = 1 << 20;
  if (flows < 1 || uplinks < 1 || uplinks > most_uplinks || rounds < 1)
    core::usage_error(
        fmt::format("an ideal hash needs 1 flow, 1 to {} uplinks and 1 round at least; got {} flows, {} "
                    "uplinks, {} rounds",
                    most_uplinks, flows, uplinks, rounds));
}

double quantile(const std::vector<double>& sorted, double q) {
  if (!(q > 0 && q <= 1)) core::usage_error(fmt::format("a quantile lies in (0, 1], got {}", q));
  const double rank = std::ceil(q * static_cast<double>(sorted.size()) - rounding);
  return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

using Series = std::vector<double>;

/// The product of two power series, without powers above `highest`.
Series multiplied(const Series& left, const Series& right, std::size_t highest) {
  Series product(std::min(left.size() + right.size() - 1, highest + 1), 0.0);
  for (std::size_t one = 0; one < left.size(); ++one)
    for (std::size_t other = 0; other < right.size() && one + other < product.size(); ++other)
      product[one + other] += left[one] * right[other];
  return product;
}

Series power(Series base, int exponent, std::size_t highest) {
  Series result = {1.0};
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) result = multiplied(result, base, highest);
    if (exponent > 1) base = multiplied(base, base, highest);
  }
  return result;
}

double log_poisson(std::int64_t count, double mean) {
  return static_cast<double>(count) * std::log(mean) - mean - core::log_gamma(static_cast<double>(count) + 1);
}

/// Probability that none of the uplinks has more than `most` flows.
double share_up_to(std::int64_t most, std::int64_t flows, int uplinks) {
  const double mean = static_cast<double>(flows) / uplinks;
  Series one;
  for (std::int64_t count = 0; count <= most; ++count) one.push_back(std::exp(log_poisson(count, mean)));
  const Series all = power(std::move(one), uplinks, static_cast<std::size_t>(flows));
  if (all.size() <= static_cast<std::size_t>(flows)) return 0;
  return all.back() / std::exp(log_poisson(flows, static_cast<double>(flows)));
}

}  // namespace

IdealHash IdealHash::simulate(std::int64_t flows, int uplinks, int rounds, std::uint64_t seed) {
  check(flows, uplinks, rounds);
  IdealHash ideal;
  ideal.flows_ = flows;
  ideal.uplinks_ = uplinks;
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(uplinks));
  for (int round = 0; round < rounds; ++round) {
    std::fill(counts.begin(), counts.end(), 0);
    for (std::int64_t flow = 0; flow < flows; ++flow)
      ++counts[static_cast<std::size_t>(draw_uplink(random, uplinks))];
    const Spread spread = spread_of(std::span<const std::int64_t>(counts));
    ideal.max_over_mean_.push_back(spread.max_over_mean);
    ideal.jain_index_.push_back(spread.jain_index);
  }
  std::sort(ideal.max_over_mean_.begin(), ideal.max_over_mean_.end());
  std::sort(ideal.jain_index_.begin(), ideal.jain_index_.end());
  return ideal;
}

double IdealHash::mean_max_over_mean() const {
  return std::accumulate(max_over_mean_.begin(), max_over_mean_.end(), 0.0) / rounds();
}

double IdealHash::max_over_mean(double q) const { return quantile(max_over_mean_, q); }
double IdealHash::jain_index(double q) const { return quantile(jain_index_, q); }

double IdealHash::share_at_least(double max_over_mean) const {
  const auto first = std::lower_bound(max_over_mean_.begin(), max_over_mean_.end(), max_over_mean - rounding);
  return static_cast<double>(max_over_mean_.end() - first) / rounds();
}

double IdealHash::share_at_most(double max_over_mean) const {
  const auto end = std::upper_bound(max_over_mean_.begin(), max_over_mean_.end(), max_over_mean + rounding);
  return static_cast<double>(end - max_over_mean_.begin()) / rounds();
}

double exact_mean_max_over_mean(std::int64_t flows, int uplinks) {
  check(flows, uplinks, 1);
  // E[max] is the sum over t of P(max > t).
  const std::int64_t least = (flows + uplinks - 1) / uplinks;
  double expected = static_cast<double>(least);
  for (std::int64_t most = least; most < flows; ++most) {
    const double above = 1 - share_up_to(most, flows, uplinks);
    if (above < 1e-12) break;
    expected += above;
  }
  return expected * uplinks / static_cast<double>(flows);
}

SpreadJudgement judge(double max_over_mean, const IdealHash& ideal) {
  SpreadJudgement judgement;
  judgement.share_as_bad = ideal.share_at_least(max_over_mean);
  judgement.share_as_good = ideal.share_at_most(max_over_mean);
  const std::string against =
      fmt::format("max over mean {:.2f}; ideal hashes: median {:.2f}, 95 % up to {:.2f}", max_over_mean,
                  ideal.max_over_mean(0.5), ideal.max_over_mean(0.95));
  if (judgement.share_as_bad < unlikely) {
    judgement.verdict = SpreadVerdict::worse;
    judgement.reason = "worse than 95 % of ideal hashes: hash fault or polarisation (" + against + ")";
  } else if (judgement.share_as_good < unlikely) {
    judgement.verdict = SpreadVerdict::better;
    judgement.reason =
        "better than 95 % of ideal hashes: spraying, adaptive routing or chosen labels (" + against + ")";
  } else {
    judgement.reason = "within what ideal hashes give (" + against + ")";
  }
  return judgement;
}

}  // namespace assay::path
