// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which hosts cannot be judged as equals, whatever they measured.
#include "results/judge/fleet_doubts.hpp"
#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

std::vector<Judged> judge_hosts(const Evidence& evidence) {
  Verdicts doubts = fleet_doubts(evidence.store);
  if (doubts.rows.empty()) return {};
  return {with_table(std::move(doubts))};
}

}  // namespace

Judge hosts_judge() { return {"hosts", {}, judge_hosts}; }

}  // namespace assay::results
