// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The options of a module's command line.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "harness/core/measure/assumed_hardware.hpp"
#include "harness/run/module_main.hpp"
#include "harness/run/progress.hpp"

namespace assay::run {

enum class ModuleTask { run, list, count };

struct ModuleOptions {
  ModuleTask task = ModuleTask::run;
  std::string list_format;           // text | json | names
  std::string plan;                  // path or name; empty: every case over its default sweep
  std::vector<std::string> filters;  // globs over "case" or "case/key"
  std::vector<std::size_t> numbers;  // of cases, as the list has them; as filters are
  std::vector<std::string> axes;     // "name=values"
  std::string journal;               // empty: nothing is written
  std::string style;                 // the program of peer_style_of(); empty: assay's own lines
  std::string run_id;
  bool resume = false;
  bool retry_failed = false;
  std::optional<core::AssumedHardware> assumed;  // of the machine that points are counted for
  std::string only;  // with resume: numbers of the records whose points run again, and no other; empty: all
  ProgressOptions progress;
  std::vector<std::string> benchmark_flags;  // --benchmark_*, but for the next
  std::string benchmark_filter;
};

/// The parsed options, or the exit code of a command line that ends here (--help: 0, bad usage: 2).
struct Parsed {
  std::optional<ModuleOptions> options;
  int exit_code = 0;
};
Parsed parse_module_options(int argc, char** argv, const Module& module);

}  // namespace assay::run
