// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/pipeline_cases.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/host/available_memory.hpp"
#include "harness/host/host_site.hpp"
#include "offload/pipeline/pipeline.hpp"
#include "offload/pipeline/step_metrics.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Axis;
using core::Domain;
using core::Value;

/// All CPUs but the one that copies.
std::int64_t computing_cpus(const machine::Machine& machine) { return std::max(1, machine.cpu.threads - 1); }

std::vector<Axis> pipeline_axes(const machine::Machine& machine) {
  const std::int64_t all = computing_cpus(machine);
  std::vector<Axis> axes =
      step_axes({.models = {Value("llama3-8b")},
                 .residents = {std::int64_t{2}, std::int64_t{3}, std::int64_t{4}},
                 .caps = {Value("1"), Value("2"), Value("5"), Value("10"), Value("25"), Value("unlimited")},
                 .shrink = 4,
                 .tokens = 64,
                 .blocks = 8});
  axes.push_back({"compute_threads",
                  "bound OpenMP threads; one more thread copies",
                  Domain::integers,
                  {all},
                  {},
                  {{"all", all}}});
  axes.push_back(node_axis("near", "NUMA node of the slots and of the threads; local: where they run"));
  axes.push_back(node_axis("far", "NUMA node that holds all blocks; local: where the threads run"));
  return axes;
}

int count(const core::Point& point, const char* name, std::int64_t least) {
  return static_cast<int>(within(point, name, least, 1 << 20));
}

}  // namespace

PipelineSettings pipeline_settings(const core::Point& point) {
  return {step_settings(point), count(point, "compute_threads", 1), count(point, "near", -1),
          count(point, "far", -1)};
}

std::optional<std::string> cannot_run(const machine::Machine& machine, const PipelineSettings& settings,
                                      const std::function<std::int64_t(int)>& available_bytes) {
  if (auto why = missing_node(machine, {settings.near_node, settings.far_node})) return why;
  if (settings.compute_threads + 1 > machine.cpu.threads)
    return fmt::format("compute_threads={} and one that copies need {} CPUs, this process may use {}",
                       settings.compute_threads, settings.compute_threads + 1, machine.cpu.threads);
  const workload::HostLibrary& library = workload::host_library(settings.dtype);
  for (const BlockProduct& product : settings.block.products)
    if (auto reason = library.unsupported(product.problem)) return reason;
  const std::int64_t near = settings.layout().near_bytes(), far = settings.layout().far_bytes();
  const std::string slots = fmt::format("the near memory of {} resident blocks", settings.shape.resident);
  if (settings.near_node == settings.far_node)
    return does_not_fit(slots + " and the far one of all", near + far, available_bytes(settings.near_node));
  if (auto reason = does_not_fit(slots, near, available_bytes(settings.near_node))) return reason;
  return does_not_fit("the far memory of all blocks", far, available_bytes(settings.far_node));
}

namespace {

/// Every sample has the step and its parts, one after the other.
class PipelineCase {
 public:
  using Site = host::CountedSite;
  struct Settings : PipelineSettings {
    Site::Place place = {};
  };
  static constexpr std::string_view name = "offload.host.pipeline";
  static constexpr std::string_view measures =
      "transformer blocks fetched from far memory and written back while others compute";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<Axis> axes(const Surroundings& around) { return pipeline_axes(around.machine); }
  static Settings settings(const core::Point& point) { return {pipeline_settings(point)}; }
  static core::Work work(const Settings& settings) { return step_work(settings); }
  static std::vector<core::Fact> derived(const Settings& settings) { return step_derived(settings); }
  static std::optional<std::string> not_built(const Settings& settings) {
    return workload::host_library(settings.dtype).not_built();
  }
  static std::optional<std::string> unsupported(const Settings& settings, const Surroundings& around) {
    return cannot_run(around.machine, settings, [](int node) { return host::available_memory_bytes(node); });
  }
  PipelineCase(const Settings& settings, Site&) : settings_(settings), pipeline_(settings) {}

  core::Timing enqueue(std::int64_t iterations) {
    return sample_steps([this] { return pipeline_.run_all(); }, iterations, samples_);
  }
  core::Verification check() { return pipeline_.verify(); }
  void sampling_begins() { samples_.clear(); }
  std::vector<core::Metric> metrics(const core::Measurement&) const {
    return step_metrics(settings_, samples_);
  }
  std::vector<core::Fact> facts() const {
    std::vector<core::Fact> facts{{"cpus", host::cpu_list(pipeline_.cpus())},
                                  {"copying_cpu", std::int64_t{pipeline_.cpus().back()}},
                                  {"library", workload::host_library(settings_.dtype).version()},
                                  {"algorithm", pipeline_.algorithm()},
                                  {"huge_page_bytes", pipeline_.memory().huge_page_bytes()}};
    for (core::Fact& fact : bandwidth_verdicts(settings_, samples_)) facts.push_back(std::move(fact));
    return facts;
  }

 private:
  PipelineSettings settings_;
  Pipeline pipeline_;
  std::vector<StepParts> samples_;
};

}  // namespace

std::vector<core::Case> pipeline_cases(const Surroundings& around) {
  return {core::case_of<PipelineCase>(around)};
}

}  // namespace assay::offload
