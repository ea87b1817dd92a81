// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/step_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "collectives/measure/histogram_case.hpp"
#include "collectives/measure/step_trial.hpp"
#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/training/presets.hpp"

namespace assay::collectives {
namespace {

struct AskedStep {
  CaseMaker maker;
  bool of_file = false;
};

struct StepSettings {
  AskedStep asked;
  Content content = {};
  training::TrainingStep step = {};
  std::optional<std::string> impossible = {};
  core::OwnClock::Place place = {};
};

std::optional<std::string> why_not_step(const StepSettings& settings) {
  const Surroundings& around = settings.asked.maker.around;
  if (around.ranks < 2) return "one rank exchanges nothing";
  if (std::cmp_not_equal(settings.step.ranks, around.ranks))
    core::usage_error(fmt::format("the workload is of {} ranks, but {} run: start as many",
                                  settings.step.ranks, around.ranks));
  return too_many_buffers(step_plan(settings.step, 0, around.node_of, settings.content.type),
                          settings.content.type);
}

StepSettings settings_of_step(const core::Point& point, const AskedStep& asked) {
  StepSettings settings{.asked = asked, .content = {.seed = 1}};
  const Surroundings& around = asked.maker.around;
  if (asked.of_file && !around.step) {
    settings.impossible = "no workload: give --workload FILE";
    return settings;
  }
  settings.step = asked.of_file ? *around.step
                                : small_step(point.text("workload"), around.ranks, point.integer("layers"),
                                             point.integer("hidden"));
  if (point.text("compute") == "none") training::leave_out_compute(settings.step);
  settings.impossible = why_not_step(settings);
  return settings;
}

std::vector<core::Axis> step_axes(const AskedStep& asked) {
  std::vector<core::Axis> axes;
  if (!asked.of_file) {
    std::vector<core::Value> values;
    std::vector<std::string> choices;
    for (const training::Preset& one : training::presets()) {
      values.emplace_back(std::string(one.name));
      choices.emplace_back(one.name);
    }
    axes.push_back({"workload", "preset of assay workload", core::Domain::words, values, choices});
    axes.push_back({"layers", "blocks of the model", core::Domain::integers, {std::int64_t{4}}});
    axes.push_back({"hidden", "of a block", core::Domain::integers, {std::int64_t{256}}});
  }
  axes.push_back({"compute",
                  "emulated next to exchanges, or left out",
                  core::Domain::words,
                  {std::string("stated")},
                  {"stated", "none"}});
  return axes;
}

class StepCase : public StepTrial {
 public:
  using Site = core::OwnClock;
  using Settings = StepSettings;
  static constexpr core::Headline headline = core::Headline::time_us;
  static constexpr double min_sample_seconds = 10e-3;

  static std::string name(const AskedStep& asked) {
    return std::string(core::names::workload_cases) + (asked.of_file ? "file" : "preset");
  }
  static std::string measures(const AskedStep& asked) {
    return std::string("the exchanges of a training step, exposed and not, ") +
           (asked.of_file ? "of a workload file" : "of a small preset");
  }
  static std::vector<core::Axis> axes(const AskedStep& asked) { return step_axes(asked); }
  static Settings settings(const core::Point& point, const AskedStep& asked) {
    return settings_of_step(point, asked);
  }
  static core::Work work(const Settings& settings) {
    if (settings.impossible) return {};
    return {.bytes = counted_bytes(
                step_plan(settings.step, 0, settings.asked.maker.around.node_of, settings.content.type),
                settings.content.type),
            .bytes_counted = "vectors of all exchanges of rank 0"};
  }
  static std::optional<std::string> impossible(const Settings& settings) { return settings.impossible; }

  StepCase(const Settings& settings, Site&)
      : StepTrial(*settings.asked.maker.team, settings.content,
                  step_plan(settings.step, settings.asked.maker.team->rank(),
                            settings.asked.maker.around.node_of, settings.content.type),
                  settings.step.name, connect_ranks(settings.asked.maker, mpi_data_calls())) {}
};

}  // namespace

training::TrainingStep small_step(const std::string& preset, int ranks, std::int64_t layers,
                                  std::int64_t hidden) {
  constexpr std::int64_t head = 32;
  if (hidden < head || hidden % head != 0)
    core::usage_error(fmt::format("hidden={}: expected a multiple of {}", hidden, head));
  if (layers < 1 || layers > 1000) core::usage_error(fmt::format("layers={}: expected 1 to 1000", layers));
  const workload::Transformer model{.name = fmt::format("{} blocks of {}", layers, hidden),
                                    .hidden = hidden,
                                    .feed_forward = 4 * hidden,
                                    .heads = hidden / head,
                                    .kv_heads = hidden / head,
                                    .head_size = head,
                                    .layers = layers};
  std::vector<std::string> numbers{"tflops=1"};
  if (preset == "dlrm")
    numbers.insert(numbers.end(), {"batch=64", "dimension=64", "dense=262144"});
  else
    numbers.emplace_back("sequence=128");
  if (preset == "ddp") numbers.emplace_back("bucket=1MiB");
  if (preset == "moe") {
    numbers.push_back(fmt::format("experts={}", ranks));
    numbers.push_back(fmt::format("top={}", std::min(2, ranks)));
  }
  if (preset == "megatron") {
    numbers.push_back(fmt::format("tensor={}", ranks % 2 == 0 ? 2 : 1));
    numbers.push_back(fmt::format("pipeline={}", ranks % 4 == 0 && layers % 2 == 0 ? 2 : 1));
  }
  return training::preset_step(training::preset(preset), static_cast<std::uint32_t>(ranks), model, numbers);
}

std::vector<core::Case> step_cases(const CaseMaker& maker) {
  return {core::case_of<StepCase>(AskedStep{maker, false}), histogram_case(maker),
          core::case_of<StepCase>(AskedStep{maker, true})};
}

}  // namespace assay::collectives
