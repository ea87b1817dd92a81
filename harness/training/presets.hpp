// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Training steps by formula: who exchanges how much with whom, by the way a model is divided. Parameters are
// those of the blocks' matrices, and of embedding and output head where a vocabulary is given; norms and
// biases do not count. Compute is 2 FLOP a parameter and token forward, with attention's 4 s a d of each
// token of a sequence of s, and twice that backward (Narayanan et al. 2021, arXiv 2104.04473, appendix).
#pragma once

#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "harness/training/training_step.hpp"
#include "harness/workload/transformer.hpp"

namespace assay::training {

/// A number that a preset takes.
struct PresetKey {
  std::string_view name, meaning;
  double value = 0;                                                           // unless stated
  std::uint32_t least = 1, most = std::numeric_limits<std::uint32_t>::max();  // of those that are no size
  bool is_size = false;
};

struct PresetInput {
  std::uint32_t ranks = 1;
  workload::Transformer model = {};  // of presets that have blocks
  std::map<std::string, double, std::less<>> numbers = {};

  double at(std::string_view key) const { return numbers.find(key)->second; }
  std::uint32_t count(std::string_view key) const { return static_cast<std::uint32_t>(at(key)); }
};

/// Parts missing from bytes and compute of a preset with blocks: always, and without a vocabulary.
inline constexpr std::string_view never_counted = "norms and biases",
                                  not_counted = "embedding, output head, norms and biases";

struct Preset {
  std::string_view name, meaning, source;
  bool has_blocks = true;
  std::span<const PresetKey> keys;
  TrainingStep (*make)(const PresetInput& input);
};

std::span<const Preset> presets();
/// Throws a usage Error naming those there are.
const Preset& preset(std::string_view name);

/// `numbers`: "KEY=VALUE" in place of defaults. Throws a usage Error for keys that the preset lacks or that
/// are there twice, values that are no whole number within the key's bounds, and counts that do not multiply
/// to the ranks.
TrainingStep preset_step(const Preset& preset, std::uint32_t ranks, const workload::Transformer& model,
                         std::span<const std::string> numbers);

/// Elements of all matrices of a block, or of its feed-forward part.
double block_parameters(const workload::Transformer& model);
double feed_forward_parameters(const workload::Transformer& model);
/// FLOP of a block's forward pass of so many tokens, in sequences of so many.
double block_flops(const workload::Transformer& model, double tokens, double sequence);

/// Buckets of gradients from the last block to the first, in parameters: a bucket ends with the matrix that
/// fills it (Li et al. 2020, "PyTorch Distributed", arXiv 2006.15704, section 3.2.3). The head's matrix comes
/// first, and the embedding's, of as many parameters, last.
std::vector<double> gradient_buckets(const workload::Transformer& model, double bucket_parameters,
                                     double vocabulary_parameters = 0);

/// The number of embedding tables at `rank`: tables are dealt out in turn.
std::uint32_t tables_of(std::uint32_t tables, std::uint32_t ranks, std::uint32_t rank);

}  // namespace assay::training
