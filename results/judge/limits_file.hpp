// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Absolute limits of one type of machine: a TOML file in which every limit has a source
// (docs/reference/files.md).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "results/judge/machine_type.hpp"
#include "results/judge/verdicts.hpp"

namespace assay::results {

struct AbsoluteLimit {
  std::string cases;  // glob
  /// Axis, or condition such as ranks, and a glob over its value; a size may be written as 256MiB. What is
  /// not named is free.
  std::vector<std::pair<std::string, std::string>> point = {};
  std::string metric, unit;
  VerdictLimit bounds = {};  // one of them at least
  std::string source;
  std::string where;  // "h100.toml:12"
};

struct LimitsFile {
  std::string path;
  MachineType machine;
  std::vector<AbsoluteLimit> limits;
};

/// Throws a usage Error with one line naming file, line and key: what cannot be parsed, an unknown key, a
/// value of another kind, a limit without case, metric, unit, bound or source, a file without machine or
/// limits.
LimitsFile read_limits(const std::string& path);

}  // namespace assay::results
