// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/cases.hpp"

#include <fmt/format.h>

#include <iterator>

#include "harness/core/error.hpp"
#include "rdma/case_maker.hpp"
#include "rdma/device_limits.hpp"

namespace assay::rdma {
namespace {

constexpr double stream_sample_s = 2e-3;  // long beside the filling of the pipeline

std::optional<std::string> why_not(const CaseMaker& maker, const core::Point& point) {
  if (maker.machine.hcas.empty()) return "no RDMA device in /sys/class/infiniband";
  const Settings settings = settings_of(point);
  if (std::string reason = illegal(settings.message.operation, settings.message.transport); !reason.empty())
    return reason;
  return std::nullopt;
}

std::vector<core::Case> all_cases(const CaseMaker& maker) {
  std::vector<core::Case> all = pair_cases(maker);
  std::ranges::move(pattern_cases(maker), std::back_inserter(all));
  return all;
}

core::Work work_of(const std::vector<Round>& rounds) {
  core::Work work{.bytes_counted = "payload, once, of all flows at the pace of the slowest"};
  for (const Round& round : rounds)
    for (const Flow& flow : round) {
      if (flow.probe) continue;
      work.bytes += static_cast<double>(flow.message.bytes);
      work.messages += 1;
    }
  return work;
}

}  // namespace

Flow flow_between(int from, int to, const Settings& settings) {
  return {.from = from, .to = to, .message = settings.message, .posting = settings.posting};
}

core::Case CaseMaker::make(
    const std::string& name, const std::string& measures, core::Headline headline,
    std::vector<core::Axis> axes,
    std::function<std::unique_ptr<core::Trial>(const CaseMaker&, const core::Point&)> prepare) const {
  for (core::Axis& axis : connection_axes()) axes.push_back(std::move(axis));
  core::Case made;
  made.name = "rdma.verbs." + name;
  made.measures = measures;
  made.headline = headline;
  made.axes = std::move(axes);
  made.work = [this_maker = *this](const core::Point& point) {
    const Settings settings = settings_of(point);
    if (this_maker.team == nullptr) refuse_beyond_limits(settings);
    return core::Work{.bytes = static_cast<double>(settings.message.bytes), .messages = 1};
  };
  made.unsupported = [this_maker = *this](const core::Point& point) { return why_not(this_maker, point); };
  made.prepare = [this_maker = *this, prepare = std::move(prepare)](const core::Point& point) {
    return prepare(this_maker, point);
  };
  return made;
}

core::Case CaseMaker::stream(
    const std::string& name, const std::string& measures, std::vector<core::Axis> axes,
    const std::function<Schedule(int, const core::Point&, const Settings&)>& schedule) const {
  core::Case made = make(name, measures, core::Headline::bandwidth_gb_per_s, std::move(axes),
                         [schedule](const CaseMaker& maker, const core::Point& point) {
                           const Settings settings = settings_of(point);
                           return std::make_unique<StreamTrial>(maker.machine, *maker.team, settings,
                                                                schedule(maker.ranks, point, settings));
                         });
  made.work = [this_maker = *this, schedule](const core::Point& point) {
    const Settings settings = settings_of(point);
    if (this_maker.team == nullptr) refuse_beyond_limits(settings);
    return work_of(schedule(this_maker.ranks, point, settings).rounds);
  };
  made.min_sample_seconds = stream_sample_s;
  return made;
}

std::vector<core::Case> declared_cases(const machine::Machine& machine, int ranks) {
  return all_cases({.machine = machine, .ranks = ranks});
}

std::vector<core::Case> cases(const machine::Machine& machine, team::Team& team) {
  return all_cases({.machine = machine, .ranks = team.size(), .team = &team});
}

}  // namespace assay::rdma
