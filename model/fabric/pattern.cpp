// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fabric/pattern.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "harness/schedule/blocks.hpp"
#include "harness/schedule/sends.hpp"
#include "model/fabric/refuse.hpp"

namespace assay::model::fabric {

namespace {

int others(int ranks) { return ranks - 1; }
int one_step(int ranks) { return ranks > 1 ? 1 : 0; }

/// An element is a byte.
template <auto Sends>
std::optional<PatternSend> sent_by(PatternSize size, int step, int rank) {
  const auto sent = Sends(schedule::Size{size.ranks, static_cast<std::int64_t>(size.bytes)}, step, rank);
  if (!sent) return std::nullopt;
  return PatternSend{sent->to, static_cast<std::uint64_t>(sent->count)};
}

schedule::MaybeSend shift_by_one(schedule::Size size, int, int rank) {
  return schedule::shift(size, 1, rank);
}

int binomial_all_reduce_steps(int ranks) { return 2 * schedule::binomial_steps(ranks); }
schedule::MaybeSend binomial_all_reduce(schedule::Size size, int step, int rank) {
  const int rounds = schedule::binomial_steps(size.ranks);
  return step < rounds ? schedule::binomial_reduce(size, step, rank)
                       : schedule::binomial_broadcast(size, step - rounds, rank);
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
  return affine_us(size, schedule::ring_all_reduce_steps(size.ranks), 2 * all_but_one(size), step_us,
                   bytes_per_us);
}
double halving_doubling_us(PatternSize size, double step_us, double bytes_per_us) {
  return affine_us(size, 2 * schedule::log2_ceiling(size.ranks), 2 * all_but_one(size), step_us,
                   bytes_per_us);
}
double whole_by_log_us(PatternSize size, double step_us, double bytes_per_us) {
  return affine_us(size, schedule::log2_ceiling(size.ranks), schedule::log2_ceiling(size.ranks), step_us,
                   bytes_per_us);
}
double whole_by_two_logs_us(PatternSize size, double step_us, double bytes_per_us) {
  return 2 * whole_by_log_us(size, step_us, bytes_per_us);
}
double shift_us(PatternSize size, double step_us, double bytes_per_us) {
  return affine_us(size, one_step(size.ranks), one_step(size.ranks), step_us, bytes_per_us);
}

constexpr std::array<Pattern, 10> all_patterns{{
    {"ring_all_reduce", schedule::ring_all_reduce_steps, sent_by<schedule::ring_all_reduce>, two_rounds_us},
    {"ring_all_gather", schedule::ring_steps, sent_by<schedule::ring_all_gather>, one_round_us},
    {"ring_reduce_scatter", schedule::ring_steps, sent_by<schedule::ring_reduce_scatter>, one_round_us},
    {"doubling_all_reduce", schedule::doubling_all_reduce_steps, sent_by<schedule::doubling_all_reduce>,
     whole_by_log_us},
    {"halving_doubling_all_reduce", schedule::halving_doubling_all_reduce_steps,
     sent_by<schedule::halving_doubling_all_reduce>, halving_doubling_us},
    {"binomial_broadcast", schedule::binomial_steps, sent_by<schedule::binomial_broadcast>, whole_by_log_us},
    {"binomial_reduce", schedule::binomial_steps, sent_by<schedule::binomial_reduce>, whole_by_log_us},
    {"binomial_all_reduce", binomial_all_reduce_steps, sent_by<binomial_all_reduce>, whole_by_two_logs_us},
    {"pairwise_all_to_all", others, sent_by<schedule::pairwise_all_to_all>, one_round_us},
    {"shift", one_step, sent_by<shift_by_one>, shift_us},
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
