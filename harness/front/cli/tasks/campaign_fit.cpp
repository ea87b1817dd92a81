// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/campaign_fit.hpp"

#include "harness/front/cli/tasks/block_check.hpp"
#include "harness/front/cli/tasks/write_fit_all.hpp"

namespace assay::cli {
std::optional<double> fit_campaign(const campaign::FitRequest& request) {
  const std::string output = request.output.string();
  static_cast<void>(write_fit_all(answers::runs_of_store(request.store, request.runs), {}, output));
  if (request.block_runs.empty()) return std::nullopt;
  const std::vector<BlockPart> parts =
      check_block(output, answers::runs_of_store(request.store, request.block_runs));
  if (parts.empty()) return std::nullopt;
  const BlockPart sum = sum_of(parts);
  return sum.predicted_us / sum.measured_us - 1;
}

}  // namespace assay::cli
