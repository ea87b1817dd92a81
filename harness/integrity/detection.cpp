// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/integrity/detection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/integrity/digest.hpp"

namespace assay::integrity {

DetectionTable::DetectionTable(std::vector<std::string> detectors) : detectors_(std::move(detectors)) {}

void DetectionTable::add(const Fault& fault, const std::vector<bool>& caught) {
  assert(caught.size() == detectors_.size());
  const std::string name = fault.kind.name();
  auto row = std::ranges::find(rows_, name, &Row::fault);
  if (row == rows_.end())
    row = rows_.insert(rows_.end(), {name, 0, std::vector<std::int64_t>(detectors_.size())});
  ++row->planted;
  for (std::size_t detector = 0; detector < caught.size(); ++detector)
    row->caught[detector] += caught[detector] ? 1 : 0;
  if (!caught.front() && first_missed_.empty())
    first_missed_ = fmt::format("{} at element {}", name, fault.changes.front().address);
}

std::int64_t DetectionTable::planted() const {
  std::int64_t sum = 0;
  for (const Row& row : rows_) sum += row.planted;
  return sum;
}

std::int64_t DetectionTable::caught(std::size_t detector) const {
  std::int64_t sum = 0;
  for (const Row& row : rows_) sum += row.caught.at(detector);
  return sum;
}

core::Verification DetectionTable::verification() const {
  using enum core::Verification::Result;
  const std::int64_t all = planted(), found = caught(0);
  if (all == 0) return {not_checked, "no fault was planted", {}};
  if (found < all)
    return {wrong,
            fmt::format("{} of {} planted faults were not found by {}: first {}", all - found, all,
                        detectors_.front(), first_missed_),
            {}};
  std::vector<std::string> others;
  for (std::size_t detector = 1; detector < detectors_.size(); ++detector)
    others.push_back(fmt::format("{} found {}", detectors_[detector], caught(detector)));
  return {right,
          fmt::format("all {} planted faults were found by {}{}{}", all, detectors_.front(),
                      others.empty() ? "" : "; ", fmt::join(others, ", ")),
          {}};
}

std::vector<core::Metric> DetectionTable::metrics() const {
  const auto all = static_cast<double>(planted());
  std::vector<core::Metric> metrics{{.name = "planted_faults", .unit = "", .value = all}};
  for (std::size_t detector = 0; all > 0 && detector < detectors_.size(); ++detector)
    metrics.push_back({.name = fmt::format("caught_by_{}_percent", detectors_[detector]),
                       .unit = "%",
                       .value = 100.0 * static_cast<double>(caught(detector)) / all});
  return metrics;
}

std::string DetectionTable::to_json() const {
  std::vector<std::string> faults;
  for (const Row& row : rows_)
    faults.push_back(fmt::format("[\"{}\",{},{}]", row.fault, row.planted, fmt::join(row.caught, ",")));
  return fmt::format("{{\"detectors\":[\"{}\"],\"faults\":[{}]}}", fmt::join(detectors_, "\",\""),
                     fmt::join(faults, ","));
}

std::vector<core::Axis> study_axes() {
  return {{.name = "faults",
           .meaning = "planted of each kind in an iteration, 1 to 1000",
           .values = {std::int64_t{4}}},
          {.name = "seed", .meaning = "of what is planted where", .values = {std::int64_t{1}}}};
}

StudyPlan study_plan(const core::Point& point) {
  const std::int64_t each = point.integer("faults");
  if (each < 1 || each > 1000) core::usage_error(fmt::format("faults={}: expected 1 to 1000", each));
  return {.seed = static_cast<std::uint64_t>(point.integer("seed")), .each = static_cast<int>(each)};
}

void study(const StudyPlan& plan, const Elements& right,
           const std::function<std::vector<bool>(const Fault&)>& probe, DetectionTable& table) {
  std::uint64_t drawn = 0;
  for (const FaultKind& kind : fault_kinds(right.width, plan.has_nan))
    for (int repeat = 0; repeat < plan.each; ++repeat) {
      const Fault fault = draw(kind, right, plan.nan_bits, position_hash(plan.seed, drawn++));
      if (!fault.changes.empty()) table.add(fault, probe(fault));
    }
}

}  // namespace assay::integrity
