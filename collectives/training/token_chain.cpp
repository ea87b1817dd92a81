// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/training/token_chain.hpp"

#include "harness/integrity/digest.hpp"

namespace assay::collectives {
namespace {

constexpr std::uint64_t data_seed = 59;
constexpr std::uint64_t one_in = 8;  // tokens that follow by chance

/// One to one unless 5 divides the vocabulary's size.
std::int64_t usual_next(std::int64_t token, std::int64_t vocabulary) { return (token * 5 + 17) % vocabulary; }

}  // namespace

TokenBatch token_batch(const ModelShape& shape, std::int64_t step, int rank) {
  TokenBatch batch;
  const std::uint64_t seed =
      integrity::random_number(integrity::random_number(data_seed, static_cast<std::uint64_t>(step)),
                               static_cast<std::uint64_t>(rank));
  const auto words = static_cast<std::uint64_t>(shape.vocabulary);
  std::uint64_t drawn = 0;
  const auto any = [&] { return static_cast<std::int64_t>(integrity::random_number(seed, drawn++) % words); };
  for (std::int64_t sequence = 0; sequence < shape.sequences; ++sequence) {
    std::int64_t token = any();
    for (std::int64_t position = 0; position < shape.sequence; ++position) {
      batch.inputs.push_back(static_cast<std::int32_t>(token));
      const bool by_chance = integrity::random_number(seed, drawn++) % one_in == 0;
      token = by_chance ? any() : usual_next(token, shape.vocabulary);
      batch.targets.push_back(static_cast<std::int32_t>(token));
    }
  }
  return batch;
}

}  // namespace assay::collectives
