// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/steps/step_case.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "collectives/measure/histogram_case.hpp"
#include "collectives/measure/steps/small_step.hpp"
#include "collectives/measure/steps/step_trial.hpp"
#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/training/presets.hpp"

namespace assay::collectives {
namespace {

struct AskedStep {
  CaseMaker maker;
  bool of_file = false, by_nccl = false;
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
  settings.step =
      asked.of_file ? *around.step
                    : small_step(point.text("workload"), around.ranks, point.integer("layers"),
                                 point.integer("hidden"), asked.by_nccl ? StepScale::gpus : StepScale::host);
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
    axes.push_back({"layers",
                    "blocks of the model",
                    core::Domain::integers,
                    {asked.by_nccl ? std::int64_t{2} : std::int64_t{4}}});
    axes.push_back({"hidden",
                    "of a block",
                    core::Domain::integers,
                    {asked.by_nccl ? std::int64_t{4096} : std::int64_t{256}}});
  }
  axes.push_back({"compute",
                  "emulated next to exchanges, or left out",
                  core::Domain::words,
                  {std::string("stated")},
                  {"stated", "none"}});
  return axes;
}

StepSetup step_setup(const StepSettings& settings) {
  const CaseMaker& maker = settings.asked.maker;
  const WantedStep wanted{
      .step = settings.step, .node_of = maker.around.node_of, .content = settings.content};
  ConnectedRanks connected = connect_ranks(maker, mpi_data_calls());
  if (!settings.asked.by_nccl) return host_step(wanted, std::move(connected));
  const std::unique_ptr<NcclWorld> world = open_nccl(*maker.team, nccl_options(maker));
  return nccl_step(wanted, std::move(connected), *world);
}

class StepCase : public StepTrial {
 public:
  using Site = core::OwnClock;
  using Settings = StepSettings;
  static constexpr core::Headline headline = core::Headline::time_us;
  static constexpr double min_sample_seconds = 10e-3;

  static std::string name(const AskedStep& asked) {
    return std::string(core::names::workload_cases) + (asked.by_nccl ? "nccl_" : "") +
           (asked.of_file ? "file" : "preset");
  }
  static std::string measures(const AskedStep& asked) {
    return std::string("the exchanges of a training step, exposed and not, ") +
           (asked.of_file ? "of a workload file" : "of a small preset") +
           (asked.by_nccl ? ", by NCCL, on device memory" : "");
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

  static std::optional<std::string> not_built(const Settings& settings) {
    return settings.asked.by_nccl ? nccl_not_built() : std::nullopt;
  }
  static std::optional<std::string> unsupported(const Settings& settings) {
    return settings.asked.by_nccl ? why_no_nccl() : std::nullopt;
  }

  StepCase(const Settings& settings, Site&) : StepTrial(*settings.asked.maker.team, step_setup(settings)) {}
};

}  // namespace

std::vector<core::Case> step_cases(const CaseMaker& maker) {
  return {core::case_of<StepCase>(AskedStep{.maker = maker}), histogram_case(maker),
          core::case_of<StepCase>(AskedStep{.maker = maker, .of_file = true}),
          core::case_of<StepCase>(AskedStep{.maker = maker, .by_nccl = true}),
          core::case_of<StepCase>(AskedStep{.maker = maker, .of_file = true, .by_nccl = true})};
}

}  // namespace assay::collectives
