// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/pattern.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

using Sends = std::optional<PatternSend>;

int log2_below(int ranks) { return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks))) - 1; }
int log2_above(int ranks) { return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1))); }

/// Where block `at` of `parts` begins: the first of them have one byte more.
std::uint64_t edge(std::uint64_t bytes, int parts, int at) {
  const auto count = static_cast<std::uint64_t>(parts), block = static_cast<std::uint64_t>(at);
  return block * (bytes / count) + std::min(block, bytes % count);
}
std::uint64_t block_bytes(std::uint64_t bytes, int parts, int at) {
  return edge(bytes, parts, at + 1) - edge(bytes, parts, at);
}

int others(int ranks) { return ranks - 1; }

/// To the next rank, the block `back` before the rank's own.
Sends pass_on(PatternSize size, int rank, int back) {
  const int block = ((rank - back) % size.ranks + size.ranks) % size.ranks;
  return PatternSend{(rank + 1) % size.ranks, block_bytes(size.bytes, size.ranks, block)};
}

int two_rounds(int ranks) { return 2 * (ranks - 1); }

Sends ring_all_reduce(PatternSize size, int step, int rank) {
  return pass_on(size, rank, step < size.ranks - 1 ? step : step - size.ranks);
}
Sends ring_all_gather(PatternSize size, int step, int rank) { return pass_on(size, rank, step); }
Sends ring_reduce_scatter(PatternSize size, int step, int rank) { return pass_on(size, rank, step + 1); }

Sends shift(PatternSize size, int, int rank) { return PatternSend{(rank + 1) % size.ranks, size.bytes}; }
int one_step(int ranks) { return ranks > 1 ? 1 : 0; }

Sends pairwise_all_to_all(PatternSize size, int step, int rank) {
  const int to = (rank + step + 1) % size.ranks;
  return PatternSend{to, block_bytes(size.bytes, size.ranks, to)};
}

/// Of n = 2^k + extra ranks, the first 2 extra form pairs; the odd one of each acts for both.
struct Folded {
  explicit Folded(int ranks) : rounds(log2_below(ranks)), extra(ranks - (1 << rounds)) {}

  int ends() const { return extra > 0 ? 1 : 0; }
  bool paired(int rank) const { return rank < 2 * extra; }
  int group(int rank) const { return paired(rank) ? rank / 2 : rank - extra; }
  int acting(int group) const { return group < extra ? 2 * group + 1 : group + extra; }

  int rounds, extra;
};

/// Steps between the folding of pairs and their unfolding; both send whole vectors.
template <class Middle>
Sends fold(PatternSize size, int step, int rank, int middle_steps, const Middle& middle) {
  const Folded folded(size.ranks);
  const bool even = rank % 2 == 0;
  const int at = step - folded.ends();
  if (at >= 0 && at < middle_steps)
    return folded.paired(rank) && even ? std::nullopt : Sends(middle(folded, folded.group(rank), at));
  const bool folding = at < 0;
  return folded.paired(rank) && even == folding ? Sends(PatternSend{rank ^ 1, size.bytes}) : std::nullopt;
}

int doubling_steps(int ranks) { return Folded(ranks).rounds + 2 * Folded(ranks).ends(); }
int halving_doubling_steps(int ranks) { return 2 * Folded(ranks).rounds + 2 * Folded(ranks).ends(); }

Sends doubling_all_reduce(PatternSize size, int step, int rank) {
  return fold(size, step, rank, Folded(size.ranks).rounds, [&](const Folded& folded, int group, int round) {
    return PatternSend{folded.acting(group ^ (1 << round)), size.bytes};
  });
}

/// Halving gives the partner its window of the vector; doubling hands on the window that is complete here.
Sends halving_doubling_all_reduce(PatternSize size, int step, int rank) {
  const int rounds = Folded(size.ranks).rounds;
  return fold(size, step, rank, 2 * rounds, [&](const Folded& folded, int group, int round) {
    const bool halving = round < rounds;
    const int width = 1 << (halving ? rounds - 1 - round : round - rounds);
    const int partner = group ^ width, first = (halving ? partner : group) & ~(width - 1);
    const int groups = 1 << rounds;
    return PatternSend{folded.acting(partner),
                       edge(size.bytes, groups, first + width) - edge(size.bytes, groups, first)};
  });
}

