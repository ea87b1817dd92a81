// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The capacity and bandwidth of second memory that are enough.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/explain/explanation.hpp"

namespace assay::model {
namespace {

using Kind = results::Column::Kind;

constexpr double enough = 0.99;  // of the rate without limits
/// So large and fast (GiB, GB/s) that no step is held up by it.
constexpr double unlimited = 1e6;

struct Offer {
  std::int64_t capacity_gib;
  double bandwidth_gb_per_s;
};

std::vector<Offer> offers(const std::vector<std::int64_t>& capacities_gib,
                          const std::vector<double>& bandwidths_gb_per_s) {
  std::vector<Offer> all;
  for (const std::int64_t capacity : capacities_gib)
    for (const double bandwidth : bandwidths_gb_per_s) all.push_back({capacity, bandwidth});
  return all;
}

bool less_of_both(const Offer& left, const Offer& right) {
  return left.capacity_gib <= right.capacity_gib && left.bandwidth_gb_per_s <= right.bandwidth_gb_per_s &&
         (left.capacity_gib < right.capacity_gib || left.bandwidth_gb_per_s < right.bandwidth_gb_per_s);
}

/// The sufficient offers that have no smaller sufficient one.
std::vector<Offer> smallest(const std::vector<Offer>& sufficient) {
  std::vector<Offer> kept;
  std::ranges::copy_if(sufficient, std::back_inserter(kept), [&](const Offer& offer) {
    return std::ranges::none_of(sufficient, [&](const Offer& other) { return less_of_both(other, offer); });
  });
  return kept;
}

/// An offer and the best rate found with it.
struct Rated {
  Offer offer;
  double sample_rate;
};

/// "25 GB/s up to 91.4 %, 50 GB/s up to 95.6 %": the best capacity of each bandwidth.
std::string by_bandwidth(const std::vector<Rated>& all, double limitless) {
  std::map<double, double> best;
  for (const Rated& rated : all) {
    double& rate = best[rated.offer.bandwidth_gb_per_s];
    rate = std::max(rate, rated.sample_rate);
  }
  std::string text;
  for (const auto& [bandwidth, rate] : best)
    text += fmt::format(", {:g} GB/s up to {:.1f} %", bandwidth, 100 * rate / limitless);
  return text;
}

std::string smallest_enough(const std::vector<Rated>& all, double limitless) {
  std::vector<Offer> sufficient;
  for (const Rated& rated : all)
    if (rated.sample_rate >= enough * limitless) sufficient.push_back(rated.offer);
  std::string text;
  for (const Offer& offer : smallest(sufficient))
    text += fmt::format("{}{} GiB at {:g} GB/s", text.empty() ? "" : " or ", offer.capacity_gib,
                        offer.bandwidth_gb_per_s);
  return text.empty() ? "none of these is within 1 %" : "the smallest within 1 %: " + text;
}

std::string sentence(double without, const std::vector<Rated>& all, double limitless) {
  return fmt::format("Of the {:.2f} samples/s with a second memory without limits, {}{}; {}.", limitless,
                     without > 0 ? fmt::format("{:.1f} % are there without one", 100 * without / limitless)
                                 : std::string("none are there without one"),
                     by_bandwidth(all, limitless),
                     without >= enough * limitless ? "none is needed" : smallest_enough(all, limitless));
}

}  // namespace

Explanation explain_offload(const Subject& subject, std::int64_t processors,
                            const std::vector<std::int64_t>& capacities_gib,
                            const std::vector<double>& bandwidths_gb_per_s) {
  const auto question = [&](double gib, double gb_per_s) {
    return subject.question(processors, {{"mem2.GiB", gib}, {"mem2.GBps", gb_per_s}});
  };
  const std::vector<Offer> offered = offers(capacities_gib, bandwidths_gb_per_s);
  std::vector<Trial> trials = {{{"none", "-"}, question(0, 1)}};
  for (const Offer& offer : offered)
    trials.push_back({{fmt::format("{}", offer.capacity_gib), fmt::format("{:g}", offer.bandwidth_gb_per_s)},
                      question(static_cast<double>(offer.capacity_gib), offer.bandwidth_gb_per_s)});
  trials.push_back({{"no limit", "no limit"}, question(unlimited, unlimited)});
  const std::vector<Finding> findings = find_best(trials, subject.threads);
  const double limitless = findings.back().sample_rate();
  std::vector<Rated> rated;
  for (std::size_t i = 0; i < offered.size(); ++i)
    rated.push_back({offered[i], findings[i + 1].sample_rate()});
  Explanation explanation{
      .answer = {},
      .tables = {table_of("Second memory",
                          {{"capacity", "GiB", Kind::word}, {"bandwidth", "GB/s", Kind::word}}, findings)},
      .holds = limitless > 0,
      .warnings = warnings_of(findings)};
  explanation.answer =
      limitless > 0
          ? sentence(findings.front().sample_rate(), rated, limitless)
          : fmt::format("It does not fit on {} processors, whatever the second memory.", processors);
  return explanation;
}

}  // namespace assay::model
