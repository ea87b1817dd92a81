// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Records that are no sound evidence: damaged, lost, unfinished, or of a clock that went back.
#include "results/judge/judges.hpp"

namespace assay::results {
namespace {

std::string meaning_of(DoubtKind kind) {
  switch (kind) {
    case DoubtKind::damaged_line:
    case DoubtKind::lost:
      return "what is lost may have been a failure; import the whole journal, or measure again";
    case DoubtKind::clock:
      return "when and how long it measured is not known";
    case DoubtKind::unfinished:
      break;
  }
  return "what it did not come to says nothing; continue with assay run --resume and import the journal "
         "again";
}

std::vector<Judged> judge_records(const Evidence& evidence) {
  Verdicts doubts = judge_store(evidence.store, "accept", {}, evidence.damage);
  if (doubts.rows.empty()) return {};
  return {{.verdicts = std::move(doubts)}};
}

}  // namespace

Verdicts judge_store(const Store& store, const std::string& command, std::span<const std::string> runs,
                     std::span<const RunDoubt> more) {
  Verdicts verdicts{.command = command, .subject = "the records"};
  std::vector<RunDoubt> doubts = doubts_of(store, runs);
  doubts.insert(doubts.end(), more.begin(), more.end());
  for (const RunDoubt& doubt : doubts)
    verdicts.rows.push_back({.unit = doubt.host,
                             .kind = doubt.host.empty() ? "run" : "host",
                             .metric = "records",
                             .verdict = Verdict::inconclusive,
                             .because = text_of(doubt),
                             .meaning = meaning_of(doubt.kind),
                             .action = Action::retest});
  settle(verdicts);
  return verdicts;
}

Judge records_judge() { return {"records", {}, judge_records, true}; }

}  // namespace assay::results
