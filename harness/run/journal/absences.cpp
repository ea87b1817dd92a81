// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/journal/absences.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/measure/assumed_hardware.hpp"

namespace assay::run {

using machine::Hardware;

std::optional<Hardware> needed_by(const std::string& case_name) {
  static constexpr std::array<std::pair<std::string_view, Hardware>, 6> back_ends{
      {{"cuda", Hardware::gpu},
       {"nccl", Hardware::gpu},
       {"nccl_overlap", Hardware::gpu},
       {"nvlink_domain", Hardware::gpu},
       {"assay_device", Hardware::gpu},
       {"verbs", Hardware::rdma}}};
  const std::size_t dot = case_name.find('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::size_t begin = dot + 1;
  const std::string back_end = case_name.substr(begin, case_name.find('.', begin) - begin);
  const auto* const found = std::ranges::find(back_ends, back_end, [](const auto& one) { return one.first; });
  return found == back_ends.end() ? std::nullopt : std::optional(found->second);
}

bool is_assumed(const std::string& case_name) {
  const auto assumed = core::assumed_hardware();
  const auto needed = needed_by(case_name);
  return assumed && needed && (needed == Hardware::gpu || assumed->adapters);
}

std::optional<std::string> not_built(const core::Case& benchmark, const core::Point& point) {
  try {
    return benchmark.not_built ? benchmark.not_built(point) : std::nullopt;
  } catch (const core::Error&) {
    return std::nullopt;  // `unsupported` says why
  }
}

Absences::Absences(const machine::Machine& machine) {
  for (const Hardware hardware : machine::all_hardware)
    if (machine.lacks(hardware)) hardware_.insert(hardware);
}

std::optional<std::string> Absences::keeps_out(const plan::PlannedPoint& planned) const {
  const core::Case& benchmark = *planned.benchmark;
  if (is_assumed(benchmark.name)) return std::nullopt;
  if (const auto component = not_built(benchmark, planned.point)) return core::built_without(*component);
  const auto needed = needed_by(benchmark.name);
  if (!needed || !hardware_.contains(*needed)) return std::nullopt;
  try {
    if (benchmark.unsupported(planned.point)) return machine::absence_text(*needed);
  } catch (const core::Error&) {
    return std::nullopt;  // the point's record says why
  }
  return std::nullopt;
}

std::optional<Hardware> Absences::used_by(const plan::PlannedPoint& planned) const {
  const auto needed = needed_by(planned.benchmark->name);
  if (!needed || hardware_.contains(*needed) || not_built(*planned.benchmark, planned.point))
    return std::nullopt;
  return needed;
}

machine::LeftOut Absences::left_out(const std::vector<plan::PlannedPoint>& points) const {
  machine::LeftOut counts;
  for (const plan::PlannedPoint& planned : points)
    if (const auto absence = keeps_out(planned)) ++counts[*absence];
  return counts;
}

}  // namespace assay::run
