// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/journal/record_of.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "harness/core/units.hpp"
#include "results/record/time_summary.hpp"

namespace assay::run {
namespace {

results::Scalar scalar_of(const core::Value& value) {
  return std::visit([](const auto& held) { return results::Scalar(held); }, value);
}

}  // namespace

results::PointRecord planned_record(const std::string& module, const plan::PlannedPoint& planned) {
  const core::Case& benchmark = *planned.benchmark;
  results::PointRecord record;
  record.module = module;
  record.case_name = benchmark.name;
  for (const auto& [name, value] : planned.point.coordinates()) {
    record.point.emplace_back(name, scalar_of(value));
    const auto axis = std::ranges::find(benchmark.axes, name, &core::Axis::name);
    if (axis == benchmark.axes.end() || axis->unit_kind.empty()) continue;
    if (const std::string id = core::to_text(value); id != "auto")  // the host chose: the whole host
      record.units.push_back({axis->unit_kind, id});
  }
  record.key = planned.point.key();
  record.repetition = planned.repetition;
  return record;
}

results::Metric headline_metric(const core::Case& benchmark, const core::Work& work,
                                const core::QuantileInterval& interval) {
  results::Metric metric;
  metric.name = core::headline_name(benchmark.headline);
  metric.unit = core::headline_unit(benchmark.headline);
  const auto set = [&](bool falls_with_time, const std::function<double(double)>& of_seconds) {
    metric.value = of_seconds(interval.estimate);
    metric.lower = of_seconds(falls_with_time ? interval.upper : interval.lower);
    metric.upper = of_seconds(falls_with_time ? interval.lower : interval.upper);
  };
  switch (benchmark.headline) {
    case core::Headline::bandwidth_gb_per_s:
      set(true, [&](double seconds) { return core::gb_per_s(work.bytes, seconds); });
      break;
    case core::Headline::tflops:
      set(true, [&](double seconds) { return core::tflops(work.flops, seconds); });
      break;
    case core::Headline::latency_ns:
      set(false, [](double seconds) { return seconds * 1e9; });
      break;
    case core::Headline::message_rate_m_per_s:
      set(true, [&](double seconds) { return work.messages / seconds * 1e-6; });
      break;
    case core::Headline::update_rate_gup_per_s:
      set(true, [&](double seconds) { return work.operations / seconds * 1e-9; });
      break;
    case core::Headline::connection_rate_per_s:
      set(true, [&](double seconds) { return work.operations / seconds; });
      break;
    case core::Headline::latency_us:
    case core::Headline::time_us:
      set(false, [](double seconds) { return seconds * 1e6; });
      break;
  }
  return metric;
}

void add_measurement(results::PointRecord& record, const core::Case& benchmark, const core::Work& work,
                     const core::Measurement& measurement) {
  record.time = results::time_summary(measurement.interval, measurement.samples_s);
  record.metrics.insert(record.metrics.begin(), headline_metric(benchmark, work, measurement.interval));
  record.stop = core::to_string(measurement.stop);
  record.drifting = measurement.drifting;
  record.iterations_per_sample = measurement.iterations_per_sample;
  record.cold_first_s = measurement.cold_first_s;
  record.warmup = {measurement.warmup.seconds, measurement.warmup.samples, measurement.warmup.stationary,
                   measurement.warmup.last_moving};
  record.verification = measurement.verification;
  record.samples_s = measurement.samples_s;
  record.sm_cycles = measurement.sm_cycles;
  if (measurement.verification.result == core::Verification::Result::wrong) {
    record.status = results::Status::wrong;
    record.reason = measurement.verification.why;
  }
}

void add_report(results::PointRecord& record, core::Report report) {
  for (results::Metric& metric : report.metrics)
    if (std::ranges::count(record.metrics, metric.name, &results::Metric::name) == 0)
      record.metrics.push_back(std::move(metric));
  record.conditions = std::move(report.facts);
  record.links = std::move(report.links);
  record.flows = std::move(report.flows);
  record.ranks = std::move(report.ranks);
}

}  // namespace assay::run
