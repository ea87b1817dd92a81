// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Power and SM clock of every GPU against the time of the run: one reading for each measurement, repetitions
// apart, with the extremes of the clock and what the GPU said held it back. {points: [{gpu, case, point,
// from_s, to_s, power_w, clock_mhz, lowest_mhz, highest_mhz, held_back}]}, as power.ts draws it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/names.hpp"
#include "results/record/clock_watch.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/sections.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Column::Kind;

constexpr std::size_t readings_drawn = 2000;

struct PowerReading {
  const PointRecord* record;
  double from_s = 0;  // since the run began
  std::optional<double> power_w, clock_mhz;
};

std::optional<double> metric_in(const PointRecord& record, const std::string& name) {
  const Metric* const found = find(record.metrics, name);
  return found != nullptr && std::isfinite(found->value) ? std::optional(found->value) : std::nullopt;
}

/// The address is one for all modules; an axis numbers the devices that one of them sees.
std::string gpu_of(const PointRecord& record) {
  const std::string address = field_text(record.conditions, {core::names::gpu_pci_address});
  const std::string name = address.empty() ? field_text(record.point, {"gpu"}) : address;
  return name.empty() ? "GPU" : "GPU " + name;
}

/// "sw_power_cap 35 %": a GPU that idles between iterations is not held back.
std::string held_back(const PointRecord& record) {
  const std::string begin = "throttle_", end = "_fraction";
  std::string text;
  for (const auto& [name, value] : record.conditions) {
    const double fraction = number_of(value).value_or(0);
    if (!name.starts_with(begin) || !name.ends_with(end) || !(fraction > 0)) continue;
    const std::string reason = name.substr(begin.size(), name.size() - begin.size() - end.size());
    if (reason != "gpu_idle")
      text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", reason, 100 * fraction);
  }
  return text;
}

/// In order of time.
std::vector<PowerReading> readings_of(const RunPoints& run) {
  const std::optional<double> began = seconds_of(run.stored().started);
  std::vector<PowerReading> readings;
  for (const StoredPoint& point : run.rows("*.cuda.*")) {
    if (point.status != Status::ok || !began) continue;
    const PointRecord& record = run.record(point.id);
    const auto started = seconds_of(record.started);
    const PowerReading reading{.record = &record,
                               .from_s = started.value_or(NAN) - *began,
                               .power_w = metric_in(record, core::names::power_w),
                               .clock_mhz = metric_in(record, core::names::sustained_sm_clock_mhz)};
    if (started && (reading.power_w || reading.clock_mhz)) readings.push_back(reading);
  }
  std::ranges::stable_sort(readings, {}, &PowerReading::from_s);
  return readings;
}

}  // namespace

Json power_chart(const RunPoints& run) {
  Json points = Json::array();
  for (const PowerReading& one : chart::thinned(readings_of(run), readings_drawn)) {
    const PointRecord& record = *one.record;
    points.push_back(
        {{"gpu", gpu_of(record)},
         {"case", record.case_name},
         {"point", record.key},
         {"from_s", one.from_s},
         {"to_s", one.from_s + record.elapsed_s},
         {core::names::power_w, chart::number(one.power_w)},
         {"clock_mhz", chart::number(one.clock_mhz)},
         {"lowest_mhz", chart::number(number_in(record.conditions, core::names::nvml_sm_clock_min_mhz))},
         {"highest_mhz", chart::number(number_in(record.conditions, core::names::nvml_sm_clock_max_mhz))},
         {"held_back", held_back(record)}});
  }
  return {{"points", points}};
}

Table power_table(const RunPoints& run) {
  Table table{.title = "Power and SM clock over the run",
              .columns = {{"at", "s", Kind::number},
                          {"GPU", "", Kind::word, true},
                          {"case", "", Kind::word},
                          {"point"},
                          {"power", "W", Kind::number, false, true},
                          {"SM clock", "MHz", Kind::number, false, true},
                          {"lowest", "MHz", Kind::number, false, true},
                          {"highest", "MHz", Kind::number, false, true},
                          {"warmest", "C", Kind::number, false, true},
                          {"held back by", "", Kind::text, false, true},
                          {"no power", "", Kind::text, false, true}}};
  for (const PowerReading& one : readings_of(run)) {
    const PointRecord& record = *one.record;
    const std::string why = held_back(record),
                      left_out = field_text(record.conditions, {core::names::power_left_out});
    table.rows.push_back({Number{one.from_s}, gpu_of(record), record.case_name, record.key,
                          number_cell(one.power_w), number_cell(one.clock_mhz),
                          number_cell(number_in(record.conditions, core::names::nvml_sm_clock_min_mhz)),
                          number_cell(number_in(record.conditions, core::names::nvml_sm_clock_max_mhz)),
                          number_cell(number_in(record.conditions, core::names::temperature_max_c)),
                          why.empty() ? Cell() : Cell(why), left_out.empty() ? Cell() : Cell(left_out)});
  }
  table.notes.emplace_back(
      "Power: mean over the measurement, by the GPU's energy counter; left out where too few of the "
      "counter's steps "
      "fell into it. SM clock: cycles over the time of the kernels. Lowest and highest: read from the driver "
      "at the "
      "same time.");
  cut_rows(table, rows_at_most, "measurements");
  return table;
}

}  // namespace assay::results
