// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/records/simulation_records.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "harness/core/calendar.hpp"
#include "harness/core/measure/axis.hpp"
#include "harness/core/names.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "model/fabric/simulate/answer/answer.hpp"
#include "model/fabric/simulate/loads.hpp"
#include "results/record/time_summary.hpp"

namespace assay::model::fabric {

namespace {

namespace names = core::names;
using results::PointRecord;

/// A whole number where it is one.
core::Value value_of(const std::string& text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && at == end) return number;
  return text;
}

core::Point point_of(const Simulated& one) {
  const FabricFile& fabric = one.scenario.model().file();
  core::Point point;
  point.set("fabric", fabric.name)
      .set("workload", one.scenario.workload().name)
      .set("routing", fabric.routing_word)
      .set("queue_pairs", std::int64_t{fabric.routing.queue_pairs})
      .set("sharing", std::string(choice_words.of(one.options.sharing)))
      .set("seeds", std::int64_t{one.options.seeds});
  for (const KeyValue& replaced : one.replaced)
    if (const std::string key = whole_key(replaced.key);
        key != "routing.kind" && key != "routing.queue_pairs")
      point.set(key, value_of(replaced.value));
  return point;
}

/// The rules of the simulation, their known errors and the coefficients used: a line each.
std::string basis_of(const Simulated& one) {
  const FabricFile& fabric = one.scenario.model().file();
  std::vector<std::string> notes = notes_of(fabric, one.simulation.rules, one.options.seeds);
  if (fabric.assumed.empty())
    notes.push_back(fmt::format("Speeds, latencies and buffers are as {} states them.", fabric.file));
  return fmt::format("{}", fmt::join(notes, "\n"));
}

template <class Function>
std::vector<double> mapped(const std::vector<double>& values, const Function& function) {
  std::vector<double> all;
  for (const double value : values) all.push_back(function(value));
  return all;
}

constexpr double seconds_of_us = 1e-6, confidence = 0.95;

/// Without metrics. `time_us`: of each seed that the record is of.
PointRecord record_of(const Simulated& one, const char* what, const core::Point& point,
                      const std::vector<double>& time_us) {
  PointRecord record;
  record.module = "fabric";
  record.case_name = fmt::format("fabric.flows.{}", what);
  for (const auto& [name, value] : point.coordinates())
    std::visit([&](const auto& held) { record.point.emplace_back(name, held); }, value);
  record.key = point.key();
  record.started = core::iso_time_now();
  record.samples_s = mapped(time_us, [](double us) { return seconds_of_us * us; });
  record.time = results::time_summary(core::independent_quantile_interval(record.samples_s, 0.5, confidence),
                                      record.samples_s);
  record.stop = "samples";
  record.conditions = {{names::basis, basis_of(one)}};
  return record;
}

results::Metric metric_of(std::string name, std::string unit, const results::Number& number) {
  return {std::move(name), std::move(unit), number.value, number.lower, number.upper};
}

PointRecord workload_record(const Simulated& one) {
  const Simulation& simulation = one.simulation;
  PointRecord record = record_of(one, "workload", point_of(one), simulation.time_us);
  record.metrics = {metric_of(names::time_us, "us", number_of(simulation.time_us))};
  const OperationTimes& first = simulation.operations.front();
  if (simulation.operations.size() == 1 && first.operation->kind != OperationKind::compute)
    record.metrics.push_back(metric_of(
        names::busbw_gb_per_s, "GB/s",
        number_of(mapped(first.time_us, [&](double us) { return 1e-3 * first.bus_bandwidth(us); }))));
  if (std::ranges::max(simulation.uplinks_max_over_mean) > 0)
    record.metrics.push_back(
        metric_of(names::uplinks_max_over_mean, "", number_of(simulation.uplinks_max_over_mean)));
  if (simulation.even_us > 0)
    record.metrics.push_back(metric_of(
        names::percent_of_even, "%",
        number_of(mapped(simulation.time_us, [&](double us) { return 100 * simulation.even_us / us; }))));
  return record;
}

PointRecord step_record(const Simulated& one, std::size_t number, int first, double alike,
                        const std::vector<double>& time_us) {
  const OperationTimes& operation = one.simulation.operations[number];
  PointRecord record = record_of(one, "step",
                                 point_of(one)
                                     .set("operation", static_cast<std::int64_t>(number + 1))
                                     .set("step", std::int64_t{std::max(first, 0)}),
                                 time_us);
  record.metrics = {metric_of(names::time_us, "us", number_of(time_us))};
  record.conditions.emplace_back(names::operation_text, operation.operation->text());
  record.conditions.emplace_back(names::stream, operation.stream);
  record.conditions.emplace_back(names::steps_alike, alike);
  return record;
}

void append_steps(const Simulated& one, std::vector<PointRecord>& records) {
  for (std::size_t number = 0; number < one.simulation.operations.size(); ++number) {
    const OperationTimes& operation = one.simulation.operations[number];
    for (const StepTimes& step : operation.steps)
      records.push_back(step_record(one, number, step.first, step.repeats, step.time_us));
    if (operation.steps.empty()) records.push_back(step_record(one, number, 0, 1, operation.time_us));
  }
}

/// One of the switches that hosts are wired to.
struct Leaf {
  NodeId node = 0;
  double max_over_mean = 0;  // of its uplinks, over the mean of the tier
};

/// Those whose uplinks carry anything, by their numbers.
std::vector<Leaf> recorded_leaves(const FabricModel& model, const std::vector<double>& bytes,
                                  double mean_bytes) {
  const Topology& topology = model.topology();
  std::vector<Leaf> leaves;
  for (NodeId node = topology.hosts(); node < topology.hosts() + topology.leaves(); ++node) {
    Leaf leaf{.node = node};
    for (LinkId link = topology.first_up(node); link < topology.end_up(node); ++link)
      leaf.max_over_mean = std::max(leaf.max_over_mean, bytes[link] / mean_bytes);
    if (leaf.max_over_mean > 0) leaves.push_back(leaf);
  }
  std::ranges::stable_sort(leaves, std::greater(), &Leaf::max_over_mean);
  if (leaves.size() > most_recorded_leaves) leaves.resize(most_recorded_leaves);
  std::ranges::sort(leaves, {}, &Leaf::node);
  return leaves;
}

void append_leaves(const Simulated& one, std::vector<PointRecord>& records) {
  const std::vector<double>& bytes = one.simulation.bytes_of_links;
  if (bytes.empty()) return;
  const FabricModel& model = one.scenario.model();
  const Topology& topology = model.topology();
  const double mean_bytes = uplink_load(model, bytes).mean_bytes;
  if (mean_bytes <= 0) return;
  for (const Leaf& leaf : recorded_leaves(model, bytes, mean_bytes)) {
    PointRecord record = record_of(
        one, "leaf", point_of(one).set("leaf", static_cast<std::int64_t>(leaf.node - topology.hosts())),
        {one.simulation.time_us[one.simulation.median_seed - 1]});
    record.metrics = {{names::uplinks_max_over_mean, "", leaf.max_over_mean}};
    const LinkId first = topology.first_up(leaf.node);
    for (LinkId link = first; link < topology.end_up(leaf.node); ++link)
      if (topology.live(link))
        record.metrics.push_back(
            {fmt::format("{}_{}", names::uplink_over_mean, link - first), "", bytes[link] / mean_bytes});
    record.conditions.emplace_back(names::leaves, std::int64_t{topology.leaves()});
    record.conditions.emplace_back(names::seed, std::int64_t{one.simulation.median_seed});
    records.push_back(std::move(record));
  }
}

PointRecord placement_record(const Simulated& one, const char* order, const std::vector<TierCut>& cuts,
                             double TierCut::* bytes) {
  PointRecord record = record_of(one, "placement", point_of(one).set("order", order), one.simulation.time_us);
  record.metrics = {metric_of(names::time_us, "us", number_of(one.simulation.time_us))};
  for (const TierCut& cut : cuts) {
    record.metrics.push_back({fmt::format("{}_{}", names::bytes_leaving, cut.tier), "B", cut.*bytes});
    record.metrics.push_back({fmt::format("{}_{}", names::least_bytes_leaving, cut.tier), "B", cut.bound});
  }
  return record;
}

}  // namespace

std::vector<PointRecord> simulation_records(const Simulated& one) {
  std::vector<PointRecord> records = {workload_record(one)};
  append_steps(one, records);
  append_leaves(one, records);
  return records;
}

std::vector<PointRecord> placement_records(const Simulated& before, const Simulated& after,
                                           const std::vector<TierCut>& cuts) {
  return {placement_record(before, "as_is", cuts, &TierCut::before),
          placement_record(after, "placed", cuts, &TierCut::after)};
}

}  // namespace assay::model::fabric
