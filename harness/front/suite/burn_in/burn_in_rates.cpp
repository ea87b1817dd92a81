// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/burn_in_rates.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "harness/core/gpu_name.hpp"
#include "harness/core/names.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::suite {
namespace {

using results::TimelineEntry;
using results::Verdict;
using results::VerdictRow;

constexpr double most_behind = 0.03;        // the rest of its equals, or of what it did before
constexpr std::size_t fewest_of_drift = 6;  // points
constexpr std::size_t fewest_equals = 3;    // of two either may be the slow one

using Rates = std::map<std::string, std::vector<double>>;  // by unit, in order

/// One GPU at one point, over time.
struct Soak {
  std::vector<double> tflops = {}, mhz = {}, power_w = {};
};

VerdictRow row_of(const std::string& unit, const char* metric, std::vector<double> shares, const char* of) {
  const double share = core::quantile_of(shares, 0.5);
  VerdictRow row{.unit = unit, .kind = "gpu", .metric = metric, .verdict = Verdict::pass};
  row.n = static_cast<std::int64_t>(shares.size());
  row.because = fmt::format("{:.2f} % of {}, all GPUs at work", 100 * share, of);
  return row;
}

/// Each GPU's share of the median of all, one a point.
Rates shares_of_equals(const std::map<std::string, Rates>& points) {
  Rates shares;
  for (const auto& [point, rates] : points) {
    std::vector<double> all;
    for (const auto& [unit, values] : rates) all.push_back(core::quantile_of(values, 0.5));
    if (all.size() < fewest_equals) continue;
    const double median = core::quantile_of(all, 0.5);
    for (const auto& [unit, values] : rates) shares[unit].push_back(core::quantile_of(values, 0.5) / median);
  }
  return shares;
}

void add_equals(const std::map<std::string, Rates>& points, std::vector<VerdictRow>& rows) {
  for (const auto& [unit, shares] : shares_of_equals(points)) {
    rows.push_back(row_of(unit, "tflops_of_equals", shares, "the median GPU's TFLOP/s"));
    if (core::quantile_of(shares, 0.5) >= 1 - most_behind) continue;
    rows.back().verdict = Verdict::fail;
    rows.back().meaning = fmt::format("more than {:g} % slower than its equals", 100 * most_behind);
    rows.back().action = results::Action::drain;
  }
}

/// Medians of the first third and of the last.
struct Change {
  double first = 0, last = 0;
};

Change change_of(const std::vector<double>& values) {
  const auto third = static_cast<std::ptrdiff_t>(values.size() / 3);
  return {core::quantile_of(std::vector<double>(values.begin(), values.begin() + third), 0.5),
          core::quantile_of(std::vector<double>(values.end() - third, values.end()), 0.5)};
}

/// How clock and power went meanwhile: why it is slower.
void add_why(const Soak& soak, VerdictRow& row) {
  for (const auto& [values, unit] : {std::pair{&soak.mhz, "MHz"}, std::pair{&soak.power_w, "W"}}) {
    if (values->size() != soak.tflops.size()) continue;
    const Change change = change_of(*values);
    row.evidence.push_back(
        fmt::format("{:.0f} {} at first, {:.0f} {} at last", change.first, unit, change.last, unit));
  }
}

void add_drift(const std::map<std::pair<std::string, std::string>, Soak>& soaks,
               std::vector<VerdictRow>& rows) {
  for (const auto& [of, soak] : soaks) {
    if (soak.tflops.size() < fewest_of_drift) continue;
    const Change change = change_of(soak.tflops);
    const double share = change.last / change.first;
    rows.push_back(row_of(of.first, "tflops_drift", {share}, "what it did at first"));
    rows.back().n = static_cast<std::int64_t>(soak.tflops.size());
    add_why(soak, rows.back());
    if (share >= 1 - most_behind) continue;
    rows.back().verdict = Verdict::fail;
    rows.back().meaning =
        fmt::format("more than {:g} % slower than at first: it does not keep its speed", 100 * most_behind);
    rows.back().action = results::Action::drain;
  }
}

}  // namespace

std::vector<GpuRate> gpu_rates_of(const results::PointRecord& record) {
  std::vector<GpuRate> rates;
  if (record.status != results::Status::ok) return rates;
  for (int gpu = 0;; ++gpu) {
    const auto named = [&](const char* name) { return fmt::format("gpu{}_{}", gpu, name); };
    const auto together = results::number_in(record.conditions, named(core::names::tflops_together));
    if (!together) return rates;
    const results::Scalar* address = results::find(record.conditions, named("pci_address"));
    const auto number = [&](const char* name) {
      return results::number_in(record.conditions, named(name)).value_or(0);
    };
    rates.push_back({.unit = core::GpuName{std::to_string(gpu),
                                           address == nullptr ? "" : results::word_or_empty(*address)}
                                 .text(),
                     .point = record.case_name + "/" + record.key,
                     .together = *together,
                     .alone = number(core::names::tflops_alone),
                     .mhz = number(core::names::mhz_together),
                     .power_w = number(core::names::power_w)});
  }
}

std::vector<VerdictRow> rate_rows(std::span<const TimelineEntry> timeline) {
  std::map<std::string, Rates> rounds;                        // a point of one round, which may repeat
  std::map<std::pair<std::string, std::string>, Soak> soaks;  // by unit and point
  for (const TimelineEntry& entry : timeline) {
    if (entry.kind != rate_kind || !entry.number()) continue;
    rounds[fmt::format("{} {}", entry.count("round"), entry.text("point"))][entry.unit].push_back(
        *entry.number());
    Soak& soak = soaks[{entry.unit, entry.text("point")}];
    soak.tflops.push_back(*entry.number());
    if (const auto mhz = results::number_in(entry.more, "mhz")) soak.mhz.push_back(*mhz);
    if (const auto watts = results::number_in(entry.more, core::names::power_w))
      soak.power_w.push_back(*watts);
  }
  std::vector<VerdictRow> rows;
  add_equals(rounds, rows);
  add_drift(soaks, rows);
  return rows;
}

}  // namespace assay::suite
