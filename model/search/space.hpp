// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The configurations that Calculon's search goes through, by its own rules.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/predict/execution.hpp"

namespace assay::model {

struct Question {
  Application application;
  System system;
  std::int64_t processors = 1;
  std::int64_t max_batch = 1;  // sequences
  Datatype datatype = Datatype::float16;
  bool fused = true, unfused = false;  // which activations to try
};

std::vector<std::int64_t> divisors(std::int64_t number);

/// tensor_par: what divides processors, hidden and heads.
std::vector<std::int64_t> tensor_degrees(const Question& question);

/// What the pipeline leaves: its depth divides the blocks, the batch is the largest multiple of data_par
/// allowed.
struct Split {
  std::int64_t pipeline_par, data_par, batch_size;
};
std::vector<Split> splits(const Question& question, std::int64_t tensor_par);

/// Chunks a processor: divisors of its blocks; 1 without a pipeline.
std::vector<std::int64_t> interleavings(const Question& question, const Split& split);

/// The options that change what a block costs, tried for every tensor_par and microbatch size: `execution`
/// has them set.
std::vector<Execution> block_choices(const Question& question, std::int64_t tensor_par);

/// Network tiers that a dimension of this degree is tried on: all of them, or the first where there is
/// nothing to carry.
std::size_t tiers(const Question& question, std::int64_t degree);

/// What is tried around one block choice: sharding and overlap of data parallelism, and what is offloaded.
struct Around {
  bool optimizer_sharding, data_par_overlap, weight_offload, activations_offload, optimizer_offload;
};
std::vector<Around> arounds(const Question& question, std::int64_t data_par, Recompute recompute);

/// How many configurations there are, as Calculon counts them.
std::int64_t count_space(const Question& question);

}  // namespace assay::model
