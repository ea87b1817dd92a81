// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The measurements of a fleet, as a table of units by metrics, and the places of each unit. Which units and
// places are slower than their equals: shown to be, shown not to be, or not yet decided. Two questions,
// answered apart: is it unlike its equals, and is it slower than the site tolerates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace assay::results {

struct FleetMetric {
  std::string name;
  std::string group;  // metrics that what a unit is made of moves together: gemm, memory, link
  bool larger_is_better = true;
};

struct FleetUnit {
  std::string name;
  std::string block;                // units of one block are of equal hardware and compared with each other
  std::vector<std::string> places;  // one for each of Fleet::levels: its node, its rail, its switch
};

struct Fleet {
  std::vector<FleetMetric> metrics;
  std::string unit_level = "gpu";   // what a unit is
  std::vector<std::string> levels;  // places above a unit: node, rail, switch
  std::vector<FleetUnit> units;
  std::vector<double> values;  // by metric, then unit; above 0, NaN where not measured

  double& at(std::size_t metric, std::size_t unit) { return values[metric * units.size() + unit]; }
  double at(std::size_t metric, std::size_t unit) const { return values[metric * units.size() + unit]; }
};

/// Fewer equals than these cannot be compared with each other.
inline constexpr std::size_t least_equals = 8;

struct FleetRules {
  double most_suspects = 0.001;  // share of the places of a level that a metric may send to a second look
  double margin = 0.015;         // relative loss up to which a place counts as equal to its equals
  double site_margin = 0.07;     // relative loss that the site tolerates at most, however usual it is
  double family_error = 0.025;   // probability that a sound fleet has any place that fails
  double pass_error = 0.05;      // probability that a fleet with a place at its margin passes

  bool operator==(const FleetRules&) const = default;
};

enum class FindingKind {
  unlike_equals,  // fails: shown to be slower than its equals, by more than the margin
  beyond_site,    // fails: shown to be slower than the site tolerates
  suspect,        // open: slow, and not yet shown to be more than noise
  some_runs,      // open: some of its runs were far off, which the others do not show
};

struct FleetFinding {
  FindingKind kind = FindingKind::suspect;
  std::string level = {}, place = {}, metric = {};
  double loss = 0;                               // relative, the median of its runs
  std::optional<double> lower = {}, upper = {};  // of the loss
  double limit = 0;                              // of the loss
  std::size_t runs = 0, of_runs = 0;             // judged, and made: fewer where it degraded later
  std::optional<std::int64_t> more_runs = {};    // that would decide, about
  std::string explained_by = {};                 // an element of the fabric (slow_elements.hpp)
  bool is_fault() const { return kind == FindingKind::unlike_equals || kind == FindingKind::beyond_site; }
};

/// All places of a level in one metric.
struct FleetLook {
  std::string level, metric;
  std::int64_t places = 0, failed = 0, suspects = 0, passed = 0, undecided = 0;
  std::int64_t runs = 0;                       // the fewest of a place
  std::optional<std::int64_t> more_runs = {};  // that would decide nine in ten of the undecided, about
  double limit = 0;  // below which a loss must be shown to be: the margin, or more where equals spread
  /// Passed, and shown to be within FleetRules::margin of all equals, or beyond it.
  std::int64_t within_margin = 0, beyond_margin = 0;
  double slowest = 0;                  // loss of the slowest beyond the margin
  double seen = 0;                     // loss that fails in nine of ten cases; with one run, that is suspect
  double noise = 0, lasting = 0;       // standard deviations of one run, and of what lasts
  std::vector<std::string> open = {};  // some of the undecided
};

/// More than a tenth of a level is unlike the rest, whichever side is right.
struct FleetUnlike {
  std::string level = {}, metric = {};
  std::int64_t places = 0, unlike = 0, slower = 0;
  std::optional<std::size_t> run = {};  // in one run, from 1; else by the median of all
};

/// A point of a unit that failed, is in doubt or is missing, or more of it; also a level with too few places.
struct FleetIssue {
  std::string unit = {}, metric = {}, reason = {};
  std::string meaning = {};  // where it differs from that of its kind
  std::size_t points = 0;    // in doubt

  /// "h3/gpu1: 2 of 40 points"
  std::string text() const { return unit + ": " + reason; }
};

/// A place that is faster than its equals in all its points, or twice as fast in some: its clock runs wrong,
/// it did less work, or it is other hardware.
struct FleetClock {
  std::string level = {}, place = {};
  double least = 0, most = 0;  // of these points, how much faster, relative
  std::int64_t points = 0, of_points = 0;
};

struct FleetPlace {
  std::string level, place;
};

struct FleetJudgement {
  std::vector<FleetFinding> findings;  // faults first, the largest first
  std::vector<FleetLook> looks;
  std::vector<FleetUnlike> unlike;
  std::vector<std::string> too_fast;  // "node h3: 29.80 % faster in memory.host.copy"
  std::vector<FleetClock> wrong_clocks = {};
  /// Neither found nor passed in a metric: a number of more runs would decide, or none is in sight.
  std::vector<FleetPlace> undecided = {}, out_of_sight = {};
  std::vector<FleetPlace> cleared = {};   // with a run far off that their other runs clear
  std::vector<FleetIssue> too_few;        // "host: 2 places": levels nothing can be said of
  std::vector<std::string> small_blocks;  // "H100 PCIe: 3 units": units without enough equals
};

/// `again`: the later runs of the same units and metrics, NaN where none was made.
FleetJudgement judge_fleet(const Fleet& first, std::span<const Fleet> again, const FleetRules& rules);

/// 0.0123 of the logarithm as a relative loss, and back.
double loss_of_shift(double shift);
double shift_of_loss(double loss);

}  // namespace assay::results
