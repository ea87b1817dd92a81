// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/fleet_judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <set>
#include <string>
#include <utility>

#include "harness/core/process/side_by_side.hpp"
#include "results/judge/fleet/fleet_effects.hpp"
#include "results/judge/fleet/fleet_metric_judge.hpp"

namespace assay::results {
namespace {

/// How the error of the family is shared. Units are the most; what all runs show is looked for first.
constexpr double share_of_units = 0.7;
constexpr double share_of_all_runs = 0.85;
constexpr double share_of_common = 0.12, share_of_site = 0.05;
constexpr double late_looks = 2;  // of the last two runs and of the later half

/// Logarithms of how much faster a place is in its points. The largest over the smallest, by one factor and
/// noise; what hosts of eight GPUs of one kind differ by (four deviations of a mean of eight, at 3 % a GPU);
/// what no unit of one kind does in all of its points, and in none: twice as fast.
constexpr double most_of_one_factor = 1.5, most_of_hosts = 0.042, beyond_equal_hardware = 0.4,
                 twice_as_fast = std::numbers::ln2;

struct ErrorShares {
  CellErrors cell, common;
};

/// A host at the margin has all its GPUs there, by cells and by groups of metrics.
constexpr double most_levels = 4;
double neighbours_of(const LevelParts& parts) {
  std::size_t most = 1;
  for (const auto& places : parts.siblings) most = std::max(most, places.size());
  return static_cast<double>(most);
}

ErrorShares shares_of(const LevelParts& parts, double of_level, const FleetRules& rules) {
  const auto places = static_cast<double>(parts.level.places.size());
  const auto metrics = static_cast<double>(parts.cells.front().metrics.size());
  const auto groups = static_cast<double>(parts.commons.empty() ? 0 : parts.commons.front().metrics.size());
  const double cells = 1 - share_of_site - (groups > 0 ? share_of_common : 0);
  const auto errors = [&](double share, double tests) {
    const double each = of_level * share / (places * tests);
    return CellErrors{.all_runs = each * share_of_all_runs,
                      .late_runs = each * (1 - share_of_all_runs) / late_looks,
                      .site = of_level * share_of_site / (places * metrics),
                      .margin = rules.pass_error / (most_levels * tests * neighbours_of(parts)),
                      .side = rules.pass_error};
  };
  return {errors(cells, metrics), groups > 0 ? errors(share_of_common, groups) : CellErrors{}};
}

struct OpenPlace {
  bool undecided = false, out_of_sight = false, cleared = false;  // in any metric
  bool any() const { return undecided || out_of_sight || cleared; }
};

class LevelJudge {
 public:
  LevelJudge(const LevelParts& parts, const FleetRounds& rounds, const FleetRules& rules,
             const ErrorShares& errors, bool is_unit, FleetJudgement& judgement,
             std::vector<AttributedFinding>& found)
      : parts_(parts),
        rounds_(rounds),
        rules_(rules),
        errors_(errors),
        is_unit_(is_unit),
        judgement_(judgement),
        found_(found),
        open_(parts.level.places.size()) {}

  void judge() {
    cells_ = all_prepared(parts_.cells, errors_.cell, {});
    const std::vector<double> shapes = shape_of(parts_.cells.front(), cells_.front().rows);
    // A group's series are too few to show a place's noise, which its metrics show.
    elsewhere_ = cells_.front().scatter;
    commons_ = all_prepared(parts_.commons, errors_.common, shapes);
    judge_metrics(cells_, errors_.cell, is_unit_);
    if (is_unit_ || parts_.level.name == fleet_unit::host)
      for (std::size_t place = 0; place < parts_.level.places.size(); ++place) note_wrong_clock(place);
    if (!commons_.empty()) judge_metrics(commons_, errors_.common, false);
    std::ranges::move(cleared_.habits(), std::back_inserter(found_));
    add_open_places();
  }

 private:
  /// Side by side, where places are many: ways to look and metrics know nothing of each other.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& work) const {
    if (parts_.level.places.size() >= worth_threads) return core::side_by_side(count, work);
    for (std::size_t at = 0; at < count; ++at) work(at);
  }

  std::vector<JudgedPart> all_prepared(const std::vector<FleetPart>& parts, const CellErrors& errors,
                                       const std::vector<double>& shapes) const {
    std::vector<JudgedPart> ways(parts.size());
    for_each(parts.size(), [&](std::size_t way) { ways[way] = prepared(parts[way], errors, shapes); });
    return ways;
  }

  JudgedPart prepared(const FleetPart& part, const CellErrors& errors,
                      const std::vector<double>& shapes) const {
    JudgedPart judged{.part = &part};
    for (std::size_t metric = 0; metric < part.metrics.size(); ++metric)
      judged.rows.push_back(series_of(part, metric, parts_.level, rounds_));
    judged.noise = noise_of(part, judged.rows, shapes);
    PlaceScatters scatters = place_scatters(judged.rows, judged.noise, elsewhere_);
    for (std::size_t metric = 0; metric < part.metrics.size(); ++metric)
      judged.judges.emplace_back(rules_, errors, judged.rows[metric], judged.noise[metric],
                                 std::move(scatters.of_metric[metric]));
    judged.scatter = std::move(scatters.joined);
    return judged;
  }

