// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Time of a collective against ranks and bytes, for numbers of ranks that were not measured:
// steps(n) alpha + gamma + volume(n) S beta, with the steps and the volume of one algorithm.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "model/fit/laws/rank_shapes.hpp"
#include "model/fit/regression/accuracy.hpp"
#include "model/fit/regression/segments.hpp"
#include "model/fit/rows/timing_rows.hpp"

namespace assay::model::fit {

/// One protocol's sizes. `call` is 0 where the law has no such part.
struct RankRegime {
  double from_bytes = 0, to_bytes = 0;
  std::size_t rows = 0;
  Coefficient step, bandwidth, call;  // alpha_us, gb_per_s (1 / beta), gamma_us
};

/// The law of one system, operation, algorithm and dtype, within a node or over nodes.
struct RankLaw {
  std::string system, operation, algorithm, dtype;
  const RankShape* shape = nullptr;
  std::vector<std::int64_t> ranks;  // measured, ascending
  std::vector<std::int64_t> nodes;  // of each of them; 0: unknown
  std::vector<RankRegime> regimes;  // by size, one or more
  Accuracy held_out;                // every number of ranks, by the same law fitted without it
  std::map<std::int64_t, Accuracy> held_out_of;

  Tier tier() const { return tier_of(nodes.front()); }
  std::string name() const;  // as CollectiveRow::curve(), without ranks, and its tier
  /// The time among a number of ranks from 2 on.
  double time_us(double of_ranks, double size_bytes) const;
  /// The law as pieces, with the intervals that the coefficients give them.
  std::vector<Segment> segments(double of_ranks) const;
};

inline constexpr std::size_t fewest_ranks_of_law = 2;
inline constexpr std::size_t fewest_ranks_with_call = 3;

/// A law for whatever has two numbers of ranks or more, each of them on the most nodes measured. The shape, a
/// constant part of a call (from three numbers of ranks on) and the number of regimes are those of the least
/// error at the numbers of ranks left out, one at a time: `held_out` is of the best of these, and so a little
/// too small.
std::vector<RankLaw> fit_rank_laws(const std::vector<CollectiveRow>& rows, std::uint64_t seed);

/// Shape and measured ranks of each, its coefficients, and its error at ranks left out.
std::string text_of(const std::vector<RankLaw>& laws);

}  // namespace assay::model::fit
