// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/margin.hpp"

#include <fmt/format.h>

#include <exception>
#include <limits>

#include "harness/core/error.hpp"
#include "harness/core/statistics/margin.hpp"

namespace assay::answers {
namespace {

/// NaN, which is not a margin, where the text is not a number.
double margin_in(const std::string& text) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  std::size_t read = 0;
  double value = none;
  try {
    value = std::stod(text, &read);
  } catch (const std::exception&) {
    return none;
  }
  if (text.substr(read) == "%") return value / 100;
  return read == text.size() ? value : none;
}

}  // namespace

double margin_from(const std::string& flag, const std::string& text) {
  const double margin = margin_in(text);
  if (!core::is_margin(margin))
    core::usage_error(fmt::format("{} {}: {}", flag, text, core::margin_expectation));
  return margin;
}

}  // namespace assay::answers
