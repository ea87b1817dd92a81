// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A room's main: reads flags and plan, measures every point through Google Benchmark's shell, writes the
// journal.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/core/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace assay::run {

struct Room {
  std::string name;      // "memory"
  std::string measures;  // one line
  std::function<std::vector<core::Case>(const machine::Machine&)> cases;
};

/// Returns the exit code: 0 done, 1 a point failed or was wrong, 2 usage, 3 nothing could run, 4 interrupted.
int room_main(int argc, char** argv, const Room& room);

}  // namespace assay::run
