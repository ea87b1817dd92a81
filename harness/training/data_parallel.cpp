// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// DDP: every rank has the whole model, and gradients are all-reduced in buckets next to the backward pass.
// FSDP and ZeRO-3: a rank keeps a part of each unit of blocks, which is gathered before its forward and its
// backward pass; gradients are reduce-scattered: 1.5 times the bytes of an all-reduce (Rajbhandari et al.
// 2020, "ZeRO", arXiv 1910.02054, section 7.2). Streams are single operations that name what they wait for.
#include <fmt/format.h>

#include <array>

#include "harness/training/preset_makers.hpp"
#include "harness/workload/problem.hpp"

namespace assay::training {
namespace {

constexpr PresetKey gradient_key{"gradient", "bytes of an element of gradients", 4};
constexpr std::array ddp_keys{
    sequence_key,
    batch_key,
    rate_key,
    vocabulary_key,
    gradient_key,
    PresetKey{
        .name = "bucket", .meaning = "gradients exchanged at a time", .value = 25 << 20, .is_size = true}};
constexpr std::array fsdp_keys{
    sequence_key,
    batch_key,
    rate_key,
    vocabulary_key,
    PresetKey{"element", "bytes of an element of weights and gradients", 2},
    PresetKey{"unit", "blocks gathered at a time", 1},
    PresetKey{"prefetch", "units gathered ahead of the one that computes", 1, 0},
    PresetKey{"shard", "ranks that share a model; 0: all. Others hold copies", 0, 0},
    PresetKey{"reshard", "1: gathered again for the backward pass (ZeRO-3), 0: kept (ZeRO-2)", 1, 0, 1}};

double block_s(const PresetInput& input) {
  const double sequence = input.at("sequence");
  return compute_s(input, block_flops(input.model, input.at("batch") * sequence, sequence));
}

TrainingStep make_ddp(const PresetInput& input) {
  TrainingStep step;
  const std::string groups = groups_of(input, "ranks", 1, input.ranks);
  const double element = input.at("gradient"), blocks = static_cast<double>(input.model.layers);
  StepStream forward{.name = "forward"};
  append(forward, compute("forward", block_s(input), blocks));
  const double tokens = input.at("batch") * input.at("sequence"), vocabulary = vocabulary_parameters(input);
  append(forward, compute("head", head_s(input, tokens)));
  std::string backward = add(step, std::move(forward)), exchanged;
  const double all_s = 2 * (blocks * block_s(input) + head_s(input, tokens)),
               parameter_s = all_s / (blocks * block_parameters(input.model) + 2 * vocabulary);
  std::size_t number = 0;
  for (const double parameters : gradient_buckets(input.model, input.at("bucket") / element, vocabulary)) {
    ++number;
    StepStream pass{.name = fmt::format("backward {}", number), .after = {backward}};
    append(pass, compute("backward", parameters * parameter_s));
    backward = add(step, std::move(pass));
    StepStream exchange{.name = fmt::format("bucket {}", number), .after = {backward, exchanged}};
    append(exchange, {.name = "gradients",
                      .traffic = Traffic::all_reduce,
                      .among = "data",
                      .groups = groups,
                      .bytes = parameters * element});
    exchanged = add(step, std::move(exchange));
  }
  return step;
}

/// Units of blocks, their gathers and passes as they wait for one another.
class ShardedStep {
 public:
  explicit ShardedStep(const PresetInput& input)
      : input_(input),
        shard_(input.count("shard") == 0 ? input.ranks : input.count("shard")),
        within_(groups_of(input, "shard", 1, shard_)),
        across_(shard_ == input.ranks ? "" : groups_of(input, "shard", shard_, input.ranks / shard_)) {
    const auto unit = static_cast<double>(input.at("unit"));
    for (auto left = static_cast<double>(input.model.layers); left > 0; left -= unit)
      blocks_.push_back(std::min(unit, left));
  }

  TrainingStep build() {
    gather_root();
    pass("forward", 1, true);
    head();
    std::reverse(blocks_.begin(), blocks_.end());
    pass("backward", 2, input_.at("reshard") > 0);
    if (root_bytes() > 0) reduce("root", root_bytes());
    return std::move(step_);
  }

 private:
  double bytes_of(std::size_t unit) const {
    return blocks_[unit] * block_parameters(input_.model) * input_.at("element");
  }

  /// Embedding and head: FSDP's root unit, which is gathered once and kept until the step ends.
  double root_bytes() const { return 2 * vocabulary_parameters(input_) * input_.at("element"); }

