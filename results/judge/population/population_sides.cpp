// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/population/population_sides.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "results/judge/acceptance/acceptance.hpp"
#include "results/judge/judges.hpp"
#include "results/judge/population/simulated_fleets.hpp"
#include "results/store/doubts/host_doubts.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results {
namespace {

constexpr std::size_t most_lines_named = 20;
/// Times that two units of two clusters must share, digit by digit, to be one measurement under two names.
constexpr std::size_t fewest_equal_times = 4;

void refuse_one_store(const Store& a, const Store& b) {
  std::error_code no_file;
  if (std::filesystem::equivalent(a.path(), b.path(), no_file))
    throw std::runtime_error(fmt::format("{} and {} are one store: expected one for each cluster",
                                         a.path().string(), b.path().string()));
  const std::vector<JudgedRun> runs = judged_runs(a);
  for (const JudgedRun& run : judged_runs(b))
    if (std::ranges::find(runs, run) != runs.end())
      throw std::runtime_error(fmt::format("run {} is in both {} and {}: expected one store for each cluster",
                                           run.run_id, a.path().string(), b.path().string()));
  if (const auto both = machines_in_both(a, b); !both.empty())
    throw std::runtime_error(
        fmt::format("{} and {}: {}{}: populations have no machine in common (assay compare --baseline "
                    "--candidate compares "
                    "states of one cluster)",
                    a.path().string(), b.path().string(), both.front(),
                    both.size() > 1 ? fmt::format(" (and {} more)", both.size() - 1) : ""));
}

/// One row for all of one kind: thousands of units may have it.
void add_row(PopulationSide& side, const std::string& metric, const std::vector<std::string>& lines,
             const std::string& meaning, Verdict verdict = Verdict::inconclusive) {
  if (lines.empty()) return;
  VerdictRow row{.unit = side.name,
                 .kind = "population",
                 .metric = metric,
                 .verdict = verdict,
                 .because = lines.front(),
                 .meaning = meaning,
                 .action = action_of(verdict)};
  if (lines.size() > 1) row.because += fmt::format(" (and {} more)", lines.size() - 1);
  for (std::size_t at = 1; at < std::min(lines.size(), most_lines_named); ++at)
    row.evidence.push_back(lines[at]);
  side.doubts.push_back(std::move(row));
}

std::vector<std::string> texts_of_issues(const std::vector<FleetIssue>& issues) {
  std::vector<std::string> lines;
  for (const FleetIssue& issue : issues)
    lines.push_back(fmt::format("{}{}{}{}", issue.unit, issue.metric.empty() ? "" : " " + issue.metric,
                                issue.unit.empty() ? "" : ": ",
                                issue.points > 0 ? doubt_text(issue) : issue.reason));
  return lines;
}

void add_store_doubts(const Store& store, PopulationSide& side) {
  for (const VerdictRow& row : judge_store(store, "compare").rows) side.doubts.push_back(row);
  const char* const two = "what one machine measured says nothing of another";
  add_row(side, "records", overlaps_of(store), two);
  add_row(side, "machines", exchanged_parts_of(store), two);
  add_row(side, "machines", shared_parts_of(store), two);
  for (const MeasuredFleet& fleet : side.fleets) {
    add_row(side, fleet.first.unit_level + " points in doubt", texts_of_issues(fleet.doubted),
            "points in doubt do not count");
    add_row(side, "hosts", texts_of_issues(fleet.host_doubts), "these hosts are not equals of the others");
    add_row(side, fleet.first.unit_level + " points missing", texts_of_issues(fleet.missing),
            "what was not measured may be what is slow");
  }
}

/// Groups of hosts that are joined two by two.
class JoinedHosts {
 public:
  std::string first_of(const std::string& host) {
    std::string& before = before_.try_emplace(host, host).first->second;
    if (before == host) return host;
    return before = first_of(std::string(before));
  }
  void join(const std::string& one, const std::string& other) {
    const std::string first = first_of(one), second = first_of(other);
    before_[std::max(first, second)] = std::min(first, second);
  }
  std::map<std::string, std::string> groups() {
    std::map<std::string, std::string> groups = before_;
    for (auto& [host, first] : groups) first = first_of(host);
    return groups;
  }

