// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The configurations that a search goes through: Calculon's, by its own rules; under assay's model also with
// attention in one kernel, and where the application has experts, with each way to spread them.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "model/predict/answer/prediction.hpp"

namespace assay::model {

struct Question {
  Application application;
  System system;
  std::int64_t processors = 1;
  std::int64_t max_batch = 1;  // sequences
  Datatype datatype = Datatype::float16;
  bool fused = true, unfused = false;  // which activations to try

  Model model = Model::calculon;
  std::vector<std::string> coefficients = {};             // as Configuration has them
  bool fused_attention = true, unfused_attention = true;  // which kernels to try, under assay's model alone
  std::int64_t most_context = 1;                          // context_par to try, likewise
  bool shards_parameters = false;                         // also weights in shards, likewise
};

/// The question's configuration with this execution.
Configuration configuration_of(const Question& question, const Execution& execution);

std::vector<std::int64_t> divisors(std::int64_t number);

/// Values of tensor_par: those that divide processors, hidden and heads.
std::vector<std::int64_t> tensor_degrees(const Question& question);

/// A division of the processors that tensor_par leaves: the pipeline's depth divides the blocks, the contexts
/// the sequence, and the batch is the largest multiple of data_par allowed.
struct Split {
  std::int64_t pipeline_par, data_par, batch_size, context_par = 1;
};
std::vector<Split> splits(const Question& question, std::int64_t tensor_par);

/// Sequences of a microbatch: divisors of what data parallelism leaves of the batch, as far as tensor_par
/// divides their tokens, whatever the communication.
std::vector<std::int64_t> microbatches(const Question& question, std::int64_t tensor_par, const Split& split);
bool is_microbatch(const Question& question, std::int64_t tensor_par, const Split& split, std::int64_t size);

/// Chunks a processor: divisors of its blocks; 1 without a pipeline.
std::vector<std::int64_t> interleavings(const Question& question, const Split& split);

/// The options that change what a block costs, tried for every tensor_par and microbatch size: `execution`
/// has them set.
std::vector<Execution> block_choices(const Question& question, std::int64_t tensor_par);

/// Network tiers that a dimension of this degree is tried on: all of them, or the first where there is
/// nothing to carry.
std::size_t tiers(const Question& question, std::int64_t degree);

/// How experts are spread over a data-parallel group.
struct ExpertPlace {
  std::int64_t expert_par = 1;
  std::size_t net = 0;
  auto operator<=>(const ExpertPlace&) const = default;
};
/// Divisors of the experts that data ranks and contexts have the processors for, each on all its tiers; one
/// processor without experts.
std::vector<ExpertPlace> expert_places(const Question& question, const Split& split);

/// How sequences are spread.
struct ContextPlace {
  ContextPar type = ContextPar::ring;
  std::size_t net = 0;
  auto operator<=>(const ContextPlace&) const = default;
};
/// Every type that divides the heads, on all tiers; one where nothing is spread.
std::vector<ContextPlace> context_places(const Question& question, std::int64_t tensor_par,
                                         std::int64_t context_par);

/// Options tried around one block choice: sharding and overlap of data parallelism, and what is offloaded.
struct Around {
  bool optimizer_sharding, data_par_overlap, weight_offload, activations_offload, optimizer_offload;
  bool parameter_sharding = false;
};
/// `copies`: processors that hold the same weights.
std::vector<Around> arounds(const Question& question, std::int64_t copies, Recompute recompute);

/// The number of configurations, as Calculon counts them: before anything is looked at but divisors.
std::int64_t count_space(const Question& question);

}  // namespace assay::model
