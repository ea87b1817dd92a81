// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The process that judged, for formats that ask when and how.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace assay::results {

struct ToldRun {
  using Time = std::chrono::system_clock::time_point;

  std::string command_line = {};
  Time started = {};
  std::function<Time()> now = {};
};

}  // namespace assay::results
