// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/core/statistics/poisson_limit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "harness/core/error.hpp"
#include "harness/core/statistics/gamma_distribution.hpp"

namespace assay::core {

double poisson_at_most(std::int64_t events, double mean) {
  return events < 0 ? 0 : 1 - incomplete_gamma(static_cast<double>(events) + 1, mean);
}

double poisson_upper_limit(std::int64_t events, double confidence) {
  if (!(confidence > 0 && confidence < 1))
    usage_error(fmt::format("a confidence lies between 0 and 1, got {}", confidence));
  if (events < 0) usage_error(fmt::format("{} errors", events));
  if (events == 0) return -std::log1p(-confidence);
  return gamma_quantile(static_cast<double>(events) + 1, confidence);
}

}  // namespace assay::core
