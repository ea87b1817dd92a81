// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/absent_hardware.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "harness/core/error.hpp"

namespace assay::run {

using machine::Hardware;

std::optional<Hardware> needed_by(const std::string& case_name) {
  static constexpr std::array<std::pair<std::string_view, Hardware>, 4> back_ends{
      {{"cuda", Hardware::gpu},
       {"nccl", Hardware::gpu},
       {"assay_device", Hardware::gpu},
       {"verbs", Hardware::rdma}}};
  const std::size_t dot = case_name.find('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::size_t begin = dot + 1;
  const std::string back_end = case_name.substr(begin, case_name.find('.', begin) - begin);
  const auto* const found = std::ranges::find(back_ends, back_end, [](const auto& one) { return one.first; });
  return found == back_ends.end() ? std::nullopt : std::optional(found->second);
}

AbsentHardware::AbsentHardware(const machine::Machine& machine) {
  for (const Hardware hardware : machine::all_hardware)
    if (machine.lacks(hardware)) absent_.insert(hardware);
}

std::optional<Hardware> AbsentHardware::keeps_out(const plan::PlannedPoint& planned) const {
  const auto needed = needed_by(planned.benchmark->name);
  if (!needed || !absent_.contains(*needed)) return std::nullopt;
  try {
    return planned.benchmark->unsupported(planned.point) ? needed : std::nullopt;
  } catch (const core::Error&) {
    return std::nullopt;  // the point's record says why
  }
}

std::optional<Hardware> AbsentHardware::used_by(const std::string& case_name) const {
  const auto needed = needed_by(case_name);
  return needed && !absent_.contains(*needed) ? needed : std::nullopt;
}

machine::LeftOut AbsentHardware::left_out(const std::vector<plan::PlannedPoint>& points) const {
  machine::LeftOut counts;
  for (const plan::PlannedPoint& planned : points)
    if (const auto absent = keeps_out(planned)) ++counts[*absent];
  return counts;
}

}  // namespace assay::run
