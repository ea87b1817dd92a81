// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Doses summed up over a timeline.
#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "results/judge/statistics/dose.hpp"

namespace assay::results {
namespace {

/// Everything that makes one unit's dose of one kind.
struct Sum {
  std::optional<double> amount;
  std::int64_t events = 0;
  std::string why_unknown;
  bool events_known = false;
  Rainflow swings;
};

/// The reason of a reading that is not a number. Never empty: without a reason it is as unknown.
std::string reason_of(const TimelineEntry& entry) {
  const std::string why = entry.text("why");
  return why.empty() ? "no reason is given" : why;
}

class DoseSum {
 public:
  void add(const TimelineEntry& entry) {
    hours_ = std::max(hours_, entry.at_s / 3600);
    if (entry.kind == "session") last_.clear();
    if (entry.kind == "moved_bits") count(entry, DoseKind::bit_error_rate);
    if (entry.kind == "link_errors") count_errors(entry);
    if (entry.kind == "energy_j") count(entry, DoseKind::joules);
    if (entry.kind == "temperature_c") swing(entry);
    if (entry.kind == "verified_bytes") verify(entry);
    if (entry.kind == "module") failed_points_ += entry.count("bad");
    if (entry.kind == "finding" && entry.word() == "failed")
      failed_checks_.emplace(entry.text("check"), entry.unit);
  }

  std::vector<UnitDose> take() {
    std::vector<UnitDose> doses;
    for (auto& [place, sum] : sums_) {
      const auto& [kind, unit] = place;
      if (kind == DoseKind::bit_error_rate && !sum.events_known && sum.why_unknown.empty())
        sum.why_unknown = "no counter of errors";
      if (kind == DoseKind::thermal_cycles && sum.amount) sum.amount = sum.swings.cycles_of(thermal_cycle_c);
      doses.push_back({kind, unit, sum.amount, sum.events, sum.why_unknown});
    }
    const auto failures = failed_points_ + static_cast<std::int64_t>(failed_checks_.size());
    doses.push_back({DoseKind::mtbf_h, "host", hours_, failures, ""});
    return doses;
  }

 private:
  Sum& sum(DoseKind kind, const TimelineEntry& entry) { return sums_[{kind, entry.unit}]; }

  /// The increase of a counter since the reading before; 0 for the first, and for one that was reset.
  double moved(const TimelineEntry& entry, double now) {
    const auto [before, first] = last_.try_emplace({entry.kind, entry.unit}, now);
    const double difference = first ? 0 : now - before->second;
    before->second = now;
    return std::max(0.0, difference);
  }

  void count(const TimelineEntry& entry, DoseKind kind) {
    Sum& of = sum(kind, entry);
    if (const auto now = entry.number())
      of.amount = of.amount.value_or(0) + moved(entry, *now);
    else if (!of.amount)
      of.why_unknown = reason_of(entry);
    if (of.amount && kind == DoseKind::joules) of.why_unknown.clear();
  }

  /// An interval whose errors are unknown proves nothing, whatever was counted before and after.
  void count_errors(const TimelineEntry& entry) {
    Sum& of = sum(DoseKind::bit_error_rate, entry);
    const auto now = entry.number();
    of.events_known = true;
    const auto before = last_.find({entry.kind, entry.unit});
    if (now && before != last_.end() && *now < before->second) {
      of.events += static_cast<std::int64_t>(*now);
      of.why_unknown = "its counters of errors were reset";  // what they had lost is not known
    }
    if (now)
      of.events += static_cast<std::int64_t>(moved(entry, *now));
    else
      of.why_unknown = reason_of(entry);
  }

  /// Unlike counters these are what each module added.
  void verify(const TimelineEntry& entry) {
    Sum& of = sum(DoseKind::corruption_per_byte, entry);
    of.amount = of.amount.value_or(0) + entry.number().value_or(0);
    of.events += entry.count("corruptions");
  }

  void swing(const TimelineEntry& entry) {
    Sum& of = sum(DoseKind::thermal_cycles, entry);
    if (const auto now = entry.number()) {
      of.swings.add(*now);
      of.amount = 0;
      of.why_unknown.clear();
    } else if (!of.amount) {
      of.why_unknown = reason_of(entry);
    }
  }

  std::map<std::pair<DoseKind, std::string>, Sum> sums_;
  std::map<std::pair<std::string, std::string>, double> last_;
  std::set<std::pair<std::string, std::string>> failed_checks_;
  std::int64_t failed_points_ = 0;
  double hours_ = 0;
};

}  // namespace

std::vector<UnitDose> doses_of(std::span<const TimelineEntry> timeline) {
  DoseSum sum;
  for (const TimelineEntry& entry : timeline) sum.add(entry);
  return sum.take();
}

void Rainflow::add(double value) {
  const std::size_t n = turns_.size();
  if (n >= 1 && value == turns_.back()) return;
  if (n >= 2 && (turns_[n - 1] - turns_[n - 2]) * (value - turns_[n - 1]) > 0) {
    turns_.back() = value;  // the same direction: no reversal
  } else {
    turns_.push_back(value);
  }
  count_closed();
}

/// X is the latest range, Y the one before it: Y is closed once X is as large. The latest value may yet go
/// further, which only makes X larger: what is closed stays closed.
void Rainflow::count_closed() {
  while (turns_.size() >= 3) {
    const std::size_t n = turns_.size();
    const double x = std::abs(turns_[n - 1] - turns_[n - 2]), y = std::abs(turns_[n - 2] - turns_[n - 3]);
    if (x < y) return;
    if (n == 3) {  // Y holds the starting point
      closed_.emplace_back(y, 0.5);
      turns_.erase(turns_.begin());
    } else {
      closed_.emplace_back(y, 1.0);
      turns_.erase(turns_.end() - 3, turns_.end() - 1);
    }
  }
}

std::vector<std::pair<double, double>> Rainflow::cycles() const {
  std::vector<std::pair<double, double>> all = closed_;
  for (std::size_t at = 1; at < turns_.size(); ++at)
    all.emplace_back(std::abs(turns_[at] - turns_[at - 1]), 0.5);
  return all;
}

double Rainflow::cycles_of(double range) const {
  double found = 0;
  for (const auto& [one, count] : cycles()) found += one >= range ? count : 0;
  return found;
}

}  // namespace assay::results
