// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/answer/training_step.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/training/rank_groups.hpp"
#include "model/predict/layers/exchange_list.hpp"
#include "model/predict/step/step_parts.hpp"
#include "model/predict/system/placement.hpp"

namespace assay::model {
namespace {

constexpr std::array<std::string_view, 3> pass_names = {"forward", "backward", "repeated forward"};

std::string groups_of(const Execution& how, const ProcessorGroup& group) {
  std::vector<training::GroupLevel> levels;
  for (const Digit& digit : group.digits)
    levels.push_back({static_cast<std::uint32_t>(digit.stride), static_cast<std::uint32_t>(digit.size)});
  std::ranges::sort(levels, {}, &training::GroupLevel::stride);
  return training::groups_text(static_cast<std::uint32_t>(how.num_procs), levels);
}

/// Equal operations of a stream are one, done more often; `merged`: all of a kind are one of all bytes.
void add_exchange(StepStream& stream, StepOperation operation, bool merged) {
  if (operation.times <= 0 || operation.bytes <= 0) return;
  if (merged) {
    operation.bytes *= operation.times;
    operation.times = 1;
  }
  const auto same = std::ranges::find_if(stream.operations, [&](const StepOperation& one) {
    return one.name == operation.name && one.traffic == operation.traffic && one.groups == operation.groups &&
           (merged || one.bytes == operation.bytes);
  });
  if (same == stream.operations.end())
    stream.operations.push_back(std::move(operation));
  else
    (merged ? same->bytes : same->times) += merged ? operation.bytes : operation.times;
}

training::Traffic traffic_of(Collective collective) {
  switch (collective) {
    case Collective::p2p:
      return training::Traffic::pipeline;
    case Collective::reduce_scatter:
      return training::Traffic::reduce_scatter;
    case Collective::all_gather:
      return training::Traffic::all_gather;
    case Collective::all_reduce:
      return training::Traffic::all_reduce;
    case Collective::all_to_all:
      return training::Traffic::all_to_all;
  }
  return training::Traffic::none;
}

void add_compute(StepStream& stream, std::string name, double seconds, double times) {
  if (seconds > 0 && times > 0)
    stream.operations.push_back({.name = std::move(name), .compute_s = seconds, .times = times});
}

class StepBuilder {
 public:
  StepBuilder(const Configuration& configuration, const Prediction& prediction)
      : what_(configuration.application),
        how_(configuration.execution),
        system_(configuration.system),
        step_(prediction.step),
        placement_(how_),
        schedule_(configuration.application, configuration.execution),
        in_{how_, system_, prediction.block, schedule_},
        hides_(how_.training && how_.data_par_overlap && how_.data_par > 1) {}

  TrainingStep build() {
    result_.name = "predicted step";
    result_.ranks = static_cast<std::uint32_t>(how_.num_procs);
    std::vector<std::string> before = add_passes();
    if (hides_) before = add_hidden(before);
    StepStream end{.name = "end", .after = std::move(before)};
    add_gradients(end, hides_ ? 1 : schedule_.blocks, false);
    const double ends = hides_ ? in_.block.embedding.weights : in_.first_stage_end_weights();
    add_gradient(end, ends * bytes_of(how_.datatype), false, 1, false);
    add_compute(end, "optimizer", step_.time.optimizer_s, 1);
    if (!end.operations.empty()) result_.streams.push_back(std::move(end));
    return std::move(result_);
  }

 private:
  bool is_tiled() const { return how_.tensor_par_overlap != TensorParOverlap::none; }
  double forward_s() const { return step_.time.forward_s / schedule_.microbatches; }
  double backward_s() const {
    return (step_.time.backward_s + step_.time.recompute_s) / schedule_.microbatches;
  }

  /// All but what hides the exchange of gradients. The names of the streams.
  std::vector<std::string> add_passes() {
    const double all = schedule_.microbatches, backward = hides_ ? all - 1 : all;
    StepStream passes{.name = "passes"}, tensor{.name = "tensor"};
    StepStream& exchanges = is_tiled() ? tensor : passes;
    add_compute(passes, "forward", forward_s(), all);
    add_compute(passes, "backward", backward_s(), backward);
    add_exchanges(exchanges, {Direction::forward}, all);
    add_exchanges(exchanges, {Direction::backward, Direction::repeated}, backward);
    add_messages(passes);
    add_compute(passes, "work of exchanges", exchange_work_s(), 1);
    add_compute(passes, "offload", step_.time.forward_offload_s + step_.time.backward_offload_s, 1);
    add_compute(passes, "embedding and head", step_.time.ends_s, 1);
    add_compute(passes, "pipeline bubble", step_.time.bubble_s, 1);
    result_.streams.push_back(std::move(passes));
    if (tensor.operations.empty()) return {"passes"};
    result_.streams.push_back(std::move(tensor));
    return {"passes", "tensor"};
  }

