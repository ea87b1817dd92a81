// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/interference_cases.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

#include "harness/core/units.hpp"
#include "harness/host/available_memory.hpp"
#include "harness/host/host_site.hpp"
#include "harness/workload/host_library.hpp"
#include "offload/interference/contest.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Axis;
using core::Domain;
using core::Value;

std::vector<Value> values_of(const std::vector<std::string>& words) { return {words.begin(), words.end()}; }

/// 0, 1, 2, 4, ... and all CPUs but the victim's.
Axis threads_axis(const machine::Machine& machine) {
  const std::int64_t most = std::max(1, machine.cpu.threads - 1);
  Axis axis{
      "threads", "of the aggressor, a CPU each; 0: no load, a control", Domain::integers, {std::int64_t{0}}};
  for (std::int64_t count = 1; count < most; count *= 2) axis.values.emplace_back(count);
  axis.values.emplace_back(most);
  axis.aliases = {{"all", most}};
  return axis;
}

std::vector<Axis> contest_axes(const machine::Machine& machine) {
  return {{"victim", "what is disturbed, on one CPU", Domain::words, values_of(all_victims()), all_victims()},
          {"aggressor", "what runs at the same time", Domain::words, values_of(all_loads()), all_loads()},
          threads_axis(machine),
          cap_axis("of each aggressor thread, read plus written: GB/s above 0, or unlimited",
                   {Value("unlimited")}),
          {"bytes", "arrays of a stream or copy, of each thread", Domain::sizes, {192 * core::mib}},
          {"m", "rows and columns of a product", Domain::integers, {std::int64_t{512}}},
          {"dtype", "type of a product's operands", Domain::words, {Value("bf16")}, {"bf16", "fp32"}},
          node_axis("near", "NUMA node of the threads and of the near memory; local: where they run"),
          node_axis("far", "NUMA node of the far memory; local: where the threads run")};
}

}  // namespace

ContestSettings contest_settings(const core::Point& point) {
  const std::int64_t most = 1 << 20;
  return {.victim = load_from("victim", point.text("victim")),
          .aggressor = load_from("aggressor", point.text("aggressor")),
          .threads = static_cast<int>(within(point, "threads", 0, most)),
          .cap_gb_per_s = parse_cap(point.text("cap_gb_per_s")),
          .loads = {.gemm_size = within(point, "m", 1, 65536),
                    .dtype = workload::dtype_from(point.text("dtype")),
                    .bytes = within(point, "bytes", core::mib, std::int64_t{1} << 50),
                    .near_node = static_cast<int>(within(point, "near", -1, most)),
                    .far_node = static_cast<int>(within(point, "far", -1, most))}};
}

std::optional<std::string> cannot_contest(const machine::Machine& machine, const ContestSettings& settings,
                                          std::int64_t available_bytes) {
  if (auto why = missing_node(machine, {settings.loads.near_node, settings.loads.far_node})) return why;
  if (settings.threads + 1 > machine.cpu.threads)
    return fmt::format("threads={} and the victim need {} CPUs, this process may use {}", settings.threads,
                       settings.threads + 1, machine.cpu.threads);
  for (const LoadKind kind : {settings.victim, settings.aggressor})
    if (auto why = unsupported(kind, settings.loads)) return why;
  const std::int64_t bytes = memory_bytes(settings.victim, settings.loads) +
                             settings.threads * memory_bytes(settings.aggressor, settings.loads);
  return does_not_fit("the memory of the victim and its aggressors", bytes, available_bytes);
}

namespace {

/// Slowdown of the victim by the aggressor, and how much of it spinning alone would cause.
class InterferenceCase {
 public:
  using Site = host::CountedSite;
  struct Settings : ContestSettings {
    Site::Place place = {};
  };
  static constexpr std::string_view name = "offload.host.interference";
  static constexpr std::string_view measures =
      "how much slower one kind of work is while others run: products, streams, copies, spinning";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<Axis> axes(const Surroundings& around) { return contest_axes(around.machine); }
  static Settings settings(const core::Point& point) { return {contest_settings(point)}; }
  static core::Work work(const Settings&) {
    return {.bytes_counted = "none: a quantum of the victim is what is timed"};
  }
  /// Without load every kind is the same.
  static core::Point representative(const Settings& settings, core::Point point) {
    if (settings.threads == 0)
      point.set("aggressor", Value(to_string(LoadKind::spin))).set("cap_gb_per_s", Value("unlimited"));
    return point;
  }
  static std::optional<std::string> not_built(const Settings& settings) {
    for (const LoadKind kind : {settings.victim, settings.aggressor})
      if (auto component = offload::not_built(kind, settings.loads)) return component;
    return std::nullopt;
  }
  static std::optional<std::string> unsupported(const Settings& settings, const Surroundings& around) {
    return cannot_contest(around.machine, settings, host::available_memory_bytes(settings.loads.near_node));
  }
  InterferenceCase(const Settings& settings, Site&) : settings_(settings), contest_(settings) {}

  core::Timing enqueue(std::int64_t iterations) {
    core::Timing timing;
    for (std::int64_t i = 0; i < iterations; ++i) {
      times_.push_back(contest_.run());
      timing.each_s.push_back(times_.back().beside_s);
      timing.seconds += times_.back().beside_s * contest_.quanta();
    }
    return timing;
  }
  core::Verification check() { return contest_.verify(); }
  void sampling_begins() { times_.clear(); }
  std::vector<core::Metric> metrics(const core::Measurement&) const { return contest_metrics(times_); }
  std::vector<core::Fact> facts() const {
    std::vector<core::Fact> facts{{"cpus", host::cpu_list(contest_.cpus())},
                                  {"quanta_of_a_time", std::int64_t{contest_.quanta()}}};
    if (settings_.victim == LoadKind::gemm || settings_.aggressor == LoadKind::gemm)
      facts.emplace_back("library", workload::host_library(settings_.loads.dtype).version());
    return facts;
  }

 private:
  ContestSettings settings_;
  Contest contest_;
  std::vector<ContestTimes> times_;
};

}  // namespace

std::vector<core::Case> interference_cases(const Surroundings& around) {
  return {core::case_of<InterferenceCase>(around)};
}

}  // namespace assay::offload
