// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A transformer divided in three or four dimensions. Ranks count along tensor parallelism first, then
// context, pipeline, data (Grattafiori et al. 2024, arXiv 2407.21783, section 3.3.2). With b sequences of s
// tokens, c context ranks, t tensor ranks, e bytes an element, of each block and microbatch:
// - tensor: 2 all-reduces of b s h e / c forward and 2 backward (Shoeybi et al. 2019, arXiv 1909.08053); with
//   sequence parallelism an all-gather and a reduce-scatter each, and backward 2 more all-gathers of inputs
//   that were kept as parts (Korthikanti et al. 2022, arXiv 2205.05198, section 4.2.2);
// - context: keys and values, 2 b s d e of max(1, g / t) heads, all-gathered forward, their gradients
// reduce-scattered
//   backward, where they are not gathered again;
// - pipeline: b s h e / c to the next stage and back, 1/t of it with sequence parallelism, over p v - 1
// borders
//   of chunks; the bubble is (p - 1) / (m v) of the passes (Narayanan et al. 2021, arXiv 2104.04473,
//   section 2.2);
// - embedding and head, V rows in t parts: on the first stage b s h e / c is all-reduced forward, on the last
//   one backward (with sequence parallelism as the blocks' exchanges), and three values of 4 bytes a token
//   for the loss: the maximum, the sum and the target's (Shoeybi et al. 2019, section 3);
// - data: gradients of a rank's blocks / t, and of the V h / t of either matrix on its stage, among all ranks
// that hold the same, those of the context too.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "harness/core/units.hpp"
#include "harness/training/preset_makers.hpp"
#include "harness/training/rank_groups.hpp"

namespace assay::training {
namespace {

constexpr std::array megatron_keys{
    sequence_key,
    batch_key,
    rate_key,
    vocabulary_key,
    PresetKey{"tensor", "ranks that share a block's matrices", 8},
    PresetKey{"context", "ranks that share a sequence", 1},
    PresetKey{"pipeline", "stages of blocks", 1},
    PresetKey{"data", "copies; 0: what the ranks leave", 0, 0},
    PresetKey{"microbatches", "of a step and pipeline", 8},
    PresetKey{"chunks", "of blocks in a stage, interleaved", 1},
    PresetKey{"sequence_parallel", "1: with it, 0: without", 1, 0, 1},
    PresetKey{"gather_again", "1: inputs are kept as parts and gathered again backward, 0: kept whole", 1, 0,
              1},
    PresetKey{"zero", "1: gradients are reduce-scattered and weights gathered (ZeRO-1)", 1, 0, 1},
    PresetKey{"element", "bytes of an element of activations and weights", 2},
    PresetKey{"gradient", "bytes of an element of gradients", 4}};

class DividedStep {
 public:
  explicit DividedStep(const PresetInput& input)
      : in_(input),
        t_(in_.count("tensor")),
        c_(in_.count("context")),
        p_(in_.count("pipeline")),
        m_(in_.count("microbatches")),
        v_(in_.count("chunks")) {
    const std::uint64_t inner = std::uint64_t{t_} * c_ * p_;
    d_ = in_.count("data") == 0 ? static_cast<std::uint32_t>(in_.ranks / inner) : in_.count("data");
    if (inner * d_ != in_.ranks)
      refuse("data",
             fmt::format("{} tensor x {} context x {} pipeline x {} data is {}: expected the {} ranks", t_,
                         c_, p_, d_, inner * d_, in_.ranks));
    if (const auto why = workload::indivisible(in_.model, t_)) refuse("tensor", *why);
    if (in_.model.layers % (std::int64_t{p_} * v_) != 0)
      refuse("pipeline", fmt::format("{} blocks do not divide into {} of {}", in_.model.layers,
                                     core::counted(p_, "stage"), core::counted(v_, "chunk")));
    if (in_.count("vocabulary") % t_ != 0)
      refuse("vocabulary",
             fmt::format("expected a multiple of the {} tensor ranks, got {}", t_, in_.count("vocabulary")));
    const std::uint64_t parts = std::uint64_t{c_} * (by_sequence() ? t_ : 1);
    if (in_.count("sequence") % parts != 0)
      refuse("sequence", fmt::format("expected tokens that divide into {} (context{}), got {}",
                                     core::counted(static_cast<std::int64_t>(parts), "part"),
                                     by_sequence() ? " x tensor" : "", in_.count("sequence")));
  }

