// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/burn_in_limits.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/core/gpu_name.hpp"
#include "harness/core/names.hpp"
#include "harness/core/statistics/statistics.hpp"

namespace assay::suite {
namespace {

using results::TimelineEntry;
using results::Verdict;
using results::VerdictRow;

/// DCGM's targeted power asks for three quarters of its target. Memory: the project's own, below what
/// published figures of the H100 reach (about nine tenths).
constexpr double least_power = 0.75, least_bandwidth = 0.8;
/// More load, less power: a supply or a board that gives way.
constexpr double most_power_lost = 0.05;
constexpr double smallest_footprint_bytes = 256.0 * (1 << 20);  // several times any L2
constexpr double full_load = 100;                               // percent
constexpr std::string_view plain_read = "memory.cuda.read";

double number_at(const nlohmann::ordered_json& gpu, const char* key) {
  const auto found = gpu.find(key);
  return found != gpu.end() && found->is_number() ? found->get<double>() : 0;
}

void add_powers(const results::PointRecord& record, const LimitsOfGpus& limits, std::vector<Reached>& all) {
  for (int gpu = 0;; ++gpu) {
    const auto named = [&](const char* name) { return fmt::format("gpu{}_{}", gpu, name); };
    const results::Scalar* address = results::find(record.conditions, named("pci_address"));
    if (address == nullptr) return;
    const std::string word = results::word_or_empty(*address);
    const auto watts = results::number_in(record.conditions, named(core::names::power_w));
    const results::Scalar* left_out = results::find(record.conditions, named(core::names::power_left_out));
    const auto limit = limits.find(word);
    if ((!watts && left_out == nullptr) || limit == limits.end() || limit->second.power_w <= 0) continue;
    all.push_back({.unit = core::GpuName{std::to_string(gpu), word}.text(),
                   .point = record.case_name + "/" + record.key,
                   .metric = core::names::power_w,
                   .value = watts.value_or(0),
                   .limit = limit->second.power_w,
                   .duty_percent = results::number_in(record.point, core::names::duty_percent).value_or(100),
                   .why_unknown = watts ? "" : results::word_or_empty(*left_out)});
  }
}

void add_bandwidth(const results::PointRecord& record, const LimitsOfGpus& limits,
                   std::vector<Reached>& all) {
  const results::Scalar* address = results::find(record.conditions, core::names::gpu_pci_address);
  if (address == nullptr || record.case_name != plain_read || record.metrics.empty()) return;
  if (results::number_in(record.point, "bytes").value_or(0) < smallest_footprint_bytes) return;
  const std::string word = results::word_or_empty(*address);
  const auto limit = limits.find(word);
  const results::Metric& headline = record.metrics.front();
  if (headline.name != core::names::bandwidth_gb_per_s || limit == limits.end() ||
      limit->second.bandwidth_gb_per_s <= 0)
    return;
  const auto gpu = std::ranges::find(record.units, "gpu", &results::UnitReport::kind);
  all.push_back({.unit = core::GpuName{gpu == record.units.end() ? "" : gpu->id, word}.text(),
                 .point = record.case_name + "/" + record.key,
                 .metric = core::names::bandwidth_gb_per_s,
                 .value = headline.value,
                 .limit = limit->second.bandwidth_gb_per_s});
}

/// Values of one GPU and metric, by load.
struct Steps {
  std::map<double, std::vector<double>> values;
  double limit = 0;
  std::string why_unknown = {};  // of a value at full load

