// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/finding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/core/error.hpp"

namespace assay::health {
namespace {

struct ActionText {
  Action action;
  std::string_view word, imperative;
};

constexpr std::array action_texts{
    ActionText{Action::none, "none", ""},
    ActionText{Action::monitor, "monitor", "watch it; compare with the next check"},
    ActionText{Action::configure, "configure", "correct the configuration"},
    ActionText{Action::restart_application, "restart_application", "restart the application"},
    ActionText{Action::reset, "reset", "drain, reset the GPU, check again"},
    ActionText{Action::reboot, "reboot", "drain and reboot the node; if it comes back, replace"},
    ActionText{Action::reseat, "reseat", "drain, reseat the card or cable, check again"},
    ActionText{Action::drain, "drain", "take the node out of service and investigate"},
    ActionText{Action::replace, "replace", "take it out of service and replace it (RMA)"},
};

constexpr std::array statuses{Status::absent,  Status::passed,   Status::waived,
                              Status::noticed, Status::not_told, Status::failed};

const ActionText& text_of(Action action) {
  return *std::find_if(action_texts.begin(), action_texts.end(),
                       [&](const ActionText& one) { return one.action == action; });
}

}  // namespace

void Findings::add(Status status, const std::string& unit, const std::string& evidence, const Advice& advice,
                   bool latches) {
  findings_.push_back({check_, unit, std::min(status, most_), evidence, advice.meaning, advice.action,
                       latches && status <= most_});
}

void Findings::not_told(const std::string& unit, const std::string& evidence, bool latches) {
  add(Status::not_told, unit, evidence, {"what cannot be read cannot be judged", Action::none}, latches);
}

Verdict verdict_of(const std::vector<Finding>& findings) {
  Status gravest = Status::absent;
  bool any_passed = false;
  for (const Finding& finding : findings) {
    gravest = std::max(gravest, finding.status);
    any_passed |= finding.status == Status::passed;
  }
  if (gravest == Status::failed) return Verdict::fail;
  if (gravest == Status::not_told) return Verdict::inconclusive;
  if (gravest == Status::noticed) return Verdict::degraded;
  return any_passed ? Verdict::pass : Verdict::not_run;
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

std::string_view to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "PASS";
    case Verdict::degraded:
      return "DEGRADED";
    case Verdict::fail:
      return "FAIL";
    case Verdict::inconclusive:
      return "INCONCLUSIVE";
    case Verdict::not_run:
      break;
  }
  return "NOT RUN";
}

std::string_view to_string(Action action) { return text_of(action).imperative; }
std::string_view word(Action action) { return text_of(action).word; }

Action action_from(const std::string& word, const std::string& where) {
  for (const ActionText& one : action_texts)
    if (one.word == word) return one.action;
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
