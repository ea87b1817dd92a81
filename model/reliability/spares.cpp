// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/reliability/spares.hpp"

#include "harness/core/poisson_limit.hpp"

namespace assay::model::reliability {

using core::poisson_at_most;

std::int64_t spares_for(double per_unit_day, double units, double repair_days, double probability) {
  const double in_repair = per_unit_day * units * repair_days;
  std::int64_t enough = 1;
  while (poisson_at_most(enough, in_repair) < probability) enough *= 2;
  std::int64_t low = -1;  // too few
  while (enough - low > 1) {
    const std::int64_t middle = low + (enough - low) / 2;
    (poisson_at_most(middle, in_repair) < probability ? low : enough) = middle;
  }
  return enough;
}

double probability_with_spares(double per_unit_day, double units, double repair_days, std::int64_t spares) {
  return poisson_at_most(spares, per_unit_day * units * repair_days);
}

}  // namespace assay::model::reliability
