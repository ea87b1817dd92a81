// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/grow/first_failing.hpp"

#include <algorithm>
#include <numeric>

namespace assay::campaign {
namespace {

constexpr double sure = 0.9;  // what follows tests the answer

}  // namespace

void FirstFailing::take(int number, bool passed) {
  if (passed)
    passed_.push_back(number);
  else
    high_ = std::min(high_, number);
}

std::vector<double> FirstFailing::weights(double missed) const {
  std::vector<double> weights(static_cast<std::size_t>(high_ - low_), 1.0);
  if (lowest_likely_) weights.front() = std::max(1.0, static_cast<double>(high_ - low_ - 1));
  for (const int number : passed_)
    for (int at = low_ + 1; number < high_ && at <= number; ++at)
      weights[static_cast<std::size_t>(at - low_ - 1)] *= missed;
  return weights;
}

int FirstFailing::next(double missed) const {
  const std::vector<double> weight = weights(missed);
  const double all = std::accumulate(weight.begin(), weight.end(), 0.0);
  if (weight.size() == 1 || weight.back() >= sure * all) return high_;
  double sum = 0;
  int number = low_;
  for (const double one : weight) {
    ++number;
    if ((sum += one) >= all / 2) break;
  }
  return std::min(number, high_ - 1);  // that `high` fails is known
}

}  // namespace assay::campaign
