// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/store_doubts.hpp"

#include "results/store/run_doubts.hpp"

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
  return "what it did not come to says nothing; go on with assay run --resume and import the journal again";
}

void add_doubt(const RunDoubt& doubt, Verdicts& verdicts) {
  verdicts.rows.push_back({.unit = doubt.host,
                           .kind = doubt.host.empty() ? "run" : "host",
                           .metric = "records",
                           .verdict = Verdict::inconclusive,
                           .because = text_of(doubt),
                           .meaning = meaning_of(doubt.kind),
                           .action = Action::retest});
}

}  // namespace

Verdicts judge_store(const Store& store, const std::string& command, std::span<const std::string> runs,
                     std::span<const RunDoubt> more) {
  Verdicts verdicts{.command = command, .subject = "the records"};
  for (const RunDoubt& doubt : doubts_of(store, runs)) add_doubt(doubt, verdicts);
  for (const RunDoubt& doubt : more) add_doubt(doubt, verdicts);
  settle(verdicts);
  return verdicts;
}

}  // namespace assay::results