  double median_at(double load) const { return core::quantile_of(values.at(load), 0.5); }
};
using ByUnit = std::map<std::pair<std::string, std::string>, Steps>;  // by metric and unit

VerdictRow row_for(const std::string& unit, const char* metric, std::size_t n) {
  VerdictRow row{.unit = unit, .kind = "gpu", .metric = metric, .verdict = Verdict::pass};
  row.n = static_cast<std::int64_t>(n);
  return row;
}

VerdictRow share_row(const std::string& unit, const char* metric, const Steps& steps, double least,
                     const char* unit_of_value, const char* meaning) {
  VerdictRow row = row_for(unit, metric, steps.values.at(full_load).size());
  const double value = steps.median_at(full_load);
  row.because = fmt::format("{:.0f} of {:.0f} {}, {:.1f} %; {:g} % expected", value, steps.limit,
                            unit_of_value, 100 * value / steps.limit, 100 * least);
  if (value >= least * steps.limit) return row;
  row.verdict = Verdict::fail;
  row.meaning = meaning;
  row.action = results::Action::drain;
  return row;
}

/// The plan's windows are too short for it, or the GPU has no such sensor.
VerdictRow unknown_row(const std::string& unit, const std::string& why) {
  VerdictRow row = row_for(unit, "power_of_limit", 0);
  row.verdict = Verdict::not_run;
  row.excused = true;
  row.because = "its power is unknown: " + why;
  return row;
}

VerdictRow ramp_row(const std::string& unit, const Steps& steps) {
  VerdictRow row = row_for(unit, "power_ramp", steps.values.size());
  std::vector<std::string> texts;
  double most = 0;
  for (const auto& [load, ignored] : steps.values) {
    const double watts = steps.median_at(load);
    texts.push_back(fmt::format("{:.0f} W at {:g} %", watts, load));
    if (watts < (1 - most_power_lost) * most) row.verdict = Verdict::fail;
    most = std::max(most, watts);
  }
  row.because = fmt::format("{}", fmt::join(texts, ", "));
  if (row.verdict == Verdict::pass) return row;
  row.meaning = "less power at more load: the supply or the board gives way when all GPUs start together";
  row.action = results::Action::drain;
  return row;
}

}  // namespace

LimitsOfGpus limits_of_gpus(const nlohmann::ordered_json& machine) {
  LimitsOfGpus limits;
  if (!machine.contains("gpus")) return limits;
  for (const auto& gpu : machine["gpus"]) {
    if (!gpu.contains("pcie") || !gpu["pcie"].contains("address")) continue;
    // Double data rate: two transfers a clock.
    constexpr double gb_of_mhz_bits = 2.0 / 8 / 1000;
    limits[gpu["pcie"]["address"].get<std::string>()] = {
        .power_w = number_at(gpu, "power_limit_w"),
        .bandwidth_gb_per_s =
            number_at(gpu, "max_memory_clock_mhz") * number_at(gpu, "memory_bus_bits") * gb_of_mhz_bits};
  }
  return limits;
}

std::vector<Reached> reached_in(const results::PointRecord& record, const LimitsOfGpus& limits) {
  std::vector<Reached> all;
  if (record.status != results::Status::ok) return all;
  add_powers(record, limits, all);
  add_bandwidth(record, limits, all);
  return all;
}

results::TimelineEntry entry_of(const Reached& reached) {
  results::TimelineEntry entry{.kind = reached_kind,
                               .unit = reached.unit,
                               .value = reached.value,
                               .more = {{"point", reached.point},
                                        {"metric", reached.metric},
                                        {"limit", reached.limit},
                                        {core::names::duty_percent, reached.duty_percent}}};
  if (reached.why_unknown.empty()) return entry;
  entry.value = std::string(results::entry_word::unknown);
  entry.more.emplace_back("why", reached.why_unknown);
  return entry;
}

std::vector<VerdictRow> limit_rows(std::span<const TimelineEntry> timeline) {
  ByUnit units;
  for (const TimelineEntry& entry : timeline) {
    if (entry.kind != reached_kind) continue;
    Steps& steps = units[{entry.text("metric"), entry.unit}];
    const double load = results::number_in(entry.more, core::names::duty_percent).value_or(full_load);
    if (entry.number())
      steps.values[load].push_back(*entry.number());
    else if (load == full_load)
      steps.why_unknown = entry.text("why");
    steps.limit = results::number_in(entry.more, "limit").value_or(0);
  }
  std::vector<VerdictRow> rows;
  for (const auto& [of, steps] : units) {
    const bool power = of.first == core::names::power_w;
    if (!steps.values.contains(full_load) && !steps.why_unknown.empty())
      rows.push_back(unknown_row(of.second, steps.why_unknown));
    if (steps.values.contains(full_load) && steps.limit > 0)
      rows.push_back(power ? share_row(of.second, "power_of_limit", steps, least_power, "W",
                                       "it does not draw what full load should: held back, or badly fed")
                           : share_row(of.second, "bandwidth_of_limit", steps, least_bandwidth, "GB/s",
                                       "its memory is slower than clock and width allow"));
    if (power && steps.values.size() > 1) rows.push_back(ramp_row(of.second, steps));
  }
  return rows;
}

}  // namespace assay::suite
