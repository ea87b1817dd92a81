// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet_judgement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <future>
#include <iterator>
#include <limits>

#include "results/judge/fleet_attribution.hpp"
#include "results/judge/fleet_effects.hpp"
#include "results/judge/fleet_row_judge.hpp"
#include "results/store/median.hpp"

namespace assay::results {
namespace {

/// How the error of the family is shared. Units are the most; what all runs show is looked for first.
constexpr double share_of_units = 0.7;
constexpr double share_of_all_runs = 0.85;
constexpr double share_of_common = 0.12, share_of_site = 0.05;
constexpr double late_looks = 2;  // of the last two runs and of the later half
constexpr std::size_t most_open_named = 20;
constexpr std::size_t worth_a_thread = 1000;  // places

struct ErrorShares {
  CellErrors cell, common;
};

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
                      .side = rules.pass_error};
  };
  return {errors(cells, metrics), groups > 0 ? errors(share_of_common, groups) : CellErrors{}};
}

/// One part with all that is needed to judge its metrics.
struct JudgedPart {
  const FleetPart* part = nullptr;
  std::vector<SeriesRow> rows = {};
  std::vector<MetricNoise> noise = {};
  std::vector<RowJudge> judges = {};
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
        found_(found) {}

  void judge() {
    cells_ = all_prepared(parts_.cells, errors_.cell, {});
    const std::vector<double> shapes = shape_of(parts_.cells.front(), cells_.front().rows);
    commons_ = all_prepared(parts_.commons, errors_.common, shapes);
    for (const auto* ways : {&cells_, &commons_})
      if (!ways->empty())
        for (std::size_t metric = 0; metric < ways->front().part->metrics.size(); ++metric) {
          judge_row(*ways, metric, is_unit_ && ways == &cells_);
          note_unlike(ways->front(), metric);
        }
    std::ranges::move(cleared_.habits(), std::back_inserter(found_));
  }

 private:
  /// Side by side: the ways to look at a large fleet are most of the work, and know nothing of each other.
  std::vector<JudgedPart> all_prepared(const std::vector<FleetPart>& parts, const CellErrors& errors,
                                       const std::vector<double>& shapes) {
    std::vector<std::future<JudgedPart>> ways;
    for (const FleetPart& part : parts)
      ways.push_back(
          std::async(parts_.level.places.size() < worth_a_thread ? std::launch::deferred : std::launch::async,
                     [&] { return prepared(part, errors, shapes); }));
    std::vector<JudgedPart> judged;
    for (auto& way : ways) judged.push_back(way.get());
    return judged;
  }

  JudgedPart prepared(const FleetPart& part, const CellErrors& errors,
                      const std::vector<double>& shapes) const {
    JudgedPart judged{.part = &part};
    for (std::size_t metric = 0; metric < part.metrics.size(); ++metric)
      judged.rows.push_back(series_of(part, metric, parts_.level, rounds_));
    judged.noise = noise_of(part, judged.rows, shapes);
    for (std::size_t metric = 0; metric < part.metrics.size(); ++metric)
      judged.judges.emplace_back(rules_, errors, judged.rows[metric], judged.noise[metric]);
    return judged;
  }

  /// The way to look at a metric that sees the smallest loss.
  static const JudgedPart& best_of(const std::vector<JudgedPart>& ways, std::size_t metric) {
    const JudgedPart* best = &ways.front();
    for (const JudgedPart& one : ways)
      if (one.judges[metric].usual_runs() > 0 &&
          one.judges[metric].detection().loss < best->judges[metric].detection().loss)
        best = &one;
    return *best;
  }

  /// Of a place that was measured again without its neighbours: the way that knows most of its runs.
  static const JudgedPart& way_for(const std::vector<JudgedPart>& ways, const JudgedPart& best,
                                   std::size_t metric, std::size_t place) {
    const auto runs = [&](const JudgedPart& one) { return one.rows[metric].runs(place); };
    return runs(best) < runs(ways.front()) ? ways.front() : best;
  }

