// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/path/measured_spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "harness/core/error.hpp"

namespace assay::rdma {

namespace {

constexpr double noise = 0.01, unlikely_share = 0.05;

std::vector<double> drawn_jain_indices(std::size_t flows, int uplinks, int rounds, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<int> uplink_of_flow(flows);
  std::vector<double> drawn;
  for (int round = 0; round < rounds; ++round) {
    for (int& uplink : uplink_of_flow) uplink = path::draw_uplink(random, uplinks);
    drawn.push_back(path::jain_index(path::fair_shares(uplink_of_flow, uplinks)));
  }
  std::sort(drawn.begin(), drawn.end());
  return drawn;
}

path::SpreadJudgement judged(double jain, const std::vector<double>& drawn) {
  const double draws = static_cast<double>(drawn.size());
  path::SpreadJudgement judgement;
  judgement.share_as_bad =
      static_cast<double>(std::upper_bound(drawn.begin(), drawn.end(), jain + noise) - drawn.begin()) / draws;
  judgement.share_as_good =
      static_cast<double>(drawn.end() - std::lower_bound(drawn.begin(), drawn.end(), jain - noise)) / draws;
  std::string what = "within what ideal hashes give";
  if (judgement.share_as_bad < unlikely_share) {
    judgement.verdict = path::SpreadVerdict::worse;
    what = "less even than with 95 % of ideal hashes: hash fault, polarisation or a slow flow";
  } else if (judgement.share_as_good < unlikely_share) {
    judgement.verdict = path::SpreadVerdict::better;
    what = "more even than with 95 % of ideal hashes: spraying, adaptive routing or chosen labels";
  }
  judgement.reason = fmt::format("{} (Jain index {:.3f}; ideal hashes: median {:.3f}, 5 % below {:.3f})",
                                 what, jain, drawn[drawn.size() / 2], drawn[drawn.size() / 20]);
  return judgement;
}

}  // namespace

MeasuredSpread judge_bandwidths(std::span<const double> bandwidths, int uplinks, int rounds,
                                std::uint64_t seed) {
  const double sum = std::accumulate(bandwidths.begin(), bandwidths.end(), 0.0);
  if (bandwidths.empty() || uplinks < 1 || rounds < 1 || !(sum > 0) ||
      std::any_of(bandwidths.begin(), bandwidths.end(), [](double one) { return !(one >= 0); }))
    core::usage_error(
        "measured bandwidths: one flow that moved something, none negative, and one uplink at least");
  const std::vector<double> drawn = drawn_jain_indices(bandwidths.size(), uplinks, rounds, seed);
  MeasuredSpread measured;
  measured.jain_index = path::jain_index(bandwidths);
  measured.ideal_jain_index = drawn[drawn.size() / 2];
  measured.slowest_share = *std::min_element(bandwidths.begin(), bandwidths.end()) /
                           (sum / static_cast<double>(bandwidths.size()));
  measured.judgement = judged(measured.jain_index, drawn);
  return measured;
}

}  // namespace assay::rdma
