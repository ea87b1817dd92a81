// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/step/gradient_exchange.hpp"

namespace assay::model {

GradientExchange::GradientExchange(const StepInputs& in) : in_(in), gradient_(in.execution.gradient_share()) {
  const Placement placement(in.execution);
  all_ = shards_ = placement.data();
  expert_copies_ = placement.expert_copies();
  const std::int64_t shards = in.execution.shards();
  if (shards == all_.members()) return;
  shards_ = on_innermost(in.system, placement.shards(shards));
  copies_ = placement.copies(shards);
}

double GradientExchange::between(double bytes, const ProcessorGroup& group) const {
  if (!in_.execution.optimizer_sharding)
    return model::seconds(in_.system, Collective::all_reduce, bytes * gradient_, group);
  return model::seconds(in_.system, Collective::reduce_scatter, bytes * gradient_, group) +
         model::seconds(in_.system, Collective::all_gather, bytes, group);
}

double GradientExchange::seconds(double bytes) const {
  if (!in_.execution.optimizer_sharding) return between(bytes, all_);
  return between(bytes, shards_) + copies_s(bytes);
}

double GradientExchange::expert_seconds(double bytes) const { return between(bytes, expert_copies_); }

double GradientExchange::gather_s(double bytes) const {
  return model::seconds(in_.system, Collective::all_gather, bytes, shards_);
}

double GradientExchange::reduce_s(double bytes) const {
  return model::seconds(in_.system, Collective::reduce_scatter, bytes * gradient_, shards_);
}

double GradientExchange::copies_s(double bytes) const {
  if (copies_.members() == 1) return 0;
  const auto shards = static_cast<double>(shards_.members());
  return model::seconds(in_.system, Collective::all_reduce, bytes * gradient_ / shards, copies_);
}

}  // namespace assay::model