  void judge_row(const std::vector<JudgedPart>& ways, std::size_t metric, bool for_site) {
    const JudgedPart& best = best_of(ways, metric);
    const RowJudge& row = best.judges[metric];
    const MetricNoise& noise = best.noise[metric];
    FleetLook look{.level = parts_.level.name,
                   .metric = best.part->metrics[metric],
                   .limit = loss_of_shift(-row.limit()),
                   .seen = loss_of_shift(-row.detection().loss),
                   .noise = noise.scale * noise.changing,
                   .lasting = noise.lasting};
    more_.clear();
    views_ = views_of(ways.front(), best, metric);
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t place = 0; place < parts_.level.places.size(); ++place) {
      if (ways.front().rows[metric].runs(place) == 0) continue;
      const JudgedPart& way = way_for(ways, best, metric, place);
      fewest = std::min(fewest, way.rows[metric].runs(place));
      ++look.places;
      judge_place(way, for_site ? &ways.front() : nullptr, metric, place, look);
      note_too_fast(way, metric, place);
    }
    if (look.places == 0) return;
    look.runs = static_cast<std::int64_t>(fewest);
    look.more_runs = most_of_more();
    judgement_.looks.push_back(std::move(look));
  }

  void judge_place(const JudgedPart& way, const JudgedPart* total, std::size_t metric, std::size_t place,
                   FleetLook& look) {
    const RowJudge& row = way.judges[metric];
    const std::size_t runs = way.rows[metric].runs(place);
    if (total != nullptr && total->judges[metric].is_beyond(place, rules_.site_margin)) {
      found_.push_back(named_finding(*total, metric, FindingKind::beyond_site, place,
                                     total->rows[metric].runs(place), errors_.cell.site));
      ++look.failed;
    } else if (const auto candidate = row.candidate(place); candidate && !row.is_within_limit(*candidate)) {
      const bool above = row.is_above_margin(*candidate);
      ++(above ? look.failed : look.suspects);
      const FindingKind kind = above ? FindingKind::unlike_equals : FindingKind::suspect;
      found_.push_back(named_finding(way, metric, kind, place, candidate->last_runs, rules_.pass_error));
    } else if (row.is_suspect(place)) {
      found_.push_back(named_finding(way, metric, FindingKind::suspect, place, runs, rules_.pass_error));
      ++look.suspects;
    } else if (const RunView::FarOff far = far_off_runs(place); !far.is_cleared()) {
      found_.push_back(some_runs(way, metric, place, far));
      ++look.suspects;
    } else if (remember_cleared(way, metric, place);
               row.is_shown_below(place) &&
               (total == nullptr || total->judges[metric].is_shown_within(place, rules_.site_margin))) {
      ++look.passed;
    } else {
      ++look.undecided;
      if (look.open.size() < most_open_named) look.open.push_back(parts_.level.places[place]);
      more_.push_back(row.more_runs(place).value_or(std::numeric_limits<std::int64_t>::max()));
    }
  }

  /// Against all of the fleet, and the way that sees most.
  std::vector<RunView> views_of(const JudgedPart& whole, const JudgedPart& best, std::size_t metric) const {
    std::vector<RunView> views;
    views.reserve(2);
    const double error = (whole.part->common ? errors_.common : errors_.cell).all_runs;
    for (const JudgedPart* one : {&whole, &best})
      if (views.empty() || one != &whole)
        views.emplace_back(one->rows[metric], one->noise[metric].core, -shift_of_loss(rules_.margin), error);
    return views;
  }

  void remember_cleared(const JudgedPart& way, std::size_t metric, std::size_t place) {
    const RunView::FarOff far = union_of_far_off(views_, place);
    if (!far.values.empty()) cleared_.add(place, far.rounds, some_runs(way, metric, place, far));
  }

  /// By the view that sees most of them; what one view clears, another may keep open.
  RunView::FarOff far_off_runs(std::size_t place) const {
    RunView::FarOff most;
    for (const RunView& view : views_) {
      RunView::FarOff far = view.far_off(place);
      const bool keeps_open = most.is_cleared() && !far.is_cleared();
      if (keeps_open || far.values.size() > most.values.size()) most = std::move(far);
    }
    return most;
  }

  AttributedFinding some_runs(const JudgedPart& way, std::size_t metric, std::size_t place,
                              RunView::FarOff far) const {
    AttributedFinding one = named_finding(way, metric, FindingKind::some_runs, place, 1, rules_.pass_error);
    one.finding.runs = far.values.size();
    one.finding.more_runs = far.more_runs();
    one.finding.loss = loss_of_shift(median_in_place(far.values));
    one.finding.lower = one.finding.upper = std::nullopt;
    return one;
  }

  /// What nine in ten of the undecided need.
  std::optional<std::int64_t> most_of_more() {
    if (more_.empty()) return std::nullopt;
    const auto most = more_.begin() + static_cast<std::ptrdiff_t>(more_.size() * 9 / 10);
    std::nth_element(more_.begin(), most, more_.end());
    return *most == std::numeric_limits<std::int64_t>::max() ? std::nullopt : std::optional(*most);
  }

  AttributedFinding named_finding(const JudgedPart& judged, std::size_t metric, FindingKind kind,
                                  std::size_t place, std::size_t last, double error) const {
    FleetFinding finding = judged.judges[metric].finding(kind, place, last, error);
    finding.level = parts_.level.name;
    finding.place = parts_.level.places[place];
    finding.metric = judged.part->metrics[metric];
    return {std::move(finding), judged.part->groups[metric], judged.part, &parts_, place};
  }

  void note_too_fast(const JudgedPart& judged, std::size_t metric, std::size_t place) {
    if (!judged.judges[metric].is_too_fast(place)) return;
    const double standing = judged.rows[metric].standing(place);
    judgement_.too_fast.push_back(fmt::format("{} {}: {:.2f} % faster in {}", parts_.level.name,
                                              parts_.level.places[place], 100 * std::expm1(standing),
                                              judged.part->metrics[metric]));
  }

  void note_unlike(const JudgedPart& judged, std::size_t metric) {
    auto unlike = unlike_in(judged.rows[metric], judged.noise[metric].core, -shift_of_loss(rules_.margin),
                            views_.front().full_runs());
    if (!unlike) return;
    unlike->level = parts_.level.name, unlike->metric = judged.part->metrics[metric];
    judgement_.unlike.push_back(*std::move(unlike));
  }

  const LevelParts& parts_;
  const FleetRounds& rounds_;
  const FleetRules& rules_;
  ErrorShares errors_;
  bool is_unit_;
  FleetJudgement& judgement_;
  std::vector<AttributedFinding>& found_;
  std::vector<JudgedPart> cells_, commons_;
  std::vector<std::int64_t> more_;  // of the undecided of one metric
  std::vector<RunView> views_;      // of its runs
  ClearedRuns cleared_;             // one by one
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
