// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/finding_verdicts.hpp"

#include <fmt/format.h>

#include "harness/front/health/describe.hpp"

namespace assay::health {

results::Verdict as_verdict(Status status) {
  switch (status) {
    case Status::passed:
      return results::Verdict::pass;
    case Status::noticed:
      return results::Verdict::degraded;
    case Status::unknown:
      return results::Verdict::inconclusive;
    case Status::failed:
      return results::Verdict::fail;
    case Status::absent:
    case Status::waived:
      break;
  }
  return results::Verdict::not_run;
}

bool is_excused(Status status) { return status == Status::absent || status == Status::waived; }

std::string_view verdict_word(const std::vector<Finding>& findings) {
  results::WorstVerdict worst;
  for (const Finding& finding : findings) worst.add({as_verdict(finding.status), is_excused(finding.status)});
  return to_string(worst.verdict());
}

results::Fields fields_of(const Finding& finding) {
  return {{"check", finding.check},
          {"evidence", finding.evidence},
          {"meaning", finding.meaning},
          {"action", std::string(to_string(finding.action))}};
}

namespace {

results::VerdictRow row_of(const Finding& finding) {
  results::VerdictRow row = results::row_of_check(finding.unit, finding.check);
  row.verdict = as_verdict(finding.status);
  row.because = fmt::format("{}: {}", to_string(finding.status), finding.evidence);
  row.meaning = finding.meaning;
  row.action = finding.action;
  row.excused = is_excused(finding.status);
  return row;
}

}  // namespace

results::Verdicts verdicts_of(const std::vector<Finding>& findings) {
  results::Verdicts verdicts{.command = "check", .subject = "this node", .notes = {summary(findings)}};
  for (const Finding& finding : findings) verdicts.rows.push_back(row_of(finding));
  results::settle(verdicts);
  return verdicts;
}

}  // namespace assay::health
