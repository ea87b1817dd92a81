// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/search/pareto_front.hpp"

#include <algorithm>

#include "model/search/search.hpp"

namespace assay::model {
namespace {

bool goes_before(const Trade& left, const Trade& right) {
  return better({left.sample_rate, left.execution}, {right.sample_rate, right.execution});
}

}  // namespace

bool as_good(const Trade& left, const Trade& right) {
  return left.sample_rate >= right.sample_rate && left.tier1_bytes <= right.tier1_bytes &&
         left.offload_b_per_s <= right.offload_b_per_s;
}

void ParetoFront::add(const Trade& trade) {
  for (const Trade& kept : kept_)
    if (as_good(kept, trade) && !(as_good(trade, kept) && goes_before(trade, kept))) return;
  std::erase_if(kept_, [&](const Trade& kept) { return as_good(trade, kept); });
  kept_.push_back(trade);
}

std::vector<Trade> ParetoFront::sorted() const {
  std::vector<Trade> trades = kept_;
  std::ranges::sort(trades, goes_before);
  return trades;
}

}  // namespace assay::model