 private:
  std::map<std::string, std::string> before_;
};

HostGroups groups_in(const Store& store) {
  Statement rows = store.database().prepare(
      "SELECT json_extract(c.record, '$.module'), r.run_id, c.host FROM contexts c JOIN runs r ON r.id = "
      "c.run");
  std::map<std::pair<std::string, std::string>, std::string> first_hosts;  // by module and run
  std::map<std::string, JoinedHosts> joined;
  while (rows.step()) {
    const std::string module = rows.text(0), host = rows.text(2);
    const auto [first, fresh] = first_hosts.try_emplace({module, whole_run(rows.text(1))}, host);
    joined[module].join(first->second, host);
  }
  HostGroups groups;
  for (auto& [module, hosts] : joined) groups[module] = hosts.groups();
  return groups;
}

PopulationSide simulated_side(const Store& store, MeasuredFleet fleet) {
  PopulationSide side{.name = store.path().string(), .fleets = {}, .doubts = {}};
  side.fleets.push_back(std::move(fleet));
  return side;
}

PopulationSide side_in(const Store& store, const std::string& filter, const FleetPlaces& places) try {
  PopulationSide side{.name = store.path().string(),
                      .fleets = read_fleet(store, filter, places),
                      .groups = groups_in(store),
                      .doubts = {}};
  // The links already contain what hosts add to them.
  std::erase_if(side.fleets, [](const MeasuredFleet& fleet) { return fleet.of_link_ends; });
  return side;
} catch (const std::runtime_error& error) {
  throw std::runtime_error(fmt::format("{}: {}", store.path().string(), error.what()));
}

PopulationSides sides_in(const Store& a, const Store& b, const std::string& filter,
                         const PopulationPlaces& places) {
  if (!is_of_simulated_fabrics(a) || !is_of_simulated_fabrics(b))
    return {side_in(a, filter, places.a), side_in(b, filter, places.b)};
  if (!places.a.levels.empty())
    throw std::runtime_error("--places: expected none, hash seeds of simulated fabrics have no place");
  auto [of_a, of_b] = simulated_fleets(a, b, filter);
  return {simulated_side(a, std::move(of_a)), simulated_side(b, std::move(of_b))};
}

std::set<std::string> failed_metrics(const PopulationSide& side) {
  std::set<std::string> metrics;
  for (const MeasuredFleet& fleet : side.fleets)
    for (const FleetIssue& issue : fleet.failed) metrics.insert(issue.metric);
  return metrics;
}

/// A point that only the candidate failed fails it. What the baseline failed too shows no difference.
void add_failures(PopulationSide& a, PopulationSide& b) {
  const std::set<std::string> of_a = failed_metrics(a);
  for (PopulationSide* side : {&a, &b})
    for (const MeasuredFleet& fleet : side->fleets) {
      std::vector<FleetIssue> alone, others;
      for (const FleetIssue& issue : fleet.failed)
        (side == &b && !of_a.contains(issue.metric) ? alone : others).push_back(issue);
      const std::string name = fleet.first.unit_level + " points failed";
      add_row(*side, name, texts_of_issues(others), "what failed has no time to compare");
      add_row(*side, name + " in the candidate only", texts_of_issues(alone),
              "the baseline could do what the candidate cannot", Verdict::fail);
    }
}

std::map<double, std::string> units_by_time(const MeasuredFleet& measured) {
  std::map<double, std::string> units;
  measured.each_round([&](const Fleet& round) {
    for (std::size_t metric = 0; metric < round.metrics.size(); ++metric)
      for (std::size_t unit = 0; unit < round.units.size(); ++unit)
        if (const double time = round.at(metric, unit); time > 0) units.emplace(time, round.units[unit].name);
  });
  return units;
}

/// Units of a round of b whose times are those of one unit of a, to the last digit, and how many are.
void find_copies(const std::map<double, std::string>& by_time, const Fleet& round,
                 std::map<std::pair<std::string, std::string>, std::size_t>& found) {
  for (std::size_t unit = 0; unit < round.units.size(); ++unit) {
    std::map<std::string, std::size_t> equal;
    for (std::size_t metric = 0; metric < round.metrics.size(); ++metric)
      if (const auto same = by_time.find(round.at(metric, unit)); same != by_time.end())
        ++equal[same->second];
    for (const auto& [other, times] : equal)
      if (times >= fewest_equal_times && 2 * times > round.metrics.size()) {
        std::size_t& most = found[{round.units[unit].name, other}];
        most = std::max(most, times);
      }
  }
}

/// Units of b that copy one of a in any round.
std::vector<std::string> copies_in(const MeasuredFleet& a, const MeasuredFleet& b) {
  const auto by_time = units_by_time(a);
  std::map<std::pair<std::string, std::string>, std::size_t> found;
  b.each_round([&](const Fleet& round) { find_copies(by_time, round, found); });
  std::vector<std::string> lines;
  for (const auto& [pair, times] : found)
    lines.push_back(
        fmt::format("{} and {} of the baseline have {} equal times: one measurement under two names",
                    pair.first, pair.second, times));
  return lines;
}

}  // namespace

PopulationSides population_sides(const Store& a, const Store& b, const std::string& filter,
                                 const PopulationPlaces& places) {
  refuse_one_store(a, b);
  if (places.a.levels != places.b.levels)
    throw std::runtime_error(
        fmt::format("--places: the levels of the baseline are {} and of the candidate {}: "
                    "expected the same",
                    fmt::join(places.a.levels, ","), fmt::join(places.b.levels, ",")));
  PopulationSides sides = sides_in(a, b, filter, places);
  if (const auto &of_a = sides.a.fleets.front().origin, &of_b = sides.b.fleets.front().origin; of_a != of_b)
    throw std::runtime_error(
        fmt::format("{} is {} and {} is {}: not the same thing", sides.a.name, of_a, sides.b.name, of_b));
  add_store_doubts(a, sides.a);
  add_store_doubts(b, sides.b);
  add_failures(sides.a, sides.b);
  for (const MeasuredFleet& of_a : sides.a.fleets)
    for (const MeasuredFleet& of_b : sides.b.fleets)
      if (of_a.first.unit_level == of_b.first.unit_level && of_a.first.unit_level != seed_level)
        add_row(sides.b, "copies", copies_in(of_a, of_b), "a copy is not a second measurement");
  return sides;
}

}  // namespace assay::results
