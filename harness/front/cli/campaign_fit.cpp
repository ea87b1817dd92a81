// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/campaign_fit.hpp"

#include <iostream>

#include "harness/front/cli/block_check.hpp"
#include "harness/front/cli/fit_all.hpp"

namespace assay::cli {
namespace {

FitSource source_of(const campaign::FitRequest& request, const std::vector<std::string>& runs) {
  FitSource source;
  source.store = request.store.string();
  source.runs = runs;
  return source;
}

}  // namespace

std::optional<double> fit_campaign(const campaign::FitRequest& request) {
  static_cast<void>(fit_all(source_of(request, request.runs), {}, request.output.string()));
  if (request.block_runs.empty()) return std::nullopt;
  const std::vector<BlockPart> parts =
      block_parts(request.output.string(), source_of(request, request.block_runs));
  std::cout << "== a transformer block of other shapes, its parts\n" << text_of(parts);
  if (parts.empty()) return std::nullopt;
  const BlockPart sum = sum_of(parts);
  return sum.predicted_us / sum.measured_us - 1;
}

}  // namespace assay::cli
