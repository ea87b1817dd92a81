// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One block that stands for unlike ones: its sums, times the blocks of a stage, are the stage's.
#include <algorithm>

#include "model/predict/layers/cost_parts.hpp"

namespace assay::model {
namespace {

using Counts = std::vector<double>;  // blocks of each kind

/// The kind of each block from the first to the last. Kinds that do not lead are spread evenly: the next is
/// that which is furthest behind its share.
std::vector<std::size_t> order_of(std::span<const Application> kinds) {
  std::vector<std::size_t> order, spread;
  std::int64_t left = 0;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    if (kinds[kind].leads) {
      order.insert(order.end(), static_cast<std::size_t>(kinds[kind].num_blocks), kind);
      continue;
    }
    spread.push_back(kind);
    left += kinds[kind].num_blocks;
  }
  std::vector<double> placed(kinds.size(), 0);
  for (std::int64_t at = 0; at < left; ++at) {
    const double share = static_cast<double>(at + 1) / static_cast<double>(left);
    const auto behind = [&](std::size_t kind) {
      return share * static_cast<double>(kinds[kind].num_blocks) - placed[kind];
    };
    const std::size_t next = *std::ranges::max_element(spread, {}, behind);
    ++placed[next];
    order.push_back(next);
  }
  return order;
}

/// Blocks of each stage; its chunks are every p-th of p v equal parts of the model.
std::vector<Counts> stages_of(std::span<const Application> kinds, const Execution& layout) {
  const std::vector<std::size_t> order = order_of(kinds);
  const auto stages = static_cast<std::size_t>(layout.pipeline_par);
  const std::size_t parts = stages * static_cast<std::size_t>(layout.interleaving);
  std::vector<Counts> found(stages, Counts(kinds.size(), 0));
  const std::size_t least = order.size() / parts, longer = order.size() % parts;
  std::size_t block = 0;
  for (std::size_t part = 0; part < parts; ++part)
    for (std::size_t last = block + least + (part < longer ? 1 : 0); block < last; ++block)
      ++found[part % stages][order[block]];
  return found;
}

template <class Value>
double sum_over(const Counts& counts, std::span<const BlockCost> kinds, const Value& value) {
  double sum = 0;
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) sum += counts[kind] * value(kinds[kind]);
  return sum;
}

double bytes_of_weights(const BlockCost& block) { return block.weight_bytes; }
double kept_bytes(const BlockCost& block) { return block.stored_bytes + block.checkpoint_bytes; }

void add_part(Pass& sum, const Pass& of, double share) {
  for (const auto member : pass_members) sum.*member += share * (of.*member);
}

void add_part(ExchangePass& sum, const ExchangePass& of, double share) {
  for (const auto side : {&ExchangePass::base, &ExchangePass::edge})
    for (const auto member : exchange_members) sum.*side.*member += share * (of.*side.*member);
}

void add_times(BlockCost& sum, const BlockCost& of, double share) {
  for (const auto pass : {&BlockCost::forward, &BlockCost::recompute, &BlockCost::agrad, &BlockCost::wgrad})
    add_part(sum.*pass, of.*pass, share);
  for (const auto pass :
       {&BlockCost::forward_exchange, &BlockCost::backward_exchange, &BlockCost::repeated_exchange})
    add_part(sum.*pass, of.*pass, share);
  for (const auto sent : {&DispatchCost::forward_s, &DispatchCost::backward_s, &DispatchCost::repeated_s})
    sum.dispatch.*sent += share * (of.dispatch.*sent), sum.context.*sent += share * (of.context.*sent);
}

void add_weight_group(BlockCost& sum, WeightGroup group) {
  const auto groups = std::span(sum.weight_groups).first(sum.weight_group_count);
  const auto same = std::ranges::find_if(groups, [&](const WeightGroup& one) {
    return one.elements == group.elements && one.of_experts == group.of_experts;
  });
  if (same != groups.end())
    same->layers += group.layers;
  else if (sum.weight_group_count < sum.weight_groups.size())
    sum.weight_groups[sum.weight_group_count++] = group;
  else  // as many layers of the last kind as hold these elements
    sum.weight_groups.back().layers += group.layers * group.elements / sum.weight_groups.back().elements;
}

void add_weights(BlockCost& sum, const BlockCost& of, double share) {
  if (share == 0) return;
  for (const auto member : {&BlockCost::weights, &BlockCost::expert_weights, &BlockCost::weight_bytes,
                            &BlockCost::expert_weight_bytes})
    sum.*member += share * (of.*member);
  for (std::size_t at = 0; at < of.weight_group_count; ++at) {
    WeightGroup group = of.weight_groups[at];
    group.layers *= share;
    add_weight_group(sum, group);
  }
}

void add_kept(BlockCost& sum, const BlockCost& of, double share) {
  for (const auto member : kept_members) sum.*member += share * (of.*member);
  for (const auto member : {&BlockCost::overlap_b_per_s, &BlockCost::working_bytes,
                            &BlockCost::gradient_bytes, &BlockCost::boundary_bytes})
    sum.*member = std::max(sum.*member, of.*member);
}

}  // namespace

double seconds_of(const BlockCost& block) {
  const DispatchCost& sent = block.dispatch;
  const ContextCost& context = block.context;
  return context.forward_s + context.backward_s + context.repeated_s + block.forward.seconds +
         block.agrad.seconds + block.wgrad.seconds + block.recompute.seconds +
         block.forward_exchange.base.exposed_s + block.backward_exchange.base.exposed_s +
         block.repeated_exchange.base.exposed_s + sent.forward_s + sent.backward_s + sent.repeated_s;
}

double flops_of(const BlockCost& block) {
  return block.forward.flops + block.agrad.flops + block.wgrad.flops;
}

BlockCost mean_block(const Application& application, const Execution& layout,
                     std::span<const BlockCost> kinds) {
  if (application.blocks.empty()) return kinds.front();
  const std::vector<Counts> stages = stages_of(application.blocks, layout);
  const auto most = [&](double (*value)(const BlockCost&)) {
    return *std::ranges::max_element(stages, {},
                                     [&](const Counts& counts) { return sum_over(counts, kinds, value); });
  };
  const Counts slowest = most(seconds_of), heaviest = most(bytes_of_weights), fullest = most(kept_bytes);
  const auto blocks =
      static_cast<double>((application.num_blocks + layout.pipeline_par - 1) / layout.pipeline_par);
  BlockCost mean;
  Counts all(kinds.size(), 0);
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    add_times(mean, kinds[kind], slowest[kind] / blocks);
    add_weights(mean, kinds[kind], heaviest[kind] / blocks);
    add_kept(mean, kinds[kind], fullest[kind] / blocks);
    all[kind] = static_cast<double>(application.blocks[kind].num_blocks);
  }
  const auto stage_count = static_cast<double>(layout.pipeline_par);
  mean.is_mean = true;
  mean.mean_stage = sum_over(all, kinds, seconds_of) / stage_count / sum_over(slowest, kinds, seconds_of);
  mean.mean_flops = sum_over(all, kinds, flops_of) / stage_count / sum_over(slowest, kinds, flops_of);
  mean.embedding = kinds.back().embedding;
  mean.head = kinds.back().head;
  mean.tied_embedding = kinds.back().tied_embedding;
  return mean;
}

}  // namespace assay::model
