// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/fleet/fleet_metric_judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "harness/core/statistics/order_statistic.hpp"
#include "results/judge/fleet/intermittent.hpp"

namespace assay::results {
namespace {

constexpr std::size_t most_open_named = 20;

/// The way to look at a metric that sees the smallest loss.
const JudgedPart& best_of(const std::vector<JudgedPart>& ways, std::size_t metric) {
  const JudgedPart* best = &ways.front();
  for (const JudgedPart& one : ways)
    if (one.judges[metric].usual_runs() > 0 &&
        one.judges[metric].detection().loss < best->judges[metric].detection().loss)
      best = &one;
  return *best;
}

class MetricJudge {
 public:
  MetricJudge(const LevelParts& level, const std::vector<JudgedPart>& ways, std::size_t metric,
              const FleetRules& rules, const CellErrors& errors, bool for_site)
      : level_(level),
        whole_(ways.front()),
        best_(best_of(ways, metric)),
        metric_(metric),
        rules_(rules),
        errors_(errors),
        for_site_(for_site) {
    views_.reserve(2), intermittent_.reserve(2);
    for (const JudgedPart* one : {&whole_, &best_}) {
      if (!views_.empty() && one == &whole_) continue;
      const SeriesRow& row = one->rows[metric_];
      const double margin = -shift_of_loss(rules_.margin);
      views_.emplace_back(row, one->noise[metric_].core, margin, errors_.all_runs);
      intermittent_.emplace_back(row, margin, errors_.all_runs);
    }
  }

  MetricJudgement judge() {
    const RowJudge& row = best_.judges[metric_];
    const MetricNoise& noise = best_.noise[metric_];
    look_ = {.level = level_.level.name,
             .metric = best_.part->metrics[metric_],
             .limit = loss_of_shift(-row.limit()),
             .seen = loss_of_shift(-row.detection().loss),
             .noise = noise.scale * noise.changing,
             .lasting = noise.lasting};
    std::size_t fewest = std::numeric_limits<std::size_t>::max();
    for (std::size_t place = 0; place < level_.level.places.size(); ++place) {
      if (runs(whole_, place) == 0) continue;
      const JudgedPart& way = way_for(place);
      fewest = std::min(fewest, runs(way, place));
      ++look_.places;
      judge_place(way, place);
      note_too_fast(way, place);
    }
    note_unlike();
    if (look_.places == 0) return std::move(judgement_);
    look_.runs = static_cast<std::int64_t>(fewest);
    look_.more_runs = most_of_more();
    judgement_.look = std::move(look_);
    return std::move(judgement_);
  }

 private:
  std::size_t runs(const JudgedPart& way, std::size_t place) const { return way.rows[metric_].runs(place); }

  /// The best way, or the whole where it knows more runs, as of a place measured again without neighbours.
  const JudgedPart& way_for(std::size_t place) const {
    return runs(best_, place) < runs(whole_, place) ? whole_ : best_;
  }

  void judge_place(const JudgedPart& way, std::size_t place) {
    const RowJudge &row = way.judges[metric_], &total = whole_.judges[metric_];
    if (for_site_ && total.is_beyond(place, rules_.site_margin)) {
      note(named_finding(whole_, FindingKind::beyond_site, place, runs(whole_, place), errors_.site));
    } else if (const auto candidate = row.candidate(place); candidate && !row.is_within_limit(*candidate)) {
      const FindingKind kind =
          row.is_above_margin(*candidate) ? FindingKind::unlike_equals : FindingKind::suspect;
      note(named_finding(way, kind, place, candidate->last_runs, rules_.pass_error));
    } else if (row.is_suspect(place)) {
      note(named_finding(way, FindingKind::suspect, place, runs(way, place), rules_.pass_error));
    } else if (RunView::FarOff far = far_off_runs(place); !far.is_cleared()) {
      note(some_runs(way, place, std::move(far)));
    } else {
      if (!far.values.empty()) remember_cleared(way, place);  // else no view has any
      note_sound(row, place, !for_site_ || total.is_shown_within(place, rules_.site_margin));
    }
  }

  void note(AttributedFinding finding) {
    ++(finding.finding.is_fault() ? look_.failed : look_.suspects);
    judgement_.found.push_back(std::move(finding));
  }

  void note_sound(const RowJudge& row, std::size_t place, bool within_site) {
    if (within_site && row.is_shown_below(place)) return note_passed(place);
    ++look_.undecided;
    if (look_.open.size() < most_open_named) look_.open.push_back(level_.level.places[place]);
    const auto more = row.more_runs(place);
    judgement_.undecided.push_back({place, more.has_value()});
    more_.push_back(more ? static_cast<double>(*more) : std::numeric_limits<double>::infinity());
  }

