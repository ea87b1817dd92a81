// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Operations in which a rank sends to several others at once, or in tiers: as phases, one after another, each
// a set of messages that share the fabric.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/fabric/pattern.hpp"

namespace assay::model::fabric {

/// Called with the receiver's rank and bytes.
using Emit = std::function<void(int to, std::uint64_t bytes)>;

struct Phase {
  std::string name;
  /// Within nodes, and not on the fabric.
  bool in_node = false;
  /// How often the same messages are sent, one set after the other. Not whole where it stands for others.
  double repeats = 1;
  /// Latencies of a step until all of one set have arrived.
  int latency_steps = 1;
  /// All messages of a rank. The ranks are 0 to ranks - 1.
  std::function<void(int rank, const Emit& emit)> sends;
  /// The first phase with the same flows, whichever way they go; nothing where it is this one.
  std::optional<std::size_t> alike = std::nullopt;
};

/// A pattern's steps; those of a ring are alike but for a byte, and become one that is repeated, of the
/// largest block. The doubling of a halving-doubling all-reduce mirrors its halving.
std::vector<Phase> phases_of(const Pattern& pattern, PatternSize size);

/// Up both trees at once, and down again, each with half of the vector in chunks that follow each other:
/// Sanders, Speck and Traeff 2009, "Two-tree algorithms for full bandwidth broadcast, reduction and scan".
std::vector<Phase> double_tree_all_reduce(PatternSize size);

/// Ring reduce-scatter in nodes of `per_node` ranks in a row; `across` on every rail, among the ranks in the
/// same place of each node, with their part of the vector; ring all-gather in nodes. Throws a usage Error
/// where `per_node` does not divide the ranks.
std::vector<Phase> hierarchical_all_reduce(PatternSize size, int per_node, const Pattern& across);

/// The bytes that a rank has for another.
using BlockBytes = std::function<std::uint64_t(int from, int to)>;
/// Equal blocks of `size.bytes`, which differ by a byte at most. A block of no bytes counts as one: it costs
/// its latency.
BlockBytes equal_blocks(PatternSize size);

/// One partner of every rank, and how many such steps it stands for.
struct Shift {
  int distance = 1;
  double repeats = 1;
};
/// A shift of every distance, in rising order.
std::vector<Shift> all_shifts(int ranks);

/// All messages together. Those of 0 bytes are not sent.
std::vector<Phase> all_to_all_at_once(int ranks, const BlockBytes& bytes);
/// One partner a step.
std::vector<Phase> all_to_all_in_shifts(int ranks, const BlockBytes& bytes, const std::vector<Shift>& shifts);

/// All others send `size.bytes` to one. Throws a usage Error for a receiver that is not a rank.
std::vector<Phase> incast(PatternSize size, int receiver);
/// Each sends `size.bytes` to the rank `by` further, modulo their number. Throws a usage Error for 0.
std::vector<Phase> shift(PatternSize size, int by);
/// Each but the last sends `size.bytes` to the next, as stages of a pipeline do.
std::vector<Phase> pipeline(PatternSize size);
/// Each sends `size.bytes` to another, and each receives once: a permutation without fixed points, drawn by
/// `seed`. Throws a usage Error for one rank.
std::vector<Phase> permutation(PatternSize size, std::uint64_t seed);

/// A tier's latency of a step and bandwidth, bytes/us.
struct TierSpeed {
  double step_us = 0, bytes_per_us = 0;
};
/// The time in us where no flows meet but at a rank's own port: of each phase, by the most that a rank sends
/// or receives. Time: the number of messages.
double time_without_contention_us(const std::vector<Phase>& phases, int ranks, TierSpeed fabric,
                                  TierSpeed in_node);

}  // namespace assay::model::fabric
