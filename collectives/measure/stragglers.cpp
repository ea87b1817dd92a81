// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/stragglers.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/core/statistics/beta_distribution.hpp"
#include "harness/core/statistics/statistics.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"

namespace assay::collectives {
namespace {

constexpr std::size_t fewest_ranks = 4, fewest_iterations = 8, most_blocks = 32;
constexpr double outlying = 3.5, error_rate = 0.01;
/// Standard deviation over median absolute deviation of a normal distribution.
constexpr double normal_scale = 1.4826;

double median_of(const std::vector<double>& values) { return core::quantile_of(values, 0.5); }

/// P(X >= k) of n blocks with probability p each.
double binomial_tail(int k, int n, double p) { return k <= 0 ? 1 : core::incomplete_beta(p, k, n - k + 1); }

using ByRank = std::vector<double>;

/// Each rank's median lateness behind the median rank, over the iterations from `first` to `end`.
ByRank lateness_s(const std::vector<RankFigures>& by_rank, std::size_t first, std::size_t end) {
  std::vector<std::vector<double>> late(by_rank.size());
  for (std::size_t i = first; i < end; ++i) {
    ByRank entries;
    for (const RankFigures& one : by_rank) entries.push_back(one.entries_s[i]);
    const double middle = median_of(entries);
    for (std::size_t rank = 0; rank < entries.size(); ++rank) late[rank].push_back(entries[rank] - middle);
  }
  ByRank medians;
  for (const std::vector<double>& one : late) medians.push_back(median_of(one));
  return medians;
}

/// The latest rank where it is an outlier; -1 else.
int outlier_of(const ByRank& late_s) {
  const double middle = median_of(late_s);
  ByRank distances;
  for (const double one : late_s) distances.push_back(std::abs(one - middle));
  const auto latest = std::ranges::max_element(late_s);
  const bool outlies = *latest - middle > outlying * normal_scale * median_of(distances);
  return outlies ? static_cast<int>(latest - late_s.begin()) : -1;
}

}  // namespace

Stragglers stragglers_of(const std::vector<RankFigures>& by_rank) {
  if (by_rank.size() < fewest_ranks) return {};
  std::size_t kept = by_rank.front().entries_s.size();
  for (const RankFigures& one : by_rank) kept = std::min(kept, one.entries_s.size());
  if (kept < fewest_iterations) return {};
  const std::size_t blocks = std::min(kept, most_blocks);
  std::vector<int> outlying_blocks(by_rank.size());
  std::vector<ByRank> late_s(by_rank.size());
  for (std::size_t block = 0; block < blocks; ++block) {
    const ByRank of_block = lateness_s(by_rank, kept * block / blocks, kept * (block + 1) / blocks);
    for (std::size_t rank = 0; rank < of_block.size(); ++rank) late_s[rank].push_back(of_block[rank]);
    if (const int outlier = outlier_of(of_block); outlier >= 0)
      ++outlying_blocks[static_cast<std::size_t>(outlier)];
  }
  Stragglers found{.blocks = static_cast<int>(blocks)};
  const auto ranks = static_cast<double>(by_rank.size());
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
    if (ranks * binomial_tail(outlying_blocks[rank], found.blocks, 1 / ranks) <= error_rate)
      found.ranks.push_back({.rank = static_cast<int>(rank),
                             .blocks = outlying_blocks[rank],
                             .late_us = 1e6 * median_of(late_s[rank])});
  return found;
}

std::vector<core::Fact> facts_of(const Stragglers& stragglers, const std::vector<int>& ranks) {
  if (stragglers.blocks == 0) return {};
  std::vector<core::Fact> facts{{core::names::straggler_blocks, std::int64_t{stragglers.blocks}}};
  const auto latest = std::ranges::max_element(stragglers.ranks, {}, &Straggler::late_us);
  if (latest == stragglers.ranks.end()) return facts;
  facts.emplace_back(core::names::straggler_rank,
                     std::int64_t{ranks.at(static_cast<std::size_t>(latest->rank))});
  facts.emplace_back(core::names::straggler_late_us, latest->late_us);
  return facts;
}

Stragglers only(const Stragglers& stragglers, int place) {
  Stragglers one = stragglers;
  std::erase_if(one.ranks, [&](const Straggler& straggler) { return straggler.rank != place; });
  return one;
}

std::string to_text(const Stragglers& stragglers) {
  nlohmann::json ranks = nlohmann::json::array();
  for (const Straggler& one : stragglers.ranks) ranks.push_back({one.rank, one.blocks, one.late_us});
  return core::json_text(nlohmann::json{{"blocks", stragglers.blocks}, {"ranks", ranks}});
}

Stragglers stragglers_from(const std::string& text) {
  try {
    const nlohmann::json all = core::json_from<nlohmann::json>(text);
    Stragglers stragglers{.blocks = all.at("blocks")};
    for (const nlohmann::json& one : all.at("ranks"))
      stragglers.ranks.push_back({.rank = one.at(0), .blocks = one.at(1), .late_us = one.at(2)});
    return stragglers;
  } catch (const nlohmann::json::exception&) {
    throw core::Error(core::ErrorKind::team, "'" + text + "' names no late ranks");
  }
}

}  // namespace assay::collectives
