// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/regression/accuracy.hpp"

#include <cmath>

#include "harness/core/statistics/statistics.hpp"

namespace assay::model::fit {
namespace {

Accuracy accuracy(const std::vector<double>& errors) {
  Accuracy result;
  result.rows = errors.size();
  if (errors.empty()) return result;
  std::vector<double> magnitudes;
  for (const double error : errors) {
    magnitudes.push_back(std::abs(error));
    result.mape_percent += magnitudes.back();
    result.bias_percent += error;
  }
  const double percent = 100.0 / static_cast<double>(errors.size());
  result.mape_percent *= percent;
  result.bias_percent *= percent;
  result.p90_percent = 100 * core::quantile_of(magnitudes, 0.9);
  return result;
}

}  // namespace

void Errors::add(double size, double predicted, double measured) {
  decades_[static_cast<int>(std::floor(std::log10(size)))].push_back(predicted / measured - 1);
}

Accuracy Errors::whole() const {
  std::vector<double> all;
  for (const auto& [decade, errors] : decades_) all.insert(all.end(), errors.begin(), errors.end());
  return accuracy(all);
}

std::map<int, Accuracy> Errors::by_decade() const {
  std::map<int, Accuracy> result;
  for (const auto& [decade, errors] : decades_) result[decade] = accuracy(errors);
  return result;
}

}  // namespace assay::model::fit
