// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The null hypothesis of path entropy: every flow falls on any of m equal uplinks with probability 1/m. What
// spread that gives, how often, and how an observed spread compares.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "harness/path/spread.hpp"

namespace assay::path {

inline constexpr std::uint64_t entropy_seed = 20260807;
inline constexpr int entropy_rounds = 20000;

/// Spreads of many ideal hashes, sorted. The same seed gives the same figures on every machine.
class IdealHash {
 public:
  /// Draws `rounds` times `flows` flows onto `uplinks` uplinks. All at least 1.
  static IdealHash simulate(std::int64_t flows, int uplinks, int rounds = entropy_rounds,
                            std::uint64_t seed = entropy_seed);

  std::int64_t flows() const { return flows_; }
  int uplinks() const { return uplinks_; }
  int rounds() const { return static_cast<int>(max_over_mean_.size()); }
  double mean_max_over_mean() const;
  /// The smallest drawn value that at least the share q of the draws does not exceed; q in (0, 1].
  double max_over_mean(double q) const;
  double jain_index(double q) const;
  /// Share of the draws whose busiest uplink is at least, or at most, this far above the mean.
  double share_at_least(double max_over_mean) const;
  double share_at_most(double max_over_mean) const;

 private:
  std::int64_t flows_ = 0;
  int uplinks_ = 0;
  std::vector<double> max_over_mean_, jain_index_;
};

/// The expectation of the busiest uplink over the mean, exact to rounding: independent Poisson loads,
/// conditioned on their sum, truncated at every possible maximum. Takes about flows^2 * uplinks steps: for up
/// to some thousand flows.
double exact_mean_max_over_mean(std::int64_t flows, int uplinks);

enum class SpreadVerdict { worse, within, better };
constexpr const char* to_string(SpreadVerdict verdict) {
  return verdict == SpreadVerdict::worse ? "worse" : verdict == SpreadVerdict::within ? "within" : "better";
}

struct SpreadJudgement {
  SpreadVerdict verdict = SpreadVerdict::within;
  double share_as_bad = 0;   // of ideal hashes that are at least as uneven
  double share_as_good = 0;  // of ideal hashes that are at least as even
  std::string reason;
};

/// Holds a spread (computed from ports, or measured as load of uplinks) against ideal hashes. worse: fewer
/// than 5 % of them are as uneven; better: fewer than 5 % are as even, as when packets are sprayed or routed
/// adaptively.
SpreadJudgement judge(double max_over_mean, const IdealHash& ideal);

/// The random draw behind every ideal hash: the same uplinks for a seed on every machine.
/// 0 to uplinks - 1, uplinks at most 2^20. Not std::uniform_int_distribution: its values differ between
/// standard libraries. The bias of multiply and shift stays below 2^-12.
inline int draw_uplink(std::mt19937_64& random, int uplinks) {
  return static_cast<int>(((random() >> 32U) * static_cast<std::uint64_t>(uplinks)) >> 32U);
}

}  // namespace assay::path