  TrainingStep build() {
    StepStream passes{.name = "passes"};
    add_compute(passes);
    add_tensor(passes);
    if (in_.at("vocabulary") > 0) add_vocabulary(passes);
    add_context(passes);
    add_pipeline(passes);
    StepStream gradients{.name = "gradients", .after = {add(step_, std::move(passes))}};
    add_gradients(gradients);
    add(step_, std::move(gradients));
    return std::move(step_);
  }

 private:
  double tokens() const { return in_.at("batch") * in_.at("sequence"); }
  double blocks() const { return static_cast<double>(in_.model.layers) / p_; }  // of a rank
  bool by_sequence() const { return in_.at("sequence_parallel") > 0; }
  std::string groups(std::initializer_list<GroupLevel> levels) const {
    return groups_text(in_.ranks, std::span(levels.begin(), levels.size()));
  }

  void add_compute(StepStream& passes) const {
    const double block_s =
        compute_s(in_, block_flops(in_.model, tokens(), in_.at("sequence")) / (double{1} * t_ * c_));
    append(passes, compute("forward", block_s, m_ * blocks()));
    append(passes, compute("backward", 2 * block_s, m_ * blocks()));
    const double last_s = head_s(in_, tokens()) / (double{1} * t_ * c_);  // of the last stage, which decides
    append(passes, compute("head", 3 * last_s, m_));
    append(passes, compute("pipeline bubble", 3 * block_s * blocks() * (p_ - 1) / v_));
  }

  void add_tensor(StepStream& passes) const {
    std::vector<Traffic> kinds{Traffic::all_reduce};
    if (by_sequence()) kinds = {Traffic::all_gather, Traffic::reduce_scatter};
    for (const char* pass : {"forward", "backward"})
      for (const Traffic kind : kinds)
        append(passes, {.name = pass,
                        .traffic = kind,
                        .among = "tensor",
                        .groups = groups({{1, t_}}),
                        .bytes = activation_bytes(),
                        .times = 2.0 * m_ * blocks()});
    if (by_sequence() && in_.at("gather_again") > 0)
      append(passes, {.name = "inputs again, backward",
                      .traffic = Traffic::all_gather,
                      .among = "tensor",
                      .groups = groups({{1, t_}}),
                      .bytes = activation_bytes(),
                      .times = 2.0 * m_ * blocks()});
  }

  /// Ranks of a stage that differ in tensor position (`of_tensor`), or that hold the same part.
  std::string stage_groups(std::uint32_t stage, bool of_tensor) const {
    if (p_ == 1) return of_tensor ? groups({{1, t_}}) : groups({{t_, c_}, {t_ * c_ * p_, d_}});
    const std::uint32_t row = t_ * c_;
    std::vector<std::string> texts;
    if (of_tensor) {
      for (std::uint32_t copy = 0; t_ > 1 && copy < d_; ++copy)
        texts.push_back(
            fmt::format("{}:{}:1:{}", (copy * p_ + stage) * row, (copy * p_ + stage + 1) * row, t_));
    } else {
      for (std::uint32_t part = 0; c_ * d_ > 1 && part < t_; ++part) {
        std::vector<std::uint32_t> members;
        for (std::uint32_t copy = 0; copy < d_; ++copy)
          for (std::uint32_t place = 0; place < c_; ++place)
            members.push_back((copy * p_ + stage) * row + place * t_ + part);
        texts.push_back(fmt::format("{}", fmt::join(members, "+")));
      }
    }
    return fmt::format("{}", fmt::join(texts, " "));
  }

