// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/item_search.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "model/predict/step/step_bound.hpp"
#include "model/predict/system/placement.hpp"

namespace assay::model {
namespace {

/// The block choice in this layout.
Execution laid_out(const Execution& choice, const Execution& layout) {
  Execution e = choice;
  e.num_procs = layout.num_procs;
  e.pipeline_par = layout.pipeline_par;
  e.data_par = layout.data_par;
  e.pipeline_par_net = layout.pipeline_par_net;
  e.data_par_net = layout.data_par_net;
  e.context_par = layout.context_par;
  e.context_par_net = layout.context_par_net;
  e.context_par_type = layout.context_par_type;
  e.batch_size = layout.batch_size;
  e.interleaving = layout.interleaving;
  return e;
}

/// Infinite where there is no bound.
double most_rate(const Group& group, const Question& question) {
  double least_s = least_step_s(group.execution, question.system, group.block, group.schedule);
  if (question.shards_parameters)
    least_s = std::min(least_s,
                       least_sharded_step_s(group.execution, question.system, group.block, group.schedule));
  if (!(least_s > 0)) return std::numeric_limits<double>::infinity();
  return static_cast<double>(group.execution.batch_size) / least_s;
}

}  // namespace

std::vector<Item> items(const Question& question) {
  std::vector<Item> found;
  for (const std::int64_t t : tensor_degrees(question)) {
    std::set<std::int64_t> sizes;
    for (const Split& split : splits(question, t))
      for (const std::int64_t b : microbatches(question, t, split)) sizes.insert(b);
    for (const std::int64_t b : sizes) found.push_back({t, b});
  }
  return found;
}

ItemSearch::ItemSearch(const Question& question, const SearchTask& task, const Item& item)
    : question_(question), task_(task), item_(item), finds_(task.top), groups_(question, task, finds_) {
  for (const Execution& choice : block_choices(question, item.tensor_par))
    ++(choice.recompute == Recompute::full ? choices_recomputed_ : choices_kept_);
}

Finds ItemSearch::run() {
  for (std::size_t tier = 0; tier < tiers(question_, item_.tensor_par); ++tier) {
    priced_.clear();
    means_.clear();
    const std::vector<Execution> all = layouts(tier);
    for (const Execution& layout : all) search_layout(layout);
    keep_promises();
  }
  return std::move(finds_);
}

/// The costs of blocks in this layout, shared with all others whose blocks exchange in the same groups.
const std::vector<ItemSearch::PricedChoice>& ItemSearch::choices_of(const Execution& layout) {
  const Placement placement(layout);
  const auto [found, fresh] = priced_.try_emplace(
      BlockGroups{{placement.tensor(), placement.experts(), placement.context()}, layout.context_par_type});
  if (fresh) found->second = price_choices(layout);
  return found->second;
}

std::vector<ItemSearch::PricedChoice> ItemSearch::price_choices(const Execution& layout) const {
  std::vector<PricedChoice> priced;
  for (Execution choice : block_choices(question_, item_.tensor_par)) {
    choice = laid_out(choice, layout);
    choice.microbatch_size = item_.microbatch_size;
    choice.tensor_par_net = layout.tensor_par_net;
    choice.expert_par = layout.expert_par;
    choice.expert_par_net = layout.expert_par_net;
    if (!misfit(question_.application, choice, question_.system).empty()) continue;
    priced.push_back({choice, block_costs(question_.application, choice, question_.system)});
  }
  return priced;
}

/// Every split, place and interleaving that the networks' sizes and the constraints allow.
std::vector<Execution> ItemSearch::layouts(std::size_t tensor_tier) const {
  std::vector<Execution> found;
  for (const Split& split : splits(question_, item_.tensor_par)) {
    if (!is_microbatch(question_, item_.tensor_par, split, item_.microbatch_size)) continue;
    const std::vector<std::int64_t> chunks = interleavings(question_, split);
    for (Execution layout : places(split, tensor_tier))
      for (const std::int64_t v : chunks) {
        layout.interleaving = v;
        if (task_.constraints.allow(layout)) found.push_back(layout);
      }
  }
  return found;
}

/// The split on every choice of tiers that the networks' sizes allow, with its experts on theirs.
std::vector<Execution> ItemSearch::places(const Split& split, std::size_t tensor_tier) const {
  std::vector<Execution> found;
  Execution place;
  place.num_procs = question_.processors;
  place.tensor_par = item_.tensor_par;
  place.tensor_par_net = tensor_tier;
  place.pipeline_par = split.pipeline_par;
  place.data_par = split.data_par;
  place.batch_size = split.batch_size;
  place.microbatch_size = item_.microbatch_size;
  place.context_par = split.context_par;
  const std::vector<ExpertPlace> experts = expert_places(question_, split);
  for (std::size_t pipeline = 0; pipeline < tiers(question_, split.pipeline_par); ++pipeline)
    for (std::size_t data = 0; data < tiers(question_, split.data_par); ++data) {
      place.pipeline_par_net = pipeline;
      place.data_par_net = data;
      for (const auto& [type, context_net] : context_places(question_, item_.tensor_par, split.context_par)) {
        place.context_par_type = type;
        place.context_par_net = context_net;
        add_expert_places(experts, place, found);
      }
    }
  return found;
}

void ItemSearch::add_expert_places(const std::vector<ExpertPlace>& experts, Execution place,
                                   std::vector<Execution>& found) const {
  for (const auto& [expert_par, net] : experts) {
    place.expert_par = expert_par;
    place.expert_par_net = net;
    if (fits_layout(question_.application, place, question_.system).feasible()) found.push_back(place);
  }
}

const BlockCost& ItemSearch::block_of(const PricedChoice& priced, const Execution& layout) {
  if (question_.application.blocks.empty()) return priced.kinds.front();
  const auto [found, fresh] = means_.try_emplace({&priced, Stages{layout.pipeline_par, layout.interleaving}});
  if (fresh) found->second = mean_block(question_.application, layout, priced.kinds);
  return found->second;
}

void ItemSearch::search_layout(const Execution& layout) {
  const auto count = [&](Recompute recompute) {
    return static_cast<std::int64_t>(task_.arounds.of(layout.copies(), recompute).all.size());
  };
  finds_.placed += choices_kept_ * count(Recompute::none) + choices_recomputed_ * count(Recompute::full);
  const Schedule schedule(question_.application, layout);
  for (const PricedChoice& priced : choices_of(layout)) search_group(layout, schedule, priced);
}

void ItemSearch::search_group(const Execution& layout, const Schedule& schedule, const PricedChoice& priced) {
  const Group group{laid_out(priced.choice, layout), block_of(priced, layout), schedule};
  if (task_.needs_all()) {
    finds_.feasible += groups_.evaluate(group);
    return;
  }
  const std::int64_t fitting = groups_.count_fitting(group);
  finds_.feasible += fitting;
  if (fitting > 0) promises_.push_back({most_rate(group, question_), fitting, &layout, &priced});
}

void ItemSearch::keep_promises() {
  std::ranges::make_heap(promises_, {}, &Promise::most_rate);
  while (!promises_.empty() && promises_.front().most_rate >= finds_.best.least_rate()) {
    std::ranges::pop_heap(promises_, {}, &Promise::most_rate);
    const Promise& next = promises_.back();
    const Schedule schedule(question_.application, *next.layout);
    groups_.evaluate(
        {laid_out(next.priced->choice, *next.layout), block_of(*next.priced, *next.layout), schedule});
    promises_.pop_back();
  }
  for (const Promise& left : promises_) finds_.avoided += left.fitting;
  promises_.clear();
}

}  // namespace assay::model
