// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/estimate.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/units.hpp"
#include "harness/front/health/expectation.hpp"
#include "harness/front/suite/processes/plan_run.hpp"

namespace assay::campaign {
namespace {

namespace fs = std::filesystem;

constexpr double check_s = 5;  // two readings and what lies between them

/// A plan's text as a file, while it lives.
class PlanFile {
 public:
  explicit PlanFile(const std::string& text) {
    std::string name = (fs::temp_directory_path() / "assay-plan-XXXXXX").string();
    if (const int descriptor = mkstemp(name.data()); descriptor >= 0) close(descriptor);
    path_ = name;
    core::write_whole_file(name, text);
  }
  ~PlanFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  PlanFile(const PlanFile&) = delete;
  PlanFile& operator=(const PlanFile&) = delete;

  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

}  // namespace

std::optional<suite::AssumedNode> assumed_nodes(const Site& site) {
  if (site.options.as) return suite::assumed_node(*site.options.as);
  if (site.options.expectation.empty() || site.nodes.empty()) return std::nullopt;
  const health::Expectation expected = health::read_expectation(site.options.expectation, site.nodes.front());
  if (expected.gpus.value_or(0) < 1) return std::nullopt;
  return suite::AssumedNode{.gpu = expected.gpu_name.value_or("GPUs"),
                            .gpus = *expected.gpus,
                            .adapters = expected.adapters.value_or(0) > 0};
}

Estimate estimate_of(const Site& site, const Stage& stage, const std::optional<suite::AssumedNode>& node,
                     const std::atomic<int>& signals) {
  const Work& work = stage.work;
  Estimate estimate{.seconds = work.check ? check_s : 0};
  if (work.plan.empty()) return estimate;
  const PlanFile plan(work.plan);
  suite::RunOptions options;
  options.plan = plan.path();
  options.filters = work.filters;
  options.axes = work.axes;
  options.modules = work.modules;
  options.assumed = node;
  options.folder = fs::temp_directory_path();
  options.programs_folder = site.options.programs.empty() ? suite::own_folder() : site.options.programs;
  try {
    const suite::PlanSize size = suite::size_of_plan(options, signals);
    estimate.points = size.points;
    estimate.left_out = size.left_out;
    const double rounds_s = size.budget_s * std::max(1, work.burn_in_rounds);
    const double for_s = work.burn_in_for.empty() ? 0 : core::parse_duration_s(work.burn_in_for, "for");
    if (for_s == 0)
      estimate.seconds += rounds_s;
    else
      estimate.seconds += work.burn_in_rounds == 0 ? for_s : std::min(for_s, rounds_s);
  } catch (const core::Error&) {
    // The nodes say why.
  }
  return estimate;
}

}  // namespace assay::campaign
