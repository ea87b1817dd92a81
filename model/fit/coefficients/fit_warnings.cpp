// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "model/fit/coefficients/coefficients_file.hpp"

namespace assay::model::fit {
namespace {

std::string interval(const Coefficient& coefficient) {
  if (coefficient.is_unbounded()) return "times do not grow with the size";
  return fmt::format("{:.4g}, 95 % interval {:.4g} to {:.4g}", coefficient.value, coefficient.lower,
                     coefficient.upper);
}

void add_of_segments(std::vector<std::string>& warnings, const std::string& name,
                     const std::vector<Segment>& segments) {
  for (const Segment& segment : segments)
    for (const Coefficient* coefficient : {&segment.latency, &segment.bandwidth})
      if (!coefficient->supported)
        warnings.push_back(fmt::format("{}: {} rows from {:.0f} to {:.0f} bytes do not determine {} ({})",
                                       name, segment.rows, segment.from_bytes, segment.to_bytes,
                                       coefficient->name, interval(*coefficient)));
}

/// The first few, and how many more there are: small curves have dozens, and the file marks each.
void add_first_of(std::vector<std::string>& warnings, const std::vector<std::string>& undetermined) {
  constexpr std::size_t shown = 5;
  const std::size_t first = std::min(undetermined.size(), shown);
  warnings.insert(warnings.end(), undetermined.begin(),
                  undetermined.begin() + static_cast<std::ptrdiff_t>(first));
  if (undetermined.size() > shown)
    warnings.push_back(fmt::format(
        "{} more coefficients are not determined by their rows ('supported' is false in the file)",
        undetermined.size() - shown));
}

void add_of_law(std::vector<std::string>& warnings, const RankLaw& law) {
  for (const RankRegime& regime : law.regimes)
    for (const Coefficient* coefficient : {&regime.step, &regime.bandwidth, &regime.call})
      if (!coefficient->supported)
        warnings.push_back(fmt::format(
            "{}: law over ranks ({}): {} rows from {:.0f} to {:.0f} bytes do not determine {} ({})",
            law.name(), law.shape->name, regime.rows, regime.from_bytes, regime.to_bytes, coefficient->name,
            interval(*coefficient)));
}

std::string worst_choice(const std::vector<Overtaken>& overtaken) {
  const Overtaken& worst = overtaken.front();
  return fmt::format(
      "the library chooses badly at {} of the sizes, where larger messages take less time: {}, {:.0f} bytes "
      "in {:.4g} "
      "us, {:.0f} bytes in {:.4g} us",
      overtaken.size(), worst.curve, worst.size_bytes, worst.time_us, worst.larger_bytes, worst.larger_us);
}

std::vector<std::string> left_out_lines(const std::vector<std::string>& left_out) {
  std::vector<std::string> lines;
  for (const std::string& line : left_out) lines.push_back("left out: " + line);
  return lines;
}

}  // namespace

std::vector<std::string> warnings_of(const GemmFits& fits) {
  std::vector<std::string> warnings = left_out_lines(fits.left_out);
  for (const auto& [group, fit] : fits.groups) {
    if (fit.shapes < fewest_shapes_of_surface)
      warnings.push_back(fmt::format(
          "{}: {} shapes allow a roofline alone, {:.3g} % off shapes held out; {} or more allow a surface",
          group, fit.shapes, fit.held_out.rows.whole().mape_percent, fewest_shapes_of_surface));
    for (const Coefficient& coefficient : fit.model.coefficients)
      if (!coefficient.supported)
        warnings.push_back(fmt::format("{}: the rows do not determine {} ({})", group, coefficient.name,
                                       interval(coefficient)));
  }
  return warnings;
}

std::vector<std::string> warnings_of(const CollectiveFit& fit) {
  std::vector<std::string> warnings = left_out_lines(fit.left_out), undetermined;
  for (const auto& [name, family] : fit.models.families)
    for (const auto& [dtype, curve] : family.curves)
      add_of_segments(undetermined, fmt::format("{},{}", name, dtype), curve.segments);
  for (const RankLaw& law : fit.rank_laws) add_of_law(undetermined, law);
  add_first_of(warnings, undetermined);
  if (!fit.overtaken.empty()) warnings.push_back(worst_choice(fit.overtaken));
  return warnings;
}

std::vector<std::string> warnings_of(const SizeFit& fit) {
  std::vector<std::string> warnings = left_out_lines(fit.left_out), undetermined;
  for (const auto& [name, segments] : fit.curves) add_of_segments(undetermined, name, segments);
  add_first_of(warnings, undetermined);
  return warnings;
}

std::vector<std::string> warnings_of(const LogGpFit& fit) {
  std::vector<std::string> warnings = left_out_lines(fit.left_out);
  for (const auto& [name, link] : fit.links) {
    for (const Coefficient& coefficient : link.coefficients)
      if (!coefficient.supported)
        warnings.push_back(fmt::format("{}: the rows do not determine {} ({})", name, coefficient.name,
                                       interval(coefficient)));
    if (std::isnan(link.overhead.value))
      warnings.push_back(
          fmt::format("{}: no record has the cost of posting: o is between 0 and {:.4g} us, L between {:.4g} "
                      "and {:.4g} us",
                      name, link.overhead.upper, link.latency.lower, link.latency.upper));
    else if (!link.overhead.supported || !link.latency.supported)
      warnings.push_back(fmt::format(
          "{}: the overheads do not determine o and L: o is between {:.4g} and {:.4g} us, L between {:.4g} "
          "and {:.4g} us",
          name, link.overhead.lower, link.overhead.upper, link.latency.lower, link.latency.upper));
  }
  return warnings;
}

std::vector<std::string> warnings_of(const std::map<std::string, Coefficient>& usages) {
  std::vector<std::string> none;
  for (const auto& [contest, usage] : usages)
    if (!usage.supported) none.push_back(contest);
  if (none.empty()) return {};
  constexpr std::size_t shown =
      3;  // of a sweep over thread blocks there are hundreds, and the file has them all
  const std::size_t more = none.size() - std::min(none.size(), shown);
  none.resize(none.size() - more);
  return {fmt::format("processor_usage cannot be distinguished from 0: {}{}", fmt::join(none, "; "),
                      more > 0 ? fmt::format("; and {} more of {}", more, usages.size()) : "")};
}

std::vector<std::string> warnings_of(const OverlapFit& fit) {
  std::vector<std::string> warnings;
  for (const auto& [contest, doubt] : fit.doubts) warnings.push_back(fmt::format("{}: {}", contest, doubt));
  return warnings;
}

}  // namespace assay::model::fit
