// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Mixture of experts with data parallelism: experts of every block are dealt out over groups of ranks. A rank
// sends each of its tokens to k experts and gets the results back, forward and backward: 4 all-to-alls a
// block of tokens x k x hidden (Lepikhin et al. 2020, "GShard", arXiv 2006.16668, section 3.2), with equal
// loads. Gradients of attention are all-reduced over all ranks, those of experts over the ranks that hold the
// same.
#include <fmt/format.h>

#include <array>

#include "harness/training/preset_makers.hpp"

namespace assay::training {
namespace {

constexpr std::array experts_keys{
    sequence_key,
    batch_key,
    rate_key,
    vocabulary_key,
    PresetKey{"experts", "of a block", 8},
    PresetKey{"top", "experts of a token", 2},
    PresetKey{"expert", "ranks that share a block's experts; 0: as many as experts", 0, 0},
    PresetKey{"element", "bytes of an element of activations", 2},
    PresetKey{"gradient", "bytes of an element of gradients", 4}};

StepOperation reduced(const PresetInput& in, const char* name, const char* among, const std::string& groups,
                      double parameters) {
  return {.name = name,
          .traffic = Traffic::all_reduce,
          .among = among,
          .groups = groups,
          .bytes = parameters * in.at("gradient")};
}

TrainingStep make_experts(const PresetInput& in) {
  const std::uint32_t experts = in.count("experts"), top = in.count("top");
  const std::uint32_t share = in.count("expert") == 0 ? experts : in.count("expert");
  if (top > experts)
    refuse("top", fmt::format("expected no more than the experts, {}, got {}", experts, top));
  if (experts % share != 0) refuse("expert", "expected a divisor of the experts");
  const std::uint32_t of_rank = experts / share;
  const std::string among_experts = groups_of(in, "expert", 1, share);
  const auto blocks = static_cast<double>(in.model.layers);
  const double tokens = in.at("batch") * in.at("sequence"), feed_forward = feed_forward_parameters(in.model);
  const double attention = block_parameters(in.model) - feed_forward;
  const double block_s =
      compute_s(in, block_flops(in.model, tokens, in.at("sequence")) + 2 * tokens * (top - 1) * feed_forward);
  TrainingStep step;
  StepStream passes{.name = "passes"};
  append(passes, compute("forward", block_s, blocks));
  append(passes, compute("backward", 2 * block_s, blocks));
  append(passes, compute("head", 3 * head_s(in, tokens)));
  for (const char* name : {"to experts and back, forward", "to experts and back, backward"})
    append(passes, {.name = name,
                    .traffic = Traffic::all_to_all,
                    .among = "expert",
                    .groups = among_experts,
                    .bytes = tokens * top * static_cast<double>(in.model.hidden) * in.at("element"),
                    .times = 2 * blocks});
  StepStream gradients{.name = "gradients", .after = {add(step, std::move(passes))}};
  const std::string all = groups_of(in, "ranks", 1, in.ranks);
  append(gradients, reduced(in, "gradients of attention", "data", all, blocks * attention));
  append(gradients,
         reduced(in, "gradients of embedding and head", "data", all, 2 * vocabulary_parameters(in)));
  append(gradients,
         reduced(in, "gradients of experts", "expert copies",
                 groups_of(in, "expert", share, in.ranks / share), blocks * feed_forward * of_rank));
  add(step, std::move(gradients));
  return step;
}

}  // namespace

Preset experts_preset() {
  return {.name = "moe",
          .meaning = "mixture of experts: all-to-all to experts and back in every block",
          .source = "Lepikhin et al. 2020, GShard",
          .keys = experts_keys,
          .make = make_experts};
}

}  // namespace assay::training
