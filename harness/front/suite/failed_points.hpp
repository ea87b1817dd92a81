// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Points of a run that are to be measured again, by the last record of each: failed, wrong or timed out; ok,
// but no good evidence (results/points/point_doubts.hpp); drifting, so that nothing converged; or beyond a
// limit. A point that its budget stopped is none of these: its interval is only wider than was asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "results/judge/limits/limits_file.hpp"

namespace assay::suite {

struct FailedPoint {
  std::int64_t record = 0;             // its number in the journal
  std::string module = {}, name = {};  // "memory", "memory.host.copy/bytes=1024"
  std::string case_name = {}, why = {}, host = {};
};

/// Failed points in the order measured. Throws std::runtime_error for limits of another machine.
std::vector<FailedPoint> failed_points_in(const std::filesystem::path& journal,
                                          std::span<const results::LimitsFile> limits);

/// Numbers of their records as modules take them: "3-5,9". Throws a usage Error where there are more than one
/// argument of a command can hold.
std::string records_of(std::span<const FailedPoint> points);

}  // namespace assay::suite
