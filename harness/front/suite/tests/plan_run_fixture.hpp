// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A folder of runs, a module of fake cases to fill it, and what stands in the journals afterwards.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "harness/core/tests/temporary_folder.hpp"
#include "harness/front/suite/processes/plan_run.hpp"
#include "results/record/journal.hpp"

namespace assay::suite::tests {

namespace fs = std::filesystem;

class PlanRunTest : public testing::Test {
 protected:
  std::string plan(const std::string& cases, const std::string& extra = "") const {
    const fs::path file = folder_ / "asked.toml";
    std::ofstream(file) << "[measure]\nmax_seconds = 0.05\nmax_warmup_seconds = 0.02\n[[sweep]]\ncases = "
                        << cases << "\n"
                        << extra;
    return file.string();
  }
  RunOptions options(const std::string& plan_file) const {
    return {.plan = plan_file,
            .filters = {},
            .axes = {},
            .folder = folder_ / "runs",
            .run_id = "run-1",
            .resume = false,
            .slack_s = 4,  // a module has this long to start, which a busy machine needs
            .programs_folder = fs::path(ASSAY_BUILD_DIR) / "fake_modules"};
  }
  RunOutcome run(const RunOptions& wanted) {
    std::ostringstream out;
    return run_plan(wanted, signals_, out);
  }
  /// The module of fake cases, to be started by itself.
  static std::string module() { return (fs::path(ASSAY_BUILD_DIR) / "fake_modules/assay-memory").string(); }
  /// Status by "case/key"; the last record of a point counts.
  static std::map<std::string, results::PointRecord> points_of(const fs::path& journal) {
    std::map<std::string, results::PointRecord> points;
    results::for_each_record(journal, [&](const results::Record& record) {
      if (const auto* point = std::get_if<results::PointRecord>(&record))
        points[point->case_name + "/" + point->key] = *point;
    });
    return points;
  }
  static std::vector<results::ContextRecord> contexts_of(const fs::path& journal) {
    std::vector<results::ContextRecord> contexts;
    results::for_each_record(journal, [&](const results::Record& record) {
      if (const auto* context = std::get_if<results::ContextRecord>(&record)) contexts.push_back(*context);
    });
    return contexts;
  }

  const core::tests::TemporaryFolder made_;
  const fs::path folder_ = made_.path();
  std::atomic<int> signals_{0};
};

}  // namespace assay::suite::tests
