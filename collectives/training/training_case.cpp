// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/training_case.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectives/measure/axes.hpp"
#include "collectives/training/training_trial.hpp"
#include "harness/core/error.hpp"
#include "harness/core/measure/case_of.hpp"
#include "harness/core/measure/within.hpp"
#include "harness/core/units.hpp"

namespace assay::collectives {
namespace {

using core::Axis;
using core::Domain;

struct TrainingSettings {
  CaseMaker maker = {};
  ModelShape shape = {};
  int threads = 1;
  const Algorithm* algorithm = nullptr;
  core::OwnClock::Place place = {};
};

Axis number_axis(const char* name, const char* meaning, std::int64_t value) {
  return {name, meaning, Domain::integers, {value}};
}

class TrainingCase : public TrainingTrial {
 public:
  using Site = core::OwnClock;
  using Settings = TrainingSettings;
  static constexpr core::Headline headline = core::Headline::time_us;
  static constexpr std::int64_t min_samples = training_steps;
  static constexpr const char* name = "collectives.training.step";
  static constexpr const char* measures =
      "a training step that learns: transformer blocks forward and backward, gradients exchanged, AdamW "
      "(host "
      "twin)";

  static std::vector<Axis> axes() {
    const ModelShape usual;
    return {algorithm_axis(Operation::all_reduce, "ring"),
            number_axis("layers", "blocks of the model", usual.layers),
            number_axis("hidden", "of a block; heads of 32, an MLP of 4 x hidden", usual.hidden),
            number_axis("sequence", "tokens of a sequence", usual.sequence),
            number_axis("sequences", "of a rank in a step", usual.sequences),
            {"dtype",
             "of products; all else is fp32",
             Domain::words,
             {std::string("fp32"), std::string("bf16")},
             {"fp32", "bf16"}},
            number_axis("threads", "of a rank", 1)};
  }
  static Settings settings(const core::Point& point, const CaseMaker& maker) {
    Settings settings{.maker = maker,
                      .shape = {.layers = core::within(point, "layers", 1, 256),
                                .hidden = core::within(point, "hidden", 32, 16384),
                                .sequence = core::within(point, "sequence", 2, 16384),
                                .sequences = core::within(point, "sequences", 1, 1024),
                                .dtype = workload::dtype_from(point.text("dtype"))},
                      .threads = static_cast<int>(core::within(point, "threads", 1, 1024)),
                      .algorithm = &algorithm(Operation::all_reduce, point.text("algorithm"))};
    if (settings.shape.hidden % settings.shape.head != 0)
      core::usage_error(
          fmt::format("hidden={}: expected a multiple of {}", settings.shape.hidden, settings.shape.head));
    return settings;
  }
  static core::Work work(const Settings& settings) {
    return {.bytes = static_cast<double>(parameter_elements(settings.shape)) * sizeof(float),
            .flops = flops_of(settings.shape),
            .bytes_counted = "gradients of a rank, once (S of algbw)"};
  }
  static std::vector<core::Fact> derived(const Settings& settings) {
    return {{"parameters", parameter_elements(settings.shape)},
            {"tokens_a_rank", settings.shape.tokens()},
            {"heads", settings.shape.heads()}};
  }
  static std::optional<std::string> impossible(const Settings& settings) {
    constexpr double most_bytes = 16.0 * core::gib;
    const double bytes = memory_bytes(settings.shape);
    if (bytes <= most_bytes) return std::nullopt;
    return fmt::format("a rank takes {:.1f} GB: expected at most 16 GiB", 1e-9 * bytes);
  }
  static std::optional<std::string> not_built(const Settings& settings) {
    return products_not_built(settings.shape);
  }
  static std::optional<std::string> unsupported(const Settings& settings) {
    const Problem exchange = exchange_problem(settings.shape, settings.maker.around.ranks);
    if (std::string reason = settings.algorithm->illegal(exchange); exchange.ranks > 1 && !reason.empty())
      return reason;
    return why_no_products(settings.shape);
  }

  TrainingCase(const Settings& settings, Site&)
      : TrainingTrial(*settings.maker.team,
                      {.connected = connect_ranks(settings.maker, mpi_data_calls()),
                       .shape = settings.shape,
                       .algorithm = settings.algorithm,
                       .products = make_library_products(settings.shape, settings.threads)}) {}
};

}  // namespace

core::Case training_case(const CaseMaker& maker) { return core::case_of<TrainingCase>(maker); }

}  // namespace assay::collectives
