// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which of the records are no sound evidence: damaged, lost, unfinished, or of a clock that went back.
#include "results/judge/judges.hpp"
#include "results/judge/store_doubts.hpp"

namespace assay::results {
namespace {

std::vector<Judged> judge_records(const Evidence& evidence) {
  Verdicts doubts = judge_store(evidence.store, "accept", {}, evidence.damage);
  if (doubts.rows.empty()) return {};
  return {with_table(std::move(doubts))};
}

}  // namespace

Judge records_judge() { return {"records", {}, judge_records}; }

}  // namespace assay::results
