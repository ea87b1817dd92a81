// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A module's main: reads flags and plan, measures every point through Google Benchmark's shell, writes the
// journal.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/machine/machine.hpp"

namespace CLI {
class App;
}

namespace assay::run {

/// Records the point in flight as `timeout` with this reason; false where none is in flight. After true the
/// process must end.
using GiveUp = std::function<bool(const std::string& why)>;

struct Module {
  std::string name;      // "memory"
  std::string measures;  // one line
  std::function<std::vector<core::Case>(const machine::Machine&)> cases;
  /// Adds the module's own options to its command line; may be empty.
  std::function<void(CLI::App&)> options = {};
  /// Called once before the first point, not for --list and --count; may be empty. Throws what keeps the
  /// module from measuring anything.
  std::function<void()> begin = {};
  /// Learns before the first point how to give up the point in flight from another thread (Session::give_up),
  /// and that no point is in flight any more (an empty function); may be empty.
  std::function<void(GiveUp)> on_hang = {};
};

/// Returns the exit code: 0 done, 1 a point failed or was wrong, 2 usage, 3 nothing could run, 4 interrupted.
int module_main(int argc, char** argv, const Module& module);

}  // namespace assay::run
