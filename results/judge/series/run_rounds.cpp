// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/series/run_rounds.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>

namespace assay::results {
namespace {

/// A longer pause than those around it ends a round, rather than the moment before the first repetition.
constexpr double times_a_usual_pause = 3;

/// A unit measured a point in one run, and next in a later one.
struct Repetition {
  std::uint32_t unit = 0;
  std::size_t from = 0, to = 0;  // runs
};

/// In order of the later run. Of several points of one unit, the latest earlier run counts.
std::vector<Repetition> repetitions_of(const Fleet& fleet, const FleetRunValues& runs) {
  const std::size_t units = fleet.units.size();
  std::vector<std::size_t> latest(units * fleet.metrics.size(), 0), before(units, 0);  // from 1; 0: none
  std::vector<Repetition> repetitions;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    std::vector<std::uint32_t> repeated;
    for (const FleetValue& value : runs[run]) {
      std::size_t& last = latest[value.metric * units + value.unit];
      if (last > 0 && last <= run) {
        if (before[value.unit] == 0) repeated.push_back(value.unit);
        before[value.unit] = std::max(before[value.unit], last);
      }
      last = run + 1;
    }
    for (const std::uint32_t unit : repeated)
      repetitions.push_back({unit, std::exchange(before[unit], 0) - 1, run});
  }
  return repetitions;
}

class Rounds {
 public:
  Rounds(const Fleet& fleet, const FleetRunValues& runs, std::span<const double> started_s)
      : units_(fleet.units.size()), repetitions_(repetitions_of(fleet, runs)), started_s_(started_s) {}

  /// The first run after the round that begins with this one; nothing where it is the last.
  std::optional<std::size_t> end_of(std::size_t begin) const {
    std::vector<bool> repeated(units_, false);
    std::size_t count = 0;
    for (const Repetition& one : after(begin)) {
      if (one.from < begin || repeated[one.unit]) continue;
      repeated[one.unit] = true;
      if (2 * ++count >= units_) return split(begin, one.to);
    }
    return std::nullopt;
  }

 private:
  std::span<const Repetition> after(std::size_t run) const {
    return {std::ranges::upper_bound(repetitions_, run, {}, &Repetition::to), repetitions_.end()};
  }

  /// The end of a round within [begin, last].
  std::optional<std::size_t> split(std::size_t begin, std::size_t last) const {
    std::vector<std::size_t> twice(last - begin + 2, 0);  // by end: repetitions on one side of it
    for (const Repetition& one : after(begin)) {
      if (one.to > last) break;
      if (one.from < begin) continue;
      ++twice[1], --twice[one.from + 1 - begin];
      ++twice[one.to + 1 - begin], --twice[last + 1 - begin];
    }
    std::partial_sum(twice.begin(), twice.end(), twice.begin());
    const auto ends = std::span(twice).subspan(1, last - begin);
    const std::size_t fewest = std::ranges::min(ends);
    if (10 * fewest > units_) return std::nullopt;
    std::size_t latest = last;
    while (twice[latest - begin] != fewest) --latest;
    std::size_t longest = latest;
    for (std::size_t end = latest; end > begin; --end)
      if (twice[end - begin] == fewest && pause_before(end) > pause_before(longest)) longest = end;
    return pause_before(longest) > times_a_usual_pause * pause_before(latest) ? longest : latest;
  }

  double pause_before(std::size_t run) const {
    const double pause = started_s_[run] - started_s_[run - 1];
    return pause > 0 ? pause : 0;
  }

  std::size_t units_;
  std::vector<Repetition> repetitions_;
  std::span<const double> started_s_;
};

}  // namespace

std::vector<std::uint32_t> rounds_of_runs(const Fleet& fleet, const FleetRunValues& runs,
                                          std::span<const double> started_s) {
  const Rounds rounds(fleet, runs, started_s);
  std::vector<std::uint32_t> round_of;
  std::uint32_t round = 0;
  for (auto end = rounds.end_of(0); end; end = rounds.end_of(*end)) round_of.resize(*end, round++);
  round_of.resize(runs.size(), round);
  return round_of;
}

}  // namespace assay::results