  /// Gradients of a block can leave when its backward pass has ended.
  std::vector<std::string> add_hidden(const std::vector<std::string>& before) {
    StepStream last{.name = "last backward", .after = before},
        gradients{.name = "gradients", .after = before};
    add_compute(last, "backward", backward_s(), 1);
    add_exchanges(last, {Direction::backward, Direction::repeated}, 1, true);
    add_compute(gradients, "backward of a block", backward_s() / schedule_.blocks, 1);
    add_gradients(gradients, schedule_.blocks - 1, true);
    const double head = in_.first_stage_end_weights() - in_.block.embedding.weights;
    add_gradient(gradients, head * bytes_of(how_.datatype), false, 1, true);
    result_.processor_usage = system_.networks[how_.data_par_net].processor_usage;
    result_.streams.push_back(std::move(last));
    result_.streams.push_back(std::move(gradients));
    return {"last backward", "gradients"};
  }

  void add_exchanges(StepStream& stream, std::initializer_list<Direction> directions, double microbatches,
                     bool merged = false) {
    for (const bool edge : {false, true}) {
      const double blocks = schedule_.chunks * (edge ? 1 : schedule_.base_blocks);
      for (const ListedExchange& one : exchanges_of_block(what_, how_, system_, edge)) {
        if (std::ranges::find(directions, one.direction) == directions.end()) continue;
        add_exchange(
            stream,
            {.name = std::string(pass_names[static_cast<std::size_t>(one.direction)]),
             .traffic = traffic_of(one.operation),
             .among = one.between_experts ? "expert" : "tensor",
             .groups = groups_of(how_, one.between_experts ? placement_.experts() : placement_.tensor()),
             .bytes = one.bytes,
             .times = one.count * blocks * microbatches},
            merged || is_tiled());
      }
    }
  }

  /// Seconds of adding up and copying beyond the exchanges themselves, where no compute hides them.
  double exchange_work_s() const {
    if (is_tiled()) return 0;
    double link_s = 0;
    for (const bool edge : {false, true})
      for (const ListedExchange& one : exchanges_of_block(what_, how_, system_, edge)) {
        const ProcessorGroup group = one.between_experts ? placement_.experts() : placement_.tensor();
        link_s += one.count * schedule_.microbatches * schedule_.chunks * (edge ? 1 : schedule_.base_blocks) *
                  seconds(system_, one.operation, one.bytes, group);
      }
    const double work_s =
        step_.time.tensor_link_s + step_.time.repeated_link_s + step_.time.expert_exposed_s - link_s;
    return work_s > 1e-9 * link_s ? work_s : 0;  // what is left by rounding is nothing
  }

  /// Between stages of the pipeline; with several chunks the last sends to the first as well.
  void add_messages(StepStream& passes) const {
    for (const double bytes : {step_.forward_pipeline_bytes, step_.backward_pipeline_bytes})
      if (how_.pipeline_par > 1)
        add_exchange(
            passes,
            {.name = "pipeline",
             .traffic = how_.interleaving > 1 ? training::Traffic::shift : training::Traffic::pipeline,
             .among = "pipeline",
             .groups = groups_of(how_, placement_.pipeline()),
             .bytes = bytes,
             .times = schedule_.microbatches * schedule_.chunks},
            false);
  }

  void add_gradients(StepStream& stream, double blocks, bool merged) const {
    const BlockCost& block = in_.block;
    add_gradient(stream, block.weight_bytes - block.expert_weight_bytes, false, blocks, merged);
    add_gradient(stream, block.expert_weight_bytes, true, blocks, merged);
  }

  /// Between all data-parallel peers, or those that hold the same experts.
  void add_gradient(StepStream& stream, double bytes, bool of_experts, double times, bool merged) const {
    const ProcessorGroup group = of_experts ? placement_.expert_copies() : placement_.data();
    if (!how_.training || group.members() == 1) return;
    std::vector<training::Traffic> exchanges = {training::Traffic::all_reduce};
    if (how_.optimizer_sharding)
      exchanges = {training::Traffic::reduce_scatter, training::Traffic::all_gather};
    for (const training::Traffic one : exchanges)
      add_exchange(stream,
                   {.name = of_experts ? "gradients of experts" : "gradients",
                    .traffic = one,
                    .among = "data",
                    .groups = groups_of(how_, group),
                    .bytes = bytes,
                    .times = times},
                   merged);
  }

  const Application& what_;
  const Execution& how_;
  const System& system_;
  const Step& step_;
  Placement placement_;
  Schedule schedule_;
  StepInputs in_;
  bool hides_;
  TrainingStep result_;
};

}  // namespace

bool has_training_step(const Execution& e) {
  return !e.parameter_sharding && e.context_par == 1 && e.shards() == e.copies() &&
         e.expert_tensor() == e.tensor_par && e.recompute_blocks == 0 &&
         e.schedule != PipelineSchedule::zero_bubble && e.schedule != PipelineSchedule::dualpipe &&
         e.gradient_type() == e.datatype && e.exchange_type() == e.datatype;
}

TrainingStep training_step(const Configuration& configuration, const Prediction& prediction) {
  return StepBuilder(configuration, prediction).build();
}

}  // namespace assay::model
