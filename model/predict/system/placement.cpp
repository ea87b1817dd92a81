// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/system/placement.hpp"

#include <algorithm>

namespace assay::model {
namespace {

/// Digits of those `size` numbers that follow `skip`, where numbers count up through `digits`, the first
/// first.
std::array<Digit, 4> part_of(std::span<const Digit> digits, std::int64_t skip, std::int64_t size) {
  std::array<Digit, 4> part = {};
  std::size_t count = 0;
  for (const Digit& digit : digits) {
    const std::int64_t left_out = std::min(skip, digit.size);
    const std::int64_t taken = std::min(size, digit.size / left_out);
    if (taken > 1) part[count++] = {digit.stride * left_out, taken};
    skip /= left_out;
    size /= taken;
  }
  return part;
}

}  // namespace

Placement::Placement(const Execution& e)
    : digits_{{{1, e.tensor_par},
               {1, e.context_par},
               {1, e.expert_data()},
               {1, e.pipeline_par},
               {1, e.data_par / e.expert_data()}}},
      nets_{e.tensor_par_net, e.context_par_net, e.expert_par_net, e.pipeline_par_net, e.data_par_net},
      data_net_(e.copies_net()),
      expert_par_(e.expert_par),
      expert_tensor_(e.expert_tensor()) {
  std::int64_t stride = 1;
  const std::size_t outermost = *std::ranges::max_element(nets_);
  for (std::size_t net = 0; net <= outermost; ++net)
    for (std::size_t dimension = 0; dimension < dimensions; ++dimension) {
      if (nets_[dimension] != net) continue;
      digits_[dimension].stride = stride;
      stride *= digits_[dimension].size;
    }
}

ProcessorGroup Placement::data() const {
  return {data_net_, {digits_[context_], digits_[inner_data_], digits_[data_]}};
}

ProcessorGroup Placement::shards(std::int64_t count) const {
  const ProcessorGroup all = data();
  return {all.tier, part_of(all.digits, 1, count)};
}

ProcessorGroup Placement::copies(std::int64_t shards) const {
  const ProcessorGroup all = data();
  return {all.tier, part_of(all.digits, shards, all.members() / shards)};
}

ProcessorGroup Placement::experts() const {
  const std::array digits{digits_[tensor_], digits_[context_], digits_[inner_data_]};
  return {nets_[inner_data_], part_of(digits, expert_tensor_, expert_par_)};
}

ProcessorGroup Placement::expert_tensor() const {
  return {nets_[tensor_], part_of(std::array{digits_[tensor_]}, 1, expert_tensor_)};
}

ProcessorGroup Placement::expert_copies() const {
  const std::array digits{digits_[tensor_], digits_[context_], digits_[inner_data_], digits_[data_]};
  std::int64_t all = 1;
  for (const Digit& digit : digits) all *= digit.size;
  const std::int64_t own = expert_tensor_ * expert_par_;
  return {data_net_, part_of(digits, own, all / own)};
}

ProcessorGroup on_innermost(const System& system, ProcessorGroup group) {
  for (std::size_t tier = 0; tier < group.tier; ++tier)
    if (group.members_within(system.networks[tier].size) == group.members()) {
      group.tier = tier;
      break;
    }
  return group;
}

}  // namespace assay::model
