// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/suite/burn_in_health.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace assay::suite {
namespace {

using health::Finding;
using health::Status;

/// One for each check and unit: its gravest.
std::map<std::pair<std::string, std::string>, Finding> gravest(const std::vector<Finding>& findings) {
  std::map<std::pair<std::string, std::string>, Finding> all;
  for (const Finding& finding : findings) {
    const auto [known, first] = all.try_emplace({finding.check, finding.unit}, finding);
    if (!first && finding.status > known->second.status) known->second = finding;
  }
  return all;
}

std::int64_t count(const std::vector<Finding>& findings, Status status) {
  return std::ranges::count_if(findings, [&](const Finding& one) { return one.status == status; });
}

results::Fields fields_of(const Finding& finding, const RoundPlace& place, const std::string& when) {
  results::Fields fields{{"check", finding.check},
                         {"evidence", finding.evidence},
                         {"meaning", finding.meaning},
                         {"action", std::string(health::word(finding.action))}};
  for (auto& field : BurnInLog::fields_of(place)) fields.push_back(std::move(field));
  fields.emplace_back("when", when);
  return fields;
}

}  // namespace

std::vector<Finding> BurnInHealth::findings() const {
  try {
    return check_();
  } catch (const std::exception& error) {
    return {{.check = "burn_in.health",
             .unit = "",
             .status = Status::not_told,
             .evidence = error.what(),
             .meaning = "what cannot be read cannot be judged",
             .latches = true}};
  }
}

void BurnInHealth::look(const RoundPlace& place, const std::string& when) {
  const std::lock_guard lock(looking_);
  look_locked(place, when);
}

void BurnInHealth::look_if_due(const RoundPlace& place, const std::string& when) {
  const std::unique_lock lock(looking_, std::try_to_lock);
  if (lock.owns_lock() && log_.at_s() - last_s_ >= every_s_) look_locked(place, when);
}

void BurnInHealth::look_locked(const RoundPlace& place, const std::string& when) {
  std::vector<Finding> all = findings();
  if (!place.room.empty())  // rooms of ours compute now; who else does is seen around the rounds
    std::erase_if(all, [](const Finding& one) { return one.check == "gpu.processes"; });
  last_s_ = log_.at_s();
  for (const auto& [where, finding] : gravest(all)) {
    const auto [known, first] = known_.try_emplace(where, finding.status);
    if (!first && known->second == finding.status) continue;
    known->second = finding.status;
    log_.note("finding", finding.unit, std::string(to_string(finding.status)),
              fields_of(finding, place, when));
    if (finding.status >= Status::not_told) fresh_.push_back(finding);
  }
  results::Fields fields = BurnInLog::fields_of(place);
  fields.insert(fields.end(), {{"when", when},
                               {"looked", static_cast<std::int64_t>(all.size())},
                               {"failed", count(all, Status::failed)},
                               {"not_told", count(all, Status::not_told)},
                               {"noticed", count(all, Status::noticed)}});
  log_.note("check", "", std::string(to_string(health::verdict_of(all))), std::move(fields));
}

std::vector<Finding> BurnInHealth::take_new() {
  const std::lock_guard lock(looking_);
  return std::exchange(fresh_, {});
}

}  // namespace assay::suite
