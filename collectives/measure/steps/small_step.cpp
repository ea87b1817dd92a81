// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/steps/small_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/training/presets.hpp"

namespace assay::collectives {
namespace {

workload::Transformer small_model(std::int64_t layers, std::int64_t hidden, std::int64_t head) {
  if (hidden < head || hidden % head != 0)
    core::usage_error(fmt::format("hidden={}: expected a multiple of {}", hidden, head));
  if (layers < 1 || layers > 1000) core::usage_error(fmt::format("layers={}: expected 1 to 1000", layers));
  return {.name = fmt::format("{} blocks of {}", layers, hidden),
          .hidden = hidden,
          .feed_forward = 4 * hidden,
          .heads = hidden / head,
          .kv_heads = hidden / head,
          .head_size = head,
          .layers = layers};
}

std::vector<std::string> numbers_of_scale(const std::string& preset, StepScale scale) {
  if (scale == StepScale::gpus)
    return preset == "dlrm" ? std::vector<std::string>{} : std::vector<std::string>{"sequence=2048"};
  if (preset == "dlrm") return {"tflops=1", "batch=64", "dimension=64", "dense=262144"};
  if (preset == "ddp") return {"tflops=1", "sequence=128", "bucket=1MiB"};
  return {"tflops=1", "sequence=128"};
}

}  // namespace

training::TrainingStep small_step(const std::string& preset, int ranks, std::int64_t layers,
                                  std::int64_t hidden, StepScale scale) {
  const workload::Transformer model = small_model(layers, hidden, scale == StepScale::gpus ? 128 : 32);
  std::vector<std::string> numbers = numbers_of_scale(preset, scale);
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

}  // namespace assay::collectives
