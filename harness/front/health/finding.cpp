// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"

namespace assay::health {
namespace {

constexpr std::array statuses{Status::absent,  Status::passed,  Status::waived,
                              Status::noticed, Status::unknown, Status::failed};

}  // namespace

void Findings::add(Status status, const std::string& unit, const std::string& evidence, const Advice& advice,
                   bool latches) {
  findings_.push_back({check_, unit, std::min(status, most_), evidence, advice.meaning, advice.action,
                       latches && status <= most_});
}

void Findings::unknown(const std::string& unit, const std::string& evidence, bool latches) {
  add(Status::unknown, unit, evidence, {"what cannot be read cannot be judged", Action::none}, latches);
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
    case Status::unknown:
      return "unknown";
    case Status::failed:
      break;
  }
  return "failed";
}

Action action_from(const std::string& word, const std::string& where) {
  if (const auto action = results::action_named(word)) return *action;
  core::usage_error(
      fmt::format("{}: '{}' is not an action (expected such as monitor, reset, drain)", where, word));
}

Status status_from(const std::string& word, const std::string& where) {
  if (word == "not told") return Status::unknown;  // in logbooks of earlier versions
  for (const Status status : statuses)
    if (to_string(status) == word) return status;
  core::usage_error(
      fmt::format("{}: '{}' is not a status (expected such as passed, unknown, failed)", where, word));
}

}  // namespace assay::health
