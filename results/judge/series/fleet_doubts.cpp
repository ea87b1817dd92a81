// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/fleet_doubts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/core/units.hpp"
#include "results/points/point_doubts.hpp"

namespace assay::results {
namespace {

std::size_t cell_of(const Fleet& fleet, const FleetValue& value) {
  return value.metric * fleet.units.size() + value.unit;
}

std::vector<bool> cells_of(const Fleet& fleet, const FleetRunValues& runs) {
  std::vector<bool> cells(fleet.units.size() * fleet.metrics.size(), false);
  for (const auto& run : runs)
    for (const FleetValue& value : run) cells[cell_of(fleet, value)] = true;
  return cells;
}

/// The units of each unit's host.
class Neighbours {
 public:
  explicit Neighbours(const Fleet& fleet) {
    for (std::size_t unit = 0; unit < fleet.units.size(); ++unit)
      by_host_[fleet.units[unit].places.front()].push_back(unit);
    for (const FleetUnit& unit : fleet.units) of_unit_.push_back(&by_host_.at(unit.places.front()));
  }
  const std::vector<std::size_t>& of(std::size_t unit) const { return *of_unit_[unit]; }

 private:
  std::map<std::string, std::vector<std::size_t>> by_host_;
  std::vector<const std::vector<std::size_t>*> of_unit_;
};

/// Whether this unit is the first of its host that the run measured in this metric; one is.
bool is_first(std::size_t unit, const std::vector<std::size_t>& units, std::size_t row,
              const std::vector<bool>& now) {
  return *std::ranges::find_if(units, [&](std::size_t one) { return now[row + one]; }) == unit;
}

/// Units of one host that this run left out, where it measured half of those that ever were.
std::vector<std::size_t> left_out(const std::vector<std::size_t>& units, std::size_t row,
                                  const std::vector<bool>& ever, const std::vector<bool>& now) {
  std::vector<std::size_t> absent;
  std::size_t known = 0;
  for (const std::size_t unit : units) {
    if (!ever[row + unit]) continue;
    ++known;
    if (!now[row + unit]) absent.push_back(unit);
  }
  if (2 * absent.size() > known) absent.clear();
  return absent;
}

}  // namespace

std::uint32_t FleetDefinitions::number_of(const std::string& host) {
  if (!hosts_.empty() && hosts_.back() == host) return static_cast<std::uint32_t>(hosts_.size() - 1);
  const auto [place, fresh] = numbers_.try_emplace(host, static_cast<std::uint32_t>(hosts_.size()));
  if (fresh) hosts_.push_back(host);
  return place->second;
}

void FleetDefinitions::add_differences(const std::string& metric, const Meanings& meanings,
                                       std::vector<std::string>& lines) const {
  std::map<std::string, Hosts> once;
  for (auto [definition, hosts] : meanings) {
    std::ranges::sort(hosts);
    hosts.erase(std::unique(hosts.begin(), hosts.end()), hosts.end());
    once.emplace(definition, std::move(hosts));
  }
  const auto usual = std::ranges::max_element(once, {}, [](const auto& one) { return one.second.size(); });
  for (const auto& [definition, hosts] : once)
    if (const auto differs = difference_of(definition, usual->first))
      for (const std::uint32_t host : hosts)
        lines.push_back(fmt::format("host {}: {} does not mean the same there: {} '{}', on most hosts '{}'",
                                    hosts_[host], metric, differs->part, differs->one, differs->other));
}

std::vector<std::string> FleetDefinitions::differences() const {
  std::vector<std::string> lines;
  for (const auto& [metric, meanings] : metrics_)
    if (meanings.size() > 1) add_differences(metric, meanings, lines);
  std::ranges::sort(lines);
  return lines;
}

std::map<std::string, std::string> FleetDefinitions::usual() const {
  std::map<std::string, std::string> usual;
  for (const auto& [metric, meanings] : metrics_)
    usual[metric] =
        std::ranges::max_element(meanings, {}, [](const auto& one) { return one.second.size(); })->first;
  return usual;
}

void MeasuredGpus::count(const std::string& host, std::size_t gpus) {
  hosts_[host].counted = std::max(hosts_[host].counted, gpus);
}

std::vector<std::string> MeasuredGpus::unmeasured() const {
  std::vector<std::string> lines;
  for (const auto& [host, gpus] : hosts_) {
    if (gpus.measured.empty()) continue;  // the judge of fleets sees that others have GPUs
    std::vector<std::size_t> absent;
    for (std::size_t gpu = 0; gpu < gpus.counted; ++gpu)
      if (!gpus.measured.contains(std::to_string(gpu))) absent.push_back(gpu);
    if (!absent.empty())
      lines.push_back(fmt::format("host {}: it has {} GPUs, and of {} nothing was measured: {}", host,
                                  gpus.counted, absent.size(), fmt::join(absent, " ")));
  }
  return lines;
}

std::vector<FleetIssue> missing_gpus(const Fleet& gpus, const Fleet& hosts) {
  std::map<std::string, int> count;
  for (const FleetUnit& host : hosts.units) count[host.name] = 0;
  for (const FleetUnit& gpu : gpus.units) ++count[gpu.places.front()];
  std::map<int, int> votes;
  for (const auto& [host, found] : count) ++votes[found];
  const auto most = std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; });
  std::vector<FleetIssue> missing;
  for (const auto& [host, found] : count)
    if (found != most->first)
      missing.push_back(
          {.unit = host, .reason = fmt::format("{} GPUs, most hosts have {}", found, most->first)});
  return missing;
}

std::vector<FleetIssue> contradicted_points(const Fleet& fleet, const FleetRunValues& runs,
                                            const UnsupportedPoints& unsupported) {
  std::vector<FleetIssue> doubted;
  if (unsupported.empty()) return doubted;
  const std::vector<bool> ever = cells_of(fleet, runs);
  std::map<std::string, std::size_t> metrics;
  for (std::size_t metric = 0; metric < fleet.metrics.size(); ++metric)
    metrics.emplace(fleet.metrics[metric].name, metric);
  for (const auto& [point, times] : unsupported)
    if (const auto metric = metrics.find(point.second);
        metric != metrics.end() && ever[metric->second * fleet.units.size() + point.first])
      doubted.push_back({.unit = fleet.units[point.first].name,
                         .metric = point.second,
                         .reason = "called unsupported, and measured by the same unit at another time",
                         .points = times});
  return doubted;
}

std::vector<FleetIssue> left_out_of_runs(const Fleet& fleet, const FleetRunValues& runs) {
  const std::vector<bool> ever = cells_of(fleet, runs);
  const Neighbours neighbours(fleet);
  std::map<std::size_t, std::set<std::size_t>> runs_of;  // by unit: those that left it out
  std::vector<bool> now(ever.size(), false);
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const FleetValue& value : runs[run]) now[cell_of(fleet, value)] = true;
    for (const FleetValue& value : runs[run]) {
      const std::vector<std::size_t>& units = neighbours.of(value.unit);
      const std::size_t row = value.metric * fleet.units.size();
      if (units.size() > 1 && is_first(value.unit, units, row, now))
        for (const std::size_t unit : left_out(units, row, ever, now)) runs_of[unit].insert(run);
    }
    for (const FleetValue& value : runs[run]) now[cell_of(fleet, value)] = false;
  }
  std::vector<FleetIssue> missing;
  for (const auto& [unit, left] : runs_of)
    missing.push_back({.unit = fleet.units[unit].name,
                       .reason = "not measured in " + core::counted(std::ssize(left), "run") +
                                 " that measured others of its host"});
  return missing;
}

}  // namespace assay::results
