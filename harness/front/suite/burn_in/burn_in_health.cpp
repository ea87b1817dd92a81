// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/burn_in_health.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <ranges>
#include <utility>

#include "harness/front/health/finding_verdicts.hpp"

namespace assay::suite {
namespace {

using health::Finding;
using health::Status;

/// One for each check and unit: the most severe.
std::map<std::pair<std::string, std::string>, Finding> worst_of(const std::vector<Finding>& findings) {
  std::map<std::pair<std::string, std::string>, Finding> all;
  for (const Finding& finding : findings) {
    const auto [known, first] = all.try_emplace({finding.check, finding.unit}, finding);
    if (!first && finding.status > known->second.status) known->second = finding;
  }
  return all;
}

std::int64_t count(const std::vector<Finding>& findings, Status status) {
  return std::ranges::count_if(findings, [&](const Finding& one) { return one.status == status; });
}

/// "memory.host.copy bytes=64; memory.host.fill bytes=64; and 7 more".
std::string text_of(const std::vector<std::string>& points) {
  constexpr std::size_t named = 3;
  std::string text = fmt::format("{}", fmt::join(points | std::views::take(named), "; "));
  if (points.size() > named) text += fmt::format("; and {} more", points.size() - named);
  return text;
}

}  // namespace

std::vector<Finding> BurnInHealth::findings() const {
  try {
    return check_();
  } catch (const std::exception& error) {
    return {{.check = "burn_in.health",
             .unit = "",
             .status = Status::unknown,
             .evidence = error.what(),
             .meaning = "what cannot be read cannot be judged",
             .latches = true}};
  }
}

void BurnInHealth::look(const RoundPlace& place, const std::string& when) {
  const std::lock_guard lock(looking_);
  look_locked(place, when);
}

void BurnInHealth::look_if_due(const RoundPlace& place, const std::string& when) {
  const std::unique_lock lock(looking_, std::try_to_lock);
  if (lock.owns_lock() && log_.at_s() - last_s_ >= every_s_) look_locked(place, when);
}

void BurnInHealth::look_locked(const RoundPlace& place, const std::string& when) {
  const double since_s = began_s_, begins_s = log_.at_s();
  const PointsBefore before = points_before();
  std::vector<Finding> all = findings();
  if (all.empty()) return;
  if (!place.module.empty())  // assay's own modules compute now; other processes are seen around the rounds
    std::erase_if(all, [](const Finding& one) { return one.check == "gpu.processes"; });
  began_s_ = begins_s;
  last_s_ = log_.at_s();
  const std::vector<std::string> points = take_points(before);
  results::Fields window = BurnInLog::fields_of(place);
  window.insert(window.end(),
                {{"when", when}, {"look", looks_}, {"since_s", std::round(since_s * 1000) / 1000}});
  for (const auto& [where, finding] : worst_of(all)) {
    const auto [known, first] = known_.try_emplace(where, finding.status);
    if (!first && known->second == finding.status) continue;
    known->second = finding.status;
    results::Fields fields = health::fields_of(finding);
    fields.insert(fields.end(), window.begin(), window.end());
    if (!points.empty()) fields.emplace_back("ran", text_of(points));
    log_.note("finding", finding.unit, std::string(to_string(finding.status)), std::move(fields));
    if (finding.status >= Status::unknown) fresh_.push_back(finding);
  }
  window.insert(window.end(), {{"points", static_cast<std::int64_t>(points.size())},
                               {"looked", static_cast<std::int64_t>(all.size())},
                               {"failed", count(all, Status::failed)},
                               {"unknown", count(all, Status::unknown)},
                               {"noticed", count(all, Status::noticed)}});
  log_.note("check", "", std::string(health::verdict_word(all)), std::move(window));
}

void BurnInHealth::point_begins(const RoundPlace& place, const std::string& module,
                                const std::string& point) {
  results::Fields fields = BurnInLog::fields_of({place.round, place.kind, module});
  const std::lock_guard lock(points_guard_);
  flying_[module] = point;
  in_window_.push_back(point);
  log_.note("point", point, looks_, std::move(fields));
}

void BurnInHealth::module_ends(const std::string& module) {
  const std::lock_guard lock(points_guard_);
  flying_.erase(module);
}

BurnInHealth::PointsBefore BurnInHealth::points_before() {
  const std::lock_guard lock(points_guard_);
  PointsBefore before{.begun = in_window_.size()};
  for (const auto& [module, point] : flying_) before.flying.push_back(point);
  return before;
}

/// Takes the points of this window. Those that ran during this look may or may not have been seen by it: they
/// stay for the next.
std::vector<std::string> BurnInHealth::take_points(PointsBefore before) {
  const std::lock_guard lock(points_guard_);
  ++looks_;
  before.flying.insert(before.flying.end(), in_window_.begin() + static_cast<std::ptrdiff_t>(before.begun),
                       in_window_.end());
  return std::exchange(in_window_, std::move(before.flying));
}

std::vector<Finding> BurnInHealth::take_new() {
  const std::lock_guard lock(looking_);
  return std::exchange(fresh_, {});
}

}  // namespace assay::suite
