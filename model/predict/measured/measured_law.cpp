// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/measured/measured_law.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <set>

namespace assay::model {
namespace {

constexpr double us = 1e-6;

/// "2 times the largest".
std::string distance(const fit::RankLaw& law, double members) {
  const auto least = static_cast<double>(law.ranks.front()), most = static_cast<double>(law.ranks.back());
  if (members > most) return fmt::format("{:.3g} times the largest", members / most);
  if (members < least) return fmt::format("{:.3g} times the least", members / least);
  return "between them";
}

}  // namespace

double MeasuredLaw::seconds(double bytes, double members) const {
  double least_us = std::numeric_limits<double>::infinity();
  for (const fit::RankLaw& law : algorithms_) least_us = std::min(least_us, law.time_us(members, bytes));
  return least_us * us;
}

std::shared_ptr<const MeasuredCollective> MeasuredLaw::among(double members) const {
  std::vector<MeasuredCollective::Algorithm> algorithms;
  for (const fit::RankLaw& law : algorithms_)
    algorithms.push_back(
        {law.segments(members), [law, members](double bytes) { return law.time_us(members, bytes); }});
  return std::make_shared<const MeasuredCollective>(origin_, std::move(algorithms));
}

std::string MeasuredLaw::text() const {
  std::set<std::string_view> shapes;
  std::set<std::int64_t> ranks;
  for (const fit::RankLaw& law : algorithms_) {
    shapes.insert(law.shape->name);
    ranks.insert(law.ranks.begin(), law.ranks.end());
  }
  return fit::with_tier(
      fmt::format("law over ranks ({}), measured {}", fmt::join(shapes, ", "), fmt::join(ranks, " ")),
      first().tier());
}

std::string MeasuredLaw::doubt(double members) const {
  std::vector<std::string> errors;
  for (const fit::RankLaw& law : algorithms_) {
    std::string of = fmt::format("{}{}{} is {}; {:.3g} % off ranks left out", law.algorithm,
                                 law.algorithm.empty() ? "" : " ", members, distance(law, members),
                                 law.held_out.mape_percent);
    if (const auto most = law.held_out_of.find(law.ranks.back()); most != law.held_out_of.end())
      of += fmt::format(", {:.3g} % off {} by the others", most->second.mape_percent, most->first);
    errors.push_back(of);
  }
  return fmt::format("{}: {}", text(), fmt::join(errors, "; "));
}

MeasuredLaw MeasuredLaw::moved(Part part, End end) const {
  MeasuredLaw there = *this;
  for (fit::RankLaw& law : there.algorithms_)
    for (fit::RankRegime& regime : law.regimes) {
      fit::Coefficient& of = regime.*part;
      if (const double value = end_of(of, end); value > 0 || part != &fit::RankRegime::bandwidth)
        of.value = value;
    }
  return there;
}

}  // namespace assay::model
