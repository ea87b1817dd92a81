// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fabric/rank_spread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/core/statistics/order_statistic.hpp"
#include "model/reliability/slow_ranks.hpp"
#include "results/points/kinds/collective_points.hpp"

namespace assay::answers {

RankSpread measured_rank_spread(const results::RunPoints& run) {
  std::vector<double> spreads;
  std::map<std::int64_t, double> ranges;  // of so many normal variables: dear to compute
  std::int64_t most_ranks = 0;
  for (const results::CollectivePoint& point : results::collective_points(run, "collectives.*")) {
    const std::int64_t ranks = point.ranks();
    const auto mean = point.metric(core::names::rank_mean_avg_us),
               least = point.metric(core::names::rank_mean_min_us),
               most = point.metric(core::names::rank_mean_max_us);
    if (ranks < 2 || !mean || !least || !most || *mean <= 0 || point.not_a_performance_measurement())
      continue;
    const auto [range, fresh] = ranges.try_emplace(ranks);
    if (fresh) range->second = 2 * model::reliability::expected_largest_normal(static_cast<double>(ranks));
    spreads.push_back((*most - *least) / *mean / range->second);
    most_ranks = std::max(most_ranks, ranks);
  }
  const std::string& run_id = run.stored().run_id;
  if (spreads.empty())
    core::usage_error(
        fmt::format("run {} has no times of ranks: measure collectives.* on two or more", run_id));
  const std::size_t points = spreads.size();
  return {.relative = core::median(std::move(spreads)),
          .source = fmt::format("median of {} points of collectives on up to {} ranks in run {}, {}", points,
                                most_ranks, run_id, run.origin())};
}

}  // namespace assay::answers
