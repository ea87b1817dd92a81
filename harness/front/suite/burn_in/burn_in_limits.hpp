// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The part of their own limits that GPUs reach under load: power of the board's limit, in steps up to full
// load, and bandwidth of what their memory's clock and width allow.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "results/judge/verdict/verdicts.hpp"
#include "results/record/record.hpp"
#include "results/record/timeline.hpp"

namespace assay::suite {

/// The kind of timeline entries: a value of a GPU, with the limit it is compared with.
inline constexpr const char* reached_kind = "reached";

struct Reached {
  std::string unit = {};    // "GPU 3 0000:4b:00.0"
  std::string point = {};   // case and key
  std::string metric = {};  // power_w, bandwidth_gb_per_s
  double value = 0, limit = 0;
  double duty_percent = 100;
  std::string why_unknown = {};  // why there is no value; empty where there is one
};

struct GpuLimits {
  double power_w = 0, bandwidth_gb_per_s = 0;  // 0: unknown
};
/// Limits of the GPUs of a context record's machine, by PCI address.
using LimitsOfGpus = std::map<std::string, GpuLimits>;
LimitsOfGpus limits_of_gpus(const nlohmann::ordered_json& machine);

/// Values that a record reached of limits: none of another case, and none without a known limit.
std::vector<Reached> reached_in(const results::PointRecord& record, const LimitsOfGpus& limits);

/// The entry for the timeline; its value is the number, or that it is unknown.
results::TimelineEntry entry_of(const Reached& reached);

/// A row a GPU of each: power_of_limit, power_ramp, bandwidth_of_limit; excused, with the reason, where a
/// GPU's power at full load was never known.
std::vector<results::VerdictRow> limit_rows(std::span<const results::TimelineEntry> timeline);

}  // namespace assay::suite