  /// The limit may be more than the margin that was asked for.
  void note_passed(std::size_t place) {
    ++look_.passed;
    const RowJudge& total = whole_.judges[metric_];
    if (total.is_shown_within(place, rules_.margin)) return void(++look_.within_margin);
    if (!total.is_above_margin({place, runs(whole_, place)})) return;
    ++look_.beyond_margin;
    look_.slowest = std::max(look_.slowest, loss_of_shift(whole_.rows[metric_].standing(place)));
  }

  void remember_cleared(const JudgedPart& way, std::size_t place) {
    RunView::FarOff far = union_of_far_off(views_, place);
    std::vector<std::size_t> rounds = far.rounds;
    judgement_.cleared.push_back({place, std::move(rounds), some_runs(way, place, std::move(far))});
  }

  /// The runs far off in the view that sees most of them; what one view clears, another may keep open.
  RunView::FarOff far_off_runs(std::size_t place) const {
    RunView::FarOff most;
    for (const RunView& view : views_) {
      RunView::FarOff far = view.far_off(place);
      const bool keeps_open = most.is_cleared() && !far.is_cleared();
      if (keeps_open || far.values.size() > most.values.size()) most = std::move(far);
    }
    if (!most.is_cleared()) return most;
    for (const IntermittentRuns& one : intermittent_)
      if (RunView::FarOff far = one.of(place); far.values.size() > most.values.size()) most = std::move(far);
    return most;
  }

  AttributedFinding some_runs(const JudgedPart& way, std::size_t place, RunView::FarOff far) const {
    AttributedFinding one = named_finding(way, FindingKind::some_runs, place, 1, rules_.pass_error);
    one.finding.runs = far.values.size();
    one.finding.more_runs = far.more_runs();
    one.finding.loss = loss_of_shift(core::median_in_place(far.values));
    one.finding.lower = one.finding.upper = std::nullopt;
    return one;
  }

  /// The number of runs that suffices for nine in ten of the undecided.
  std::optional<std::int64_t> most_of_more() {
    if (more_.empty()) return std::nullopt;
    const double most = core::at_rank(more_, more_.size() * 9 / 10);
    return std::isinf(most) ? std::nullopt : std::optional(static_cast<std::int64_t>(most));
  }

  AttributedFinding named_finding(const JudgedPart& way, FindingKind kind, std::size_t place,
                                  std::size_t last, double error) const {
    FleetFinding finding = way.judges[metric_].finding(kind, place, last, error);
    finding.level = level_.level.name;
    finding.place = level_.level.places[place];
    finding.metric = way.part->metrics[metric_];
    return {std::move(finding), way.part->groups[metric_], way.part, &level_, place};
  }

  void note_too_fast(const JudgedPart& way, std::size_t place) {
    if (!way.judges[metric_].is_too_fast(place)) return;
    judgement_.too_fast.push_back(
        fmt::format("{} {}: {:.2f} % faster in {}", level_.level.name, level_.level.places[place],
                    100 * std::expm1(way.rows[metric_].standing(place)), way.part->metrics[metric_]));
  }

  void note_unlike() {
    judgement_.unlike = unlike_in(whole_.rows[metric_], whole_.noise[metric_].core,
                                  -shift_of_loss(rules_.margin), views_.front().full_runs());
    if (!judgement_.unlike) return;
    judgement_.unlike->level = level_.level.name;
    judgement_.unlike->metric = whole_.part->metrics[metric_];
  }

  const LevelParts& level_;
  const JudgedPart &whole_, &best_;  // against all of the fleet; the way that sees most
  std::size_t metric_;
  const FleetRules& rules_;
  CellErrors errors_;
  bool for_site_;
  // Against all of the fleet, and the way that sees most.
  std::vector<RunView> views_ = {};
  std::vector<IntermittentRuns> intermittent_ = {};
  std::vector<double> more_ = {};  // runs that the undecided need
  FleetLook look_ = {};
  MetricJudgement judgement_ = {};
};

}  // namespace

MetricJudgement judge_metric(const LevelParts& level, const std::vector<JudgedPart>& ways, std::size_t metric,
                             const FleetRules& rules, const CellErrors& errors, bool for_site) {
  return MetricJudge(level, ways, metric, rules, errors, for_site).judge();
}

}  // namespace assay::results