  void judge_metrics(const std::vector<JudgedPart>& ways, const CellErrors& errors, bool for_site) {
    std::vector<MetricJudgement> metrics(ways.front().part->metrics.size());
    for_each(metrics.size(), [&](std::size_t metric) {
      metrics[metric] = judge_metric(parts_, ways, metric, rules_, errors, for_site);
    });
    for (MetricJudgement& one : metrics) take(std::move(one));
  }

  void take(MetricJudgement one) {
    if (one.look) judgement_.looks.push_back(*std::move(one.look));
    if (one.unlike) judgement_.unlike.push_back(*std::move(one.unlike));
    std::ranges::move(one.too_fast, std::back_inserter(judgement_.too_fast));
    std::ranges::move(one.found, std::back_inserter(found_));
    for (const auto& [place, in_sight] : one.undecided)
      (in_sight ? open_[place].undecided : open_[place].out_of_sight) = true;
    for (const ClearedPlace& place : one.cleared) open_[place.place].cleared = true;
    for (ClearedPlace& place : one.cleared) cleared_.add(place.place, place.rounds, std::move(place.finding));
  }

  void add_open_places() {
    const std::vector<std::string>& places = parts_.level.places;
    for (std::size_t place = 0; place < places.size(); ++place) {
      const OpenPlace& open = open_[place];
      const FleetPlace named{parts_.level.name, open.any() ? places[place] : std::string()};
      if (open.out_of_sight) judgement_.out_of_sight.push_back(named);
      if (open.undecided && !open.out_of_sight) judgement_.undecided.push_back(named);
      if (open.cleared) judgement_.cleared.push_back(named);
    }
  }

  /// A clock scales all times of a host by one factor. What makes hardware of one kind faster does so in
  /// points of one group, or by little.
  bool is_wrong_clock(const std::vector<double>& gains, const std::set<std::string>& groups) const {
    const auto [least, most] = std::ranges::minmax(gains);
    const bool one_factor = parts_.level.name == fleet_unit::host && gains.size() > 1 &&
                            most < most_of_one_factor * least && (groups.size() > 1 || least > most_of_hosts);
    return one_factor || least >= beyond_equal_hardware;
  }

  void note_wrong_clock(std::size_t place) {
    const JudgedPart& whole = cells_.front();
    std::vector<double> gains;
    std::set<std::string> groups;
    std::int64_t measured = 0;
    for (std::size_t metric = 0; metric < whole.rows.size(); ++metric) {
      if (whole.rows[metric].runs(place) == 0) continue;
      ++measured;
      if (!whole.judges[metric].is_too_fast(place)) continue;
      gains.push_back(whole.rows[metric].standing(place));
      groups.insert(whole.part->groups[metric]);
    }
    if (gains.empty()) return;
    if (std::ssize(gains) < measured || !is_wrong_clock(gains, groups))
      std::erase_if(gains, [](double gain) { return gain < twice_as_fast; });
    if (gains.empty()) return;
    const auto [least, most] = std::ranges::minmax(gains);
    judgement_.wrong_clocks.push_back({.level = parts_.level.name,
                                       .place = parts_.level.places[place],
                                       .least = std::expm1(least),
                                       .most = std::expm1(most),
                                       .points = std::ssize(gains),
                                       .of_points = measured});
  }

  const LevelParts& parts_;
  const FleetRounds& rounds_;
  const FleetRules& rules_;
  ErrorShares errors_;
  bool is_unit_;
  FleetJudgement& judgement_;
  std::vector<AttributedFinding>& found_;
  std::vector<JudgedPart> cells_, commons_;
  PlaceVariances elsewhere_;  // of places over all metrics, once cells_ are there
  ClearedRuns cleared_;
  std::vector<OpenPlace> open_;  // by place
};

}  // namespace

FleetJudgement judge_fleet(const Fleet& first, std::span<const Fleet> again, const FleetRules& rules) {
  FleetJudgement judgement;
  FleetRounds rounds = rounds_of(first, again);
  judgement.small_blocks = leave_out_small_blocks(first, rounds);
  const std::vector<LevelParts> levels = parts_of(first, rounds);
  const auto judged =
      std::ranges::count_if(levels, [](const LevelParts& parts) { return !parts.cells.empty(); });
  std::vector<AttributedFinding> found;
  for (std::size_t at = 0; at < levels.size(); ++at) {
    const LevelParts& parts = levels[at];
    if (parts.cells.empty()) {
      judgement.too_few.push_back(
          {.unit = parts.level.name, .reason = fmt::format("{} places", parts.level.places.size())});
      continue;
    }
    const double share = judged == 1 ? 1
                         : at == 0   ? share_of_units
                                     : (1 - share_of_units) / static_cast<double>(judged - 1);
    LevelJudge(parts, rounds, rules, shares_of(parts, rules.family_error * share, rules), at == 0, judgement,
               found)
        .judge();
  }
  if (!levels.front().cells.empty())
    judgement.findings = attributed(found, levels.front().cells.front(), rules.margin);
  return judgement;
}

}  // namespace assay::results
