// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/histogram_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "collectives/measure/histogram_trial.hpp"
#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/training/presets.hpp"

namespace assay::collectives {
namespace {

using core::Domain;
using core::Value;

struct HistogramSettings {
  CaseMaker maker;
  Content content = {};
  training::TrainingStep step = {};
  std::optional<std::string> impossible = {};
  core::OwnClock::Place place = {};
};

StepPlan plan_of(const HistogramSettings& settings, int rank) {
  return step_plan(settings.step, rank, settings.maker.around.node_of, settings.content.type);
}

HistogramSettings histogram_settings(const core::Point& point, const CaseMaker& maker) {
  HistogramSettings settings{.maker = maker, .content = {.seed = 1}};
  const int all = maker.around.ranks;
  const std::int64_t asked = point.integer("ranks"), shrink = point.integer("shrink");
  if (asked < 0 || asked == 1)
    core::usage_error(fmt::format("ranks={}: expected 0 (all), or at least 2", asked));
  if (shrink < 1) core::usage_error(fmt::format("shrink={}: expected at least 1", shrink));
  if (all < 2)
    settings.impossible = "one rank exchanges nothing";
  else if (asked > all)
    settings.impossible = fmt::format("ranks={}, but {} run", asked, all);
  if (settings.impossible) return settings;
  settings.step = published_step(point.text("workload"), point.text("model"), shrink,
                                 asked == 0 ? all : static_cast<int>(asked));
  settings.impossible = too_many_buffers(plan_of(settings, 0), settings.content.type);
  return settings;
}

class HistogramCase : public HistogramTrial {
 public:
  using Site = core::OwnClock;
  using Settings = HistogramSettings;
  static constexpr core::Headline headline = core::Headline::time_us;
  static constexpr double min_sample_seconds = 10e-3;

  static std::string name(const CaseMaker&) { return std::string(core::names::workload_cases) + "histogram"; }
  static constexpr std::string_view measures =
      "the sizes of a published model's step, each alone: bus bandwidth weighted by how often a step has it";
  static std::vector<core::Axis> axes() {
    return {{"workload",
             "preset of assay workload, by which sizes follow from the model",
             Domain::words,
             {Value("fsdp"), Value("megatron")},
             {"ddp", "fsdp", "megatron", "moe"}},
            {"model", "a preset's name or a model file (.toml)", Domain::words, {Value("llama3-8b")}},
            {"shrink",
             "divides the model's feature and head counts; 1: as it is",
             Domain::integers,
             {std::int64_t{4}}},
            {"ranks",
             "the first of those that run",
             Domain::integers,
             {std::int64_t{0}, std::int64_t{16}, std::int64_t{32}, std::int64_t{64}, std::int64_t{128}},
             {},
             {{"all", std::int64_t{0}}}}};
  }
  static Settings settings(const core::Point& point, const CaseMaker& maker) {
    return histogram_settings(point, maker);
  }
  static core::Work work(const Settings& settings) {
    if (settings.impossible) return {};
    return {.bytes = counted_bytes(plan_of(settings, 0), settings.content.type),
            .bytes_counted = "vectors of all exchanges of rank 0 in a step, not of an iteration"};
  }
  static std::optional<std::string> impossible(const Settings& settings) { return settings.impossible; }

  HistogramCase(const Settings& settings, Site&)
      : HistogramTrial(*settings.maker.team, settings.content, plan_of(settings, settings.maker.team->rank()),
                       settings.step.name, plan_of(settings, 0).parts.size(),
                       connect_ranks(settings.maker, mpi_data_calls())) {}
};

}  // namespace

training::TrainingStep published_step(const std::string& preset, const std::string& model,
                                      std::int64_t shrink, int ranks) {
  const workload::Transformer published = workload::shrunk(workload::find_model(model), shrink);
  std::vector<std::string> numbers;
  if (preset == "megatron") {
    std::int64_t tensor = 1;
    while (tensor < 8 && ranks % (2 * tensor) == 0 && !workload::indivisible(published, 2 * tensor))
      tensor *= 2;
    numbers = {fmt::format("tensor={}", tensor), "pipeline=1"};
  }
  if (preset == "moe")
    numbers = {fmt::format("experts={}", ranks), fmt::format("top={}", std::min(2, ranks))};
  training::TrainingStep step =
      training::preset_step(training::preset(preset), static_cast<std::uint32_t>(ranks), published, numbers);
  training::leave_out_compute(step);
  return step;
}

core::Case histogram_case(const CaseMaker& maker) { return core::case_of<HistogramCase>(maker); }

}  // namespace assay::collectives
