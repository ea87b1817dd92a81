// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The interference matrix on a GPU as a plan and a list see it, in builds with and without CUDA.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cuda/device_place.hpp"
#include "offload/cases.hpp"
#include "offload/interference/device/device_contest_settings.hpp"

namespace assay::offload {

struct DeclaredDeviceInterference {
  struct Settings : DeviceContestSettings {
    cuda::DevicePlace place = {};
  };
  static constexpr std::string_view name = "offload.cuda.interference";
  static constexpr std::string_view measures =
      "how much slower one kind of GPU work is while others run: products, streams, copies, NCCL";
  static constexpr core::Headline headline = core::Headline::time_us;
  static std::vector<core::Axis> axes();
  static Settings settings(const core::Point& point);
  static core::Work work(const Settings&) {
    return {.bytes_counted = "none: a quantum of the victim is what is timed"};
  }
  /// Without load every kind is the same, and what is queued has no number of thread blocks: it runs or it
  /// does not.
  static core::Point representative(const Settings& settings, core::Point point);
  static std::optional<std::string> impossible(const Settings& settings) { return cannot_meet(settings); }
};

/// For a build that cannot make it.
std::vector<core::Case> device_interference_declarations_cases(const Surroundings& around);

}  // namespace assay::offload
