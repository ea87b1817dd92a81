// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/health/logbook.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/core/error.hpp"

namespace assay::health {
namespace {

bool stands(const Latched& latched) { return latched.cleared.empty(); }

bool same_place(const Finding& one, const Finding& other) {
  return one.check == other.check && one.unit == other.unit;
}

}  // namespace

void latch(Logbook& logbook, const std::vector<Finding>& findings, const std::string& utc) {
  for (const Finding& finding : findings) {
    if (!finding.latches || finding.status < Status::unknown) continue;
    const auto known = std::find_if(logbook.latched.begin(), logbook.latched.end(), [&](const Latched& one) {
      return stands(one) && same_place(one.finding, finding);
    });
    if (known == logbook.latched.end())
      logbook.latched.push_back({finding, utc, "", ""});
    else if (finding.status >= known->finding.status)  // what failed stays failed until it is cleared
      known->finding = finding;
  }
}

std::vector<Finding> standing(const Logbook& logbook, const std::vector<Finding>& findings) {
  std::vector<Finding> all;
  for (const Latched& latched : logbook.latched) {
    const bool seen_again = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
      return finding.status >= latched.finding.status && same_place(finding, latched.finding);
    });
    if (!stands(latched) || seen_again) continue;
    all.push_back(latched.finding);
    all.back().evidence = fmt::format("{} (since {}, not cleared)", latched.finding.evidence, latched.since);
  }
  return all;
}

void clear(Logbook& logbook, const std::string& check, const std::string& unit, const std::string& reason,
           const std::string& utc) {
  int cleared = 0;
  for (Latched& latched : logbook.latched) {
    if (!stands(latched) || latched.finding.check != check || (!unit.empty() && latched.finding.unit != unit))
      continue;
    latched.cleared = utc;
    latched.reason = reason;
    ++cleared;
  }
  if (cleared == 0)
    core::usage_error(fmt::format("{}{}{} has no failure to clear", check, unit.empty() ? "" : " of ", unit));
}

}  // namespace assay::health
