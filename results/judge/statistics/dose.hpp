// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The doses of a burn-in at each unit, and what they prove: bits and their error rate, bytes verified and
// their corruption, joules, thermal cycles, node-hours and the time between failures. The time it took is
// none of these.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/record/timeline.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// Events (bit errors, corruptions) per unit of exposure, at most, with 95 % confidence: the Poisson limit of
/// the events over the exposure, 1 at most. With few events that is Clopper-Pearson's limit of a proportion.
/// `exposure` above 0, a usage Error otherwise.
double rate_below(double exposure, std::int64_t events);

/// The mean time between failures is at least this, with 95 % confidence, after `hours` with so many
/// failures: 2 T over the 95 % quantile of chi-square with 2 (failures + 1) degrees of freedom (NIST/SEMATECH
/// e-Handbook of Statistical Methods, 8.4.5.1, a test ended by time).
double mtbf_above_h(double hours, std::int64_t failures);

enum class DoseKind { bit_error_rate, corruption_per_byte, joules, thermal_cycles, mtbf_h };

/// Whether a dose of this kind proves a rate of events, which is to be low.
bool is_rate(DoseKind kind);

/// The least swing that counts as a thermal cycle, in degrees.
inline constexpr double thermal_cycle_c = 20;

struct UnitDose {
  DoseKind kind;
  std::string unit;
  std::optional<double> amount;  // bits, bytes, joules, cycles, node-hours; empty: unknown
  std::int64_t events = 0;       // bit errors, corruptions, failures
  std::string why_unknown = {};  // why `amount`, or what it proves, is unknown

  /// The value compared with a target: the bound where the kind has one, else the amount. Empty: nothing is
  /// proven yet.
  std::optional<double> proven() const;
};

/// The doses of a timeline, by kind and unit. Differences of counters count from one session's first reading
/// on; one that ran backwards was reset, and that step counts for nothing.
std::vector<UnitDose> doses_of(std::span<const TimelineEntry> timeline);

using DoseTargets = std::map<DoseKind, double>;

/// "bit_error_rate=1e-15,joules=2e7", or a TOML file of such keys. Throws a usage Error naming key or line.
DoseTargets read_dose_targets(const std::string& text_or_file);
/// The text that read_dose_targets() reads again, to be kept.
std::string to_text(const DoseTargets& targets);

/// Rates: at most the target; all else: at least.
bool reaches(const UnitDose& dose, double target);

/// So many events were seen that the target is not true of this unit: half of them would be too many, and of
/// 20 or more the true mean is above half with 99 %.
bool is_refuted(const UnitDose& dose, double target);

struct MissingDose {
  DoseKind kind;
  std::string unit;
  std::string why;
};

/// The doses that keep the targets from being reached: every unit that falls short, and every target that no
/// unit reports. Joules are asked of GPUs where there are any, else of the units that report them.
std::vector<MissingDose> missing(std::span<const UnitDose> doses, const DoseTargets& targets);

/// One row a dose: unit, what was done, what it proves, and the target.
Table to_table(std::span<const UnitDose> doses, const DoseTargets& targets);
/// "3.2e15 bits, no errors: error rate below 9.4e-16 at 95 %".
std::string describe(const UnitDose& dose);

std::string_view to_string(DoseKind kind);

/// Rainflow counting after ASTM E1049-85 (2017), section 5.4.4: how often a load went up and down, and by how
/// much. A small swing within a large one counts as itself and leaves the large one whole.
class Rainflow {
 public:
  void add(double value);

  /// Range and how often, 1 or 0.5 each; what is still open counts as half cycles.
  std::vector<std::pair<double, double>> cycles() const;
  /// How many cycles there were of at least this range.
  double cycles_of(double range) const;

 private:
  void count_closed();

  std::vector<double> turns_;  // reversals that no closed cycle has used up, the latest value last
  std::vector<std::pair<double, double>> closed_;
};

}  // namespace assay::results