Sends binomial_broadcast(PatternSize size, int step, int rank) {
  const int distance = 1 << (log2_above(size.ranks) - 1 - step);
  if (rank % (2 * distance) != 0 || rank + distance >= size.ranks) return std::nullopt;
  return PatternSend{rank + distance, size.bytes};
}
Sends binomial_reduce(PatternSize size, int step, int rank) {
  const int distance = 1 << step;
  if (rank % (2 * distance) != distance) return std::nullopt;
  return PatternSend{rank - distance, size.bytes};
}
int binomial_all_reduce_steps(int ranks) { return 2 * log2_above(ranks); }
Sends binomial_all_reduce(PatternSize size, int step, int rank) {
  const int rounds = log2_above(size.ranks);
  return step < rounds ? binomial_reduce(size, step, rank) : binomial_broadcast(size, step - rounds, rank);
}

/// `steps` latencies and `vectors` times the vector.
double affine_us(PatternSize size, double steps, double vectors, double step_us, double bytes_per_us) {
  return steps * step_us + vectors * static_cast<double>(size.bytes) / bytes_per_us;
}
double all_but_one(PatternSize size) { return 1 - 1.0 / size.ranks; }

double one_round_us(PatternSize size, double step_us, double bytes_per_us) {
  return affine_us(size, others(size.ranks), all_but_one(size), step_us, bytes_per_us);
}
double two_rounds_us(PatternSize size, double step_us, double bytes_per_us) {
  return affine_us(size, two_rounds(size.ranks), 2 * all_but_one(size), step_us, bytes_per_us);
}
double halving_doubling_us(PatternSize size, double step_us, double bytes_per_us) {
  return affine_us(size, 2 * log2_above(size.ranks), 2 * all_but_one(size), step_us, bytes_per_us);
}
double whole_by_log_us(PatternSize size, double step_us, double bytes_per_us) {
  return affine_us(size, log2_above(size.ranks), log2_above(size.ranks), step_us, bytes_per_us);
}
double whole_by_two_logs_us(PatternSize size, double step_us, double bytes_per_us) {
  return 2 * whole_by_log_us(size, step_us, bytes_per_us);
}
double shift_us(PatternSize size, double step_us, double bytes_per_us) {
  return affine_us(size, one_step(size.ranks), one_step(size.ranks), step_us, bytes_per_us);
}

constexpr std::array<Pattern, 10> all_patterns{{
    {"ring_all_reduce", two_rounds, ring_all_reduce, two_rounds_us},
    {"ring_all_gather", others, ring_all_gather, one_round_us},
    {"ring_reduce_scatter", others, ring_reduce_scatter, one_round_us},
    {"doubling_all_reduce", doubling_steps, doubling_all_reduce, whole_by_log_us},
    {"halving_doubling_all_reduce", halving_doubling_steps, halving_doubling_all_reduce, halving_doubling_us},
    {"binomial_broadcast", log2_above, binomial_broadcast, whole_by_log_us},
    {"binomial_reduce", log2_above, binomial_reduce, whole_by_log_us},
    {"binomial_all_reduce", binomial_all_reduce_steps, binomial_all_reduce, whole_by_two_logs_us},
    {"pairwise_all_to_all", others, pairwise_all_to_all, one_round_us},
    {"shift", one_step, shift, shift_us},
}};

}  // namespace

std::span<const Pattern> patterns() { return all_patterns; }

const Pattern& pattern(std::string_view name) {
  const auto* const found = std::ranges::find(all_patterns, name, &Pattern::name);
  if (found != all_patterns.end()) return *found;
  std::string names;
  for (const Pattern& one : all_patterns) names += (names.empty() ? "" : ", ") + std::string(one.name);
  refuse("there is no pattern '" + std::string(name) + "'; expected " + names);
}

double time_without_contention_us(const Pattern& pattern, PatternSize size, double step_us,
                                  double bytes_per_us) {
  double time_us = 0;
  for (int step = 0; step < pattern.steps(size.ranks); ++step) {
    std::uint64_t largest = 0;
    for (int rank = 0; rank < size.ranks; ++rank)
      if (const auto sent = pattern.send(size, step, rank)) largest = std::max(largest, sent->bytes);
    time_us += step_us + static_cast<double>(largest) / bytes_per_us;
  }
  return time_us;
}

}  // namespace assay::model::fabric
