// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/overlap/pass_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/measure/median_metric.hpp"
#include "harness/core/names.hpp"

namespace assay::collectives {
namespace {

constexpr std::array parts_of_a_pass{
    &PassTimes::compute_only,   &PassTimes::communication_only,   &PassTimes::together,
    &PassTimes::compute_beside, &PassTimes::communication_beside, &PassTimes::ideal};

double could_hide_s(const PassTimes& one) { return one.compute_only + one.communication_only - one.ideal; }

/// Below this share of both, what could be hidden is within the noise of what is subtracted.
constexpr double least_hidden_share = 0.01;

/// Passes that could hide something, if most could: a slow one alone does not decide.
std::vector<PassTimes> that_could_overlap(std::vector<PassTimes> times) {
  const std::size_t all = times.size();
  std::erase_if(times, [](const PassTimes& one) {
    return could_hide_s(one) <= least_hidden_share * (one.compute_only + one.communication_only);
  });
  if (2 * times.size() <= all) times.clear();
  return times;
}

}  // namespace

double total_s(std::span<const double> seconds) {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

PassTimes time_parts(const PassPlan& plan, const std::function<void()>& barrier, const PassParts& parts) {
  PassTimes times;
  barrier();
  times.compute_only = parts.compute();
  barrier();
  const std::vector<double> exchange_s = parts.exchange();
  times.communication_only = total_s(exchange_s);
  times.ideal = ideal_s(plan, times.compute_only / plan.layers, exchange_s);
  barrier();
  parts.together(times);
  return times;
}

PassTimes slowest_of(const PassTimes& one, const PassTimes& other) {
  PassTimes slowest;
  for (const auto part : parts_of_a_pass) slowest.*part = std::max(one.*part, other.*part);
  return slowest;
}

std::string to_text(const std::vector<PassTimes>& times) {
  std::string text;
  for (const PassTimes& one : times) {
    for (const auto part : parts_of_a_pass) fmt::format_to(std::back_inserter(text), "{:.9e} ", one.*part);
    text.back() = '\n';
  }
  return text;
}

std::vector<PassTimes> pass_times_from(const std::string& text) {
  std::vector<PassTimes> times;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    PassTimes& one = times.emplace_back();
    for (const auto part : parts_of_a_pass) words >> one.*part;
    if (!words) throw core::Error(core::ErrorKind::team, fmt::format("'{}': expected times of a pass", line));
  }
  return times;
}

std::vector<core::Metric> metrics_of(const PassPlan& plan, const std::vector<PassTimes>& times) {
  if (times.empty()) return {};
  const auto us = [&](const char* name, double PassTimes::* part) {
    return core::median_metric(times, name, "us", [part](const PassTimes& one) { return 1e6 * one.*part; });
  };
  const auto share = [&](const char* name, const auto& figure) {
    return core::median_metric(times, name, "", figure);
  };
  using Times = const PassTimes&;
  std::vector<core::Metric> metrics{
      us(core::names::compute_only_us, &PassTimes::compute_only),
      us(core::names::communication_only_us, &PassTimes::communication_only),
      us("compute_beside_us", &PassTimes::compute_beside),
      us("communication_beside_us", &PassTimes::communication_beside),
      us(core::names::ideal_us, &PassTimes::ideal),
      core::median_metric(times, "exposed_us", "us",
                          [](Times one) { return 1e6 * (one.together - one.compute_only); }),
      share("exposed_share",
            [](Times one) { return (one.together - one.compute_only) / one.communication_only; }),
      share("compute_slowdown", [](Times one) { return one.compute_beside / one.compute_only; }),
      share("communication_slowdown",
            [](Times one) { return one.communication_beside / one.communication_only; })};
  if (!plan.hides()) return metrics;
  if (const auto could = that_could_overlap(times); !could.empty())
    metrics.push_back(core::median_metric(could, core::names::overlap_efficiency, "", [](Times one) {
      return (one.compute_only + one.communication_only - one.together) / could_hide_s(one);
    }));
  return metrics;
}

}  // namespace assay::collectives