  void add_vocabulary(StepStream& passes) const {
    const auto add_one = [&](const char* name, Traffic kind, std::uint32_t stage, double bytes,
                             double times) {
      append(passes, {.name = name,
                      .traffic = kind,
                      .among = "tensor",
                      .groups = stage_groups(stage, true),
                      .bytes = bytes,
                      .times = times * m_});
    };
    const double bytes = activation_bytes();
    if (by_sequence()) {
      add_one("embedding", Traffic::reduce_scatter, 0, bytes, 1);
      add_one("embedding, backward", Traffic::all_gather, 0, bytes, 1);
      add_one("head", Traffic::all_gather, p_ - 1, bytes, in_.at("gather_again") > 0 ? 2 : 1);
      add_one("head, backward", Traffic::reduce_scatter, p_ - 1, bytes, 1);
    } else {
      add_one("embedding", Traffic::all_reduce, 0, bytes, 1);
      add_one("head, backward", Traffic::all_reduce, p_ - 1, bytes, 1);
    }
    constexpr double bytes_of_loss = 4;
    add_one("loss", Traffic::all_reduce, p_ - 1, bytes_of_loss * tokens() / c_, 3);
  }

  void add_context(StepStream& passes) const {
    const double heads = std::max(1.0, static_cast<double>(in_.model.kv_heads) / t_);
    const double bytes = 2 * tokens() * heads * static_cast<double>(in_.model.head_size) * in_.at("element");
    for (const Traffic kind : {Traffic::all_gather, Traffic::reduce_scatter})
      append(passes, {.name = kind == Traffic::all_gather ? "keys and values" : "their gradients",
                      .traffic = kind,
                      .among = "context",
                      .groups = groups({{t_, c_}}),
                      .bytes = bytes,
                      .times = m_ * blocks()});
  }

  /// From the last stage to the first only between chunks, and so not after the last.
  void add_pipeline(StepStream& passes) const {
    for (const auto& [traffic, times] :
         {std::pair{Traffic::shift, v_ - 1}, std::pair{Traffic::pipeline, std::uint32_t{1}}})
      append(passes, {.name = traffic == Traffic::shift ? "between stages, and on to the next chunk"
                                                        : "between stages",
                      .traffic = traffic,
                      .among = "pipeline",
                      .groups = groups({{t_ * c_, p_}}),
                      .bytes = activation_bytes() / (by_sequence() ? t_ : 1),
                      .times = 2.0 * m_ * times});
  }

  void add_gradients(StepStream& stream) const {
    add_gradients(stream, blocks() * block_parameters(in_.model) / t_,
                  groups({{t_, c_}, {t_ * c_ * p_, d_}}));
    const double vocabulary = vocabulary_parameters(in_) / t_;
    if (p_ == 1) return add_gradients(stream, 2 * vocabulary, stage_groups(0, false));
    add_gradients(stream, vocabulary, stage_groups(0, false));
    add_gradients(stream, vocabulary, stage_groups(p_ - 1, false));
  }

  void add_gradients(StepStream& stream, double parameters, const std::string& groups) const {
    const bool shards = in_.at("zero") > 0;
    const auto add_one = [&](const char* name, Traffic kind, double bytes) {
      append(stream, {.name = name, .traffic = kind, .among = "data", .groups = groups, .bytes = bytes});
    };
    add_one("gradients", shards ? Traffic::reduce_scatter : Traffic::all_reduce,
            parameters * in_.at("gradient"));
    if (shards) add_one("weights", Traffic::all_gather, parameters * in_.at("element"));
  }

  double activation_bytes() const {
    return tokens() * static_cast<double>(in_.model.hidden) * in_.at("element") / c_;
  }

  const PresetInput& in_;
  std::uint32_t t_, c_, p_, m_, v_, d_ = 1;
  TrainingStep step_;
};

TrainingStep make_megatron(const PresetInput& input) { return DividedStep(input).build(); }

}  // namespace

Preset megatron_preset() {
  return {.name = "megatron",
          .meaning = "tensor, context, pipeline and data parallelism (3D, 4D), in this order of ranks",
          .source = "Narayanan et al. 2021; Korthikanti et al. 2022; Grattafiori et al. 2024",
          .keys = megatron_keys,
          .make = make_megatron};
}

}  // namespace assay::training