  void gather_root() {
    if (root_bytes() > 0)
      gathered_ = computed_ = exchange("gather root", {},
                                       {.name = "embedding and head",
                                        .traffic = Traffic::all_gather,
                                        .among = "data",
                                        .groups = within_,
                                        .bytes = root_bytes()});
  }

  /// Forward and backward together: nothing else computes between them.
  void head() {
    StepStream stream{.name = "head", .after = {computed_}};
    append(stream, compute("head", 3 * head_s(input_, input_.at("batch") * input_.at("sequence"))));
    if (!stream.operations.empty()) computed_ = add(step_, std::move(stream));
  }

  void pass(const std::string& name, double work, bool gathers) {
    const auto prefetch = static_cast<std::size_t>(input_.at("prefetch"));
    std::vector<std::string> computed;
    const std::string before = computed_;
    for (std::size_t unit = 0; unit < blocks_.size(); ++unit) {
      const std::string waits = unit > prefetch ? computed[unit - prefetch - 1] : before;
      if (gathers)
        gathered_ = exchange(fmt::format("gather {} {}", name, unit + 1), {gathered_, waits},
                             {.name = "weights",
                              .traffic = Traffic::all_gather,
                              .among = "data",
                              .groups = within_,
                              .bytes = bytes_of(unit)});
      StepStream stream{.name = fmt::format("{} {}", name, unit + 1), .after = {gathered_, computed_}};
      append(stream, compute(name, work * blocks_[unit] * block_s(input_)));
      computed_ = add(step_, std::move(stream));
      computed.push_back(computed_);
      if (work > 1) reduce(std::to_string(unit + 1), bytes_of(unit));
    }
  }

  void reduce(const std::string& unit, double bytes) {
    reduced_ = exchange("reduce " + unit, {computed_, reduced_},
                        {.name = "gradients",
                         .traffic = Traffic::reduce_scatter,
                         .among = "data",
                         .groups = within_,
                         .bytes = bytes});
    if (!across_.empty())
      reduced_ = exchange("copies " + unit, {reduced_, computed_},
                          {.name = "gradients of copies",
                           .traffic = Traffic::all_reduce,
                           .among = "copies",
                           .groups = across_,
                           .bytes = bytes / shard_});
  }

  std::string exchange(std::string name, std::vector<std::string> after, StepOperation operation) {
    StepStream stream{.name = std::move(name), .after = std::move(after)};
    append(stream, std::move(operation));
    return add(step_, std::move(stream));
  }

  const PresetInput& input_;
  std::uint32_t shard_;
  std::string within_, across_;
  std::vector<double> blocks_;  // of each unit
  TrainingStep step_;
  std::string gathered_, computed_, reduced_;  // the last streams of each kind
};

TrainingStep make_fsdp(const PresetInput& input) { return ShardedStep(input).build(); }

}  // namespace

std::vector<double> gradient_buckets(const workload::Transformer& model, double bucket_parameters,
                                     double vocabulary_parameters) {
  std::vector<double> matrices;
  for (const std::string& name : workload::all_block_gemms()) {
    const workload::Problem one = workload::rank_problem(model, 1, 1, workload::block_gemm_from(name),
                                                         workload::Pass::forward, workload::Dtype::bf16);
    matrices.push_back(static_cast<double>(one.n) * static_cast<double>(one.k));
  }
  std::vector<double> buckets;
  double filled = 0;
  const auto take = [&](double matrix) {
    filled += matrix;
    if (filled == 0 || filled < bucket_parameters) return;
    buckets.push_back(filled);
    filled = 0;
  };
  take(vocabulary_parameters);
  for (std::int64_t block = 0; block < model.layers; ++block)
    for (auto matrix = matrices.rbegin(); matrix != matrices.rend(); ++matrix) take(*matrix);
  take(vocabulary_parameters);
  if (filled > 0) buckets.push_back(filled);
  return buckets;
}

Preset ddp_preset() {
  return {.name = "ddp",
          .meaning = "all-reduce of gradients in buckets, next to the backward pass",
          .source = "Li et al. 2020, PyTorch Distributed",
          .keys = ddp_keys,
          .make = make_ddp};
}

Preset fsdp_preset() {
  return {.name = "fsdp",
          .meaning = "sharded weights (ZeRO-3): gathers ahead of each unit, reduce-scatter behind it",
          .source = "Rajbhandari et al. 2020, ZeRO; Zhao et al. 2023, PyTorch FSDP",
          .keys = fsdp_keys,
          .make = make_fsdp};
}

}  // namespace assay::training
