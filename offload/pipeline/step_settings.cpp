// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/step_settings.hpp"

#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using core::Domain;
using core::Value;

constexpr std::int64_t most = 1 << 20;

}  // namespace

std::vector<core::Axis> step_axes(const StepDefaults& defaults) {
  return {{"model", "a preset's name or a model file (.toml)", Domain::words, defaults.models},
          {"shrink",
           "divides the model's feature and head counts; 1: as it is",
           Domain::integers,
           {defaults.shrink}},
          {"tp", "tensor-parallel degree", Domain::integers, {defaults.tp}},
          {"tokens",
           "tokens of a microbatch: sequence length times sequences",
           Domain::integers,
           {defaults.tokens}},
          {"dtype", "type of weights and activations", Domain::words, {Value("bf16")}, {"bf16", "fp32"}},
          {"pass",
           "forward, or backward: weights and outputs fetched again, gradients written back",
           Domain::words,
           {Value("forward")},
           {"forward", "backward"}},
          {"blocks", "transformer blocks of a step", Domain::integers, {defaults.blocks}},
          {"resident", "slots for blocks in the near memory: one computing, the others under way",
           Domain::integers, defaults.residents},
          cap_axis("of each direction: GB/s above 0, or unlimited", defaults.caps)};
}

StepSettings step_settings(const core::Point& point) {
  const workload::Transformer model =
      workload::shrunk(workload::find_model(point.text("model")), point.integer("shrink"));
  const workload::Dtype dtype = workload::dtype_from(point.text("dtype"));
  const BlockPass pass = point.text("pass") == "backward" ? BlockPass::backward : BlockPass::forward;
  return {
      .block = block_of(model, within(point, "tp", 1, most), within(point, "tokens", 1, most), dtype, pass),
      .dtype = dtype,
      .shape = {.blocks = static_cast<int>(within(point, "blocks", 1, most)),
                .resident = static_cast<int>(within(point, "resident", 2, 64))},
      .cap_gb_per_s = parse_cap(point.text("cap_gb_per_s"))};
}

core::Work step_work(const StepSettings& step) {
  return {.bytes = static_cast<double>(step.layout().far_bytes()),
          .flops = step.shape.blocks * step.block.flops,
          .bytes_counted = "what every block fetches and what it writes back, once each"};
}

std::vector<core::Fact> step_derived(const StepSettings& step) {
  const BlockLayout layout = step.layout();
  return {{"block_fetched_bytes", layout.block.fetched_bytes},
          {"block_written_bytes", layout.block.written_bytes},
          {"near_bytes", layout.near_bytes()},
          {"far_bytes", layout.far_bytes()}};
}

}  // namespace assay::offload
