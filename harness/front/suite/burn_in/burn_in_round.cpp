// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/burn_in/burn_in_round.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <future>

#include "harness/core/calendar.hpp"
#include "harness/core/names.hpp"
#include "harness/core/process/exit_code.hpp"

namespace assay::suite {
namespace {

using results::Answer;
using results::PointRecord;
namespace entry_word = results::entry_word;

const char* name_of(bool together) { return together ? "together" : "turn"; }

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

ModuleTally reported_of(const BurnInSoFar& so_far, const std::string& module) {
  const auto reported = so_far.reported.find(module);
  return reported == so_far.reported.end() ? ModuleTally{} : reported->second;
}

results::Fields fields_of(const RoundPlace& place, const std::string& run_id, const ModuleTally& tally) {
  results::Fields fields = BurnInLog::fields_of(place);
  fields.insert(fields.end(), {{"run", run_id},
                               {"ok", tally.ok},
                               {"unsupported", tally.unsupported},
                               {"bad", tally.bad},
                               {"first_bad", tally.first_bad}});
  return fields;
}

PointRecord record_of(const health::Finding& finding, const ModuleRequest& request, const RoundPlace& place) {
  PointRecord record;
  record.run_id = request.run_id;
  record.module = request.module.name;
  record.case_name = core::names::burn_in_health;
  record.point = BurnInLog::fields_of(place);
  record.point.emplace_back("check", finding.check);
  record.point.emplace_back("unit", finding.unit);
  record.key = fmt::format("round={},module={},check={},unit={}", place.round, place.module, finding.check,
                           finding.unit);
  const bool failed = finding.status == health::Status::failed;
  record.status = failed ? results::Status::failed : results::Status::unsupported;
  record.reason =
      fmt::format("{}{} {}: {}", failed ? "" : "unknown: ", finding.check, finding.unit, finding.evidence);
  record.started = core::iso_time_now();
  return record;
}

}  // namespace

std::vector<std::vector<PlannedModule>> lanes_of(const std::vector<PlannedModule>& modules, bool together) {
  if (!together || modules.size() < 2) return {modules};
  const auto on_fabric = [](const PlannedModule& planned) { return core::takes_ranks(planned.module.name); };
  const bool of_both_kinds =
      std::ranges::any_of(modules, on_fabric) && !std::ranges::all_of(modules, on_fabric);
  std::vector<std::vector<PlannedModule>> lanes(2);
  for (std::size_t at = 0; at < modules.size(); ++at) {
    const bool second = of_both_kinds ? on_fabric(modules[at]) : at % 2 == 1;
    lanes[second ? 1 : 0].push_back(modules[at]);
  }
  return lanes;
}

bool BurnInRound::run(std::int64_t number, const std::vector<PlannedModule>& modules, bool together,
                      const BurnInSoFar& so_far) {
  number_ = number;
  together_ = together;
  const std::string name = fmt::format("round {} {}", number, name_of(together));
  // For the context of every module's records.
  setenv("ASSAY_BURN_IN", fmt::format("{} {}", order_.id, name).c_str(), 1);
  if (so_far.reported.empty()) log_.note("round", name, entry_word::began, BurnInLog::fields_of(place()));
  health_.look(place(), "before " + name);
  run_lanes(lanes_of(modules, together), so_far);
  health_.look(place(), "after " + name);
  const bool ended = !over();
  log_.note("round", name, ended ? entry_word::ended : entry_word::cut, BurnInLog::fields_of(place()));
  return ended;
}

/// This thread looks meanwhile: by time, however long the points are, and no module waits for it.
void BurnInRound::run_lanes(const std::vector<std::vector<PlannedModule>>& lanes, const BurnInSoFar& so_far) {
  std::vector<std::future<void>> running;  // whose destructors wait
  for (const auto& lane : lanes)
    running.push_back(std::async(std::launch::async, [&] { run_lane(lane, so_far); }));
  const auto still_runs = [](const std::future<void>& lane) {
    return lane.wait_for(std::chrono::milliseconds(0)) != std::future_status::ready;
  };
  for (auto lane = running.begin(); lane != running.end(); lane = std::ranges::find_if(running, still_runs)) {
    if (const RoundPlace here = place(); !here.module.empty() && !over())
      health_.look_if_due(here, "during " + here.module);
    lane->wait_for(std::chrono::milliseconds(100));
  }
  for (std::future<void>& lane : running) lane.get();
}

void BurnInRound::report_unheard(const std::vector<PlannedModule>& modules, bool together,
                                 const BurnInSoFar& so_far) {
  number_ = so_far.round;
  together_ = together;
  for (const PlannedModule& planned : modules) {
    const std::string& name = planned.module.name;
    const ModuleRequest request = request_for(planned.module);
    if (!request.resume || holds(so_far.modules_ended, name)) continue;
    note_tally(request, {entry_word::cut}, since(reported_of(so_far, name), tally_of(request.journal, name)));
  }
}

void BurnInRound::run_lane(const std::vector<PlannedModule>& lane, const BurnInSoFar& so_far) {
  for (const PlannedModule& planned : lane)
    if (!over() && !holds(so_far.modules_ended, planned.module.name)) run_module(planned, so_far);
}

ModuleRequest BurnInRound::request_for(const ModuleProgram& module) {
  ModuleRequest request = order_.every_module;
  request.module = module;
  const std::string suffix = together_ ? "-" + module.name : "";
  request.run_id = fmt::format("{}-r{:04}-{}{}", order_.id, number_, name_of(together_), suffix);
  request.journal = order_.folder / fmt::format("r{:04}-{}{}.jsonl", number_, name_of(together_), suffix);
  request.resume = std::filesystem::exists(request.journal);
  request.goes_on = [this, name = module.name](const Heartbeat& beat) {
    health_.point_begins(place(), name, fmt::format("{} {}", beat.case_name, beat.key));
    return !over();
  };
  return request;
}

/// Returns how it went: ended, cut, or no answer.
Answer BurnInRound::measure(const ModuleRequest& request, ModuleShare share) {
  const auto without_answer = [](std::string why) { return Answer{entry_word::no_answer, std::move(why)}; };
  try {
    if (request.resume) {
      const auto left = count_points(request, false, signals_);
      if (!left) return {entry_word::cut};
      share = *left;
    }
    const ModuleEnd end = run_module_to_end(
        request, share, {.before = 0, .total = share.points, .budget_after_s = 0}, signals_);
    if (!end.left_behind.empty()) return without_answer(end.left_behind);
    if (over()) return {entry_word::cut};
    if (end.left > 0) return without_answer(fmt::format("{} points were not measured", end.left));
    // It ended badly after its last point.
    if (end.exit_code == core::exit_code::fail && tally_of(request.journal, request.module.name).bad == 0)
      return without_answer("its process failed and no point says why");
    return {entry_word::ended};
  } catch (const std::exception& error) {
    return without_answer(error.what());
  }
}

void BurnInRound::run_module(const PlannedModule& planned, const BurnInSoFar& so_far) {
  const std::string& name = planned.module.name;
  const ModuleRequest request = request_for(planned.module);
  {
    const std::lock_guard lock(running_guard_);
    running_.insert(name);
  }
  // Results that an earlier session already reported are not reported again.
  const ModuleTally reported = reported_of(so_far, name);
  health_.look(place(), "before " + name);
  log_.note("module", name, entry_word::began, fields_of(place(), request.run_id, {}));
  const Answer how = measure(request, planned.share);
  health_.module_ends(name);
  health_.look(place(), "after " + name);
  note_tally(request, how, since(reported, tally_of(request.journal, name)));
  write_findings(request);
  const std::lock_guard lock(running_guard_);
  running_.erase(name);
}

void BurnInRound::note_tally(const ModuleRequest& request, const Answer& how,
                             const ModuleTally& tally) const {
  for (const auto& [unit, verified] : tally.verified) {
    results::Fields fields = BurnInLog::fields_of(place());
    fields.emplace_back("of", request.module.name);
    fields.emplace_back("corruptions", verified.corruptions);
    log_.note("verified_bytes", unit, verified.bytes, std::move(fields));
  }
  for (const GpuRate& rate : tally.rates) {
    results::Fields fields = BurnInLog::fields_of(place());
    fields.insert(fields.end(), {{"of", request.module.name}, {"point", rate.point}, {"alone", rate.alone}});
    if (rate.mhz > 0) fields.emplace_back("mhz", rate.mhz);
    if (rate.power_w > 0) fields.emplace_back(core::names::power_w, rate.power_w);
    log_.note(rate_kind, rate.unit, rate.together, std::move(fields));
  }
  for (const Reached& reached : tally.reached) {
    results::TimelineEntry entry = entry_of(reached);
    results::Fields fields = BurnInLog::fields_of(place());
    fields.emplace_back("of", request.module.name);
    for (auto& field : entry.more) fields.push_back(std::move(field));
    log_.note(entry.kind, entry.unit, std::move(entry.value), std::move(fields));
  }
  for (const auto& [self_test, said] : tally.self_tests)
    log_.note("self_test", self_test, said, BurnInLog::fields_of(place()));
  log_.note("module", request.module.name, how, fields_of(place(), request.run_id, tally));
}

/// Into the journal of the module in whose window they appeared.
void BurnInRound::write_findings(const ModuleRequest& request) {
  if (!std::filesystem::exists(request.journal)) return;
  for (const health::Finding& finding : health_.take_new())
    write_beside_module(request.journal, record_of(finding, request, place()));
}

RoundPlace BurnInRound::place() const {
  const std::lock_guard lock(running_guard_);
  return {number_, name_of(together_), fmt::format("{}", fmt::join(running_, " and "))};
}

}  // namespace assay::suite
