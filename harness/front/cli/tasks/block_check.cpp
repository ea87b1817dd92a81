// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/block_check.hpp"

#include <fmt/format.h>

#include <iostream>

#include "model/fit/coefficients/evaluate.hpp"

namespace assay::cli {
namespace {

namespace fit = model::fit;

std::string line_of(const BlockPart& part) {
  return fmt::format("{:>12.1f} {:>12.1f} {:>+8.1f}  {}\n", part.measured_us, part.predicted_us,
                     100 * (part.predicted_us / part.measured_us - 1), part.what);
}

std::vector<BlockPart> block_parts(const std::string& coefficients, const answers::FitSource& source) {
  std::vector<BlockPart> parts;
  answers::for_each_section(
      coefficients, source,
      [&](const std::string& section, fit::CoefficientsKind, const fit::CsvSource& rows) {
        for (const fit::Judged& row : fit::evaluate(section, rows).rows)
          parts.push_back({row.what, row.measured_us, row.predicted_us});
      });
  return parts;
}

std::string text_of(const std::vector<BlockPart>& parts) {
  if (parts.empty()) return "no part was measured\n";
  std::string text = fmt::format("{:>12} {:>12} {:>8}\n", "measured us", "predicted us", "error %");
  for (const BlockPart& part : parts) text += line_of(part);
  return text + line_of(sum_of(parts));
}

}  // namespace

std::vector<BlockPart> check_block(const std::string& coefficients, const answers::FitSource& source) {
  std::vector<BlockPart> parts = block_parts(coefficients, source);
  std::cout << "== a transformer block of other shapes, its parts\n" << text_of(parts);
  return parts;
}

BlockPart sum_of(const std::vector<BlockPart>& parts) {
  BlockPart sum{.what = "one after the other"};
  for (const BlockPart& part : parts) {
    sum.measured_us += part.measured_us;
    sum.predicted_us += part.predicted_us;
  }
  return sum;
}

}  // namespace assay::cli
