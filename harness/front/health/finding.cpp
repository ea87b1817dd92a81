// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"

namespace assay::health {
namespace {

constexpr std::array statuses{Status::absent,  Status::passed,   Status::waived,
                              Status::noticed, Status::not_told, Status::failed};

}  // namespace

void Findings::add(Status status, const std::string& unit, const std::string& evidence, const Advice& advice,
                   bool latches) {
  findings_.push_back({check_, unit, std::min(status, most_), evidence, advice.meaning, advice.action,
                       latches && status <= most_});
}

void Findings::not_told(const std::string& unit, const std::string& evidence, bool latches) {
  add(Status::not_told, unit, evidence, {"what cannot be read cannot be judged", Action::none}, latches);
}

std::string_view verdict_word(const std::vector<Finding>& findings) {
  using results::Verdict;
  Status gravest = Status::absent;
  bool any_passed = false;
  for (const Finding& finding : findings) {
    gravest = std::max(gravest, finding.status);
    any_passed |= finding.status == Status::passed;
  }
  if (gravest == Status::failed) return to_string(Verdict::fail);
  if (gravest == Status::not_told) return to_string(Verdict::inconclusive);
  if (gravest == Status::noticed) return "DEGRADED";
  return to_string(any_passed ? Verdict::pass : Verdict::not_run);
}

std::string_view to_string(Status status) {
  switch (status) {
    case Status::absent:
      return "absent";
    case Status::passed:
      return "passed";
    case Status::waived:
      return "waived";
    case Status::noticed:
      return "noticed";
    case Status::not_told:
      return "not told";
    case Status::failed:
      break;
  }
  return "failed";
}

Action action_from(const std::string& word, const std::string& where) {
  if (const auto action = results::action_named(word)) return *action;
  core::usage_error(
      fmt::format("{}: '{}' is no action (expected such as monitor, reset, drain)", where, word));
}

Status status_from(const std::string& word, const std::string& where) {
  for (const Status status : statuses)
    if (to_string(status) == word) return status;
  core::usage_error(
      fmt::format("{}: '{}' is no status (expected such as passed, not told, failed)", where, word));
}

}  // namespace assay::health
