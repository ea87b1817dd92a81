// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/campaign/fit_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>
#include <set>

#include "harness/core/error.hpp"
#include "harness/front/campaign/collected.hpp"
#include "harness/front/campaign/group_run.hpp"
#include "harness/front/campaign/judgement.hpp"
#include "results/store/store.hpp"
#include "results/store/stored_points.hpp"

namespace assay::campaign {
namespace {

using Names = std::vector<std::string>;
using results::Verdict;
using results::VerdictRow;

constexpr double most_block_error = 0.10;

std::set<std::string> stored_runs(const Site& site) {
  results::Store store(store_of(site));
  static_cast<void>(store.import_journals(journals_in(site.folder)));
  std::set<std::string> runs;
  for (const results::StoredRun& run : results::all_runs(store)) runs.insert(run.run_id);
  return runs;
}

/// Runs of one node in this stage: its own, or those of the groups that it was in.
Names runs_of_stage(const Site& site, const Stage& stage, const Names& present, const std::string& node) {
  Names runs;
  for (int run = 1; run <= stage.work.runs; ++run) {
    if (stage.kind == StageKind::nodes) runs.push_back(run_id_of(site.id, stage_run_name(stage, run), node));
    if (stage.kind != StageKind::fabric) continue;
    for (const auto& round : groups_of(stage, present))
      for (const Group& group : round)
        if (std::ranges::find(group, node) != group.end())
          runs.push_back(group_run_id(site, stage, run, group));
  }
  return runs;
}

struct FitRuns {
  Names fitted, block;
};

FitRuns runs_of_node(const Site& site, const Stage& fit, const Names& present, const std::string& node,
                     const std::set<std::string>& stored) {
  FitRuns runs;
  for (const Stage& stage : site.campaign.stages) {
    if (&stage == &fit) break;
    if (stage.work.plan.empty() || stage.work.is_burn_in()) continue;
    for (const std::string& run : runs_of_stage(site, stage, present, node))
      if (stored.contains(run)) (stage.name == fit.block ? runs.block : runs.fitted).push_back(run);
  }
  return runs;
}

VerdictRow row_of(const char* metric, Verdict verdict, const std::string& because) {
  return {.unit = "coefficients",
          .kind = "model",
          .metric = metric,
          .verdict = verdict,
          .n = 1,
          .because = because};
}

VerdictRow block_row(const std::optional<double>& error) {
  if (!error) return row_of("block", Verdict::not_run, "no part of the block was measured");
  const bool near = std::abs(*error) <= most_block_error;
  return row_of(
      "block", near ? Verdict::pass : Verdict::inconclusive,
      fmt::format("its parts, one after the other, are predicted {:+.1f} % off; expected at most {:.0f} %",
                  100 * *error, 100 * most_block_error));
}

}  // namespace

std::vector<VerdictRow> run_fit_stage(const Site& site, const Stage& stage, const Names& present,
                                      std::ostream& out) {
  const std::set<std::string> stored = stored_runs(site);
  std::string node;
  FitRuns runs;
  for (const std::string& one : present) {
    FitRuns found = runs_of_node(site, stage, present, one, stored);
    if (found.fitted.size() <= runs.fitted.size()) continue;
    runs = std::move(found);
    node = one;
  }
  if (node.empty()) return {row_of("fit", Verdict::not_run, "no node has records")};
  const std::filesystem::path output = site.folder / "coefficients.json";
  try {
    const std::optional<double> error = site.options.fit(
        {.store = store_of(site), .runs = runs.fitted, .block_runs = runs.block, .output = output});
    out << fmt::format("coefficients of {}: {}\n", node, output.string());
    std::vector<VerdictRow> rows{
        row_of("fit", Verdict::pass, fmt::format("fitted to {} runs with {}", runs.fitted.size(), node))};
    if (!stage.block.empty()) rows.push_back(block_row(error));
    return rows;
  } catch (const core::Error& error) {
    return {row_of("fit", Verdict::not_run, error.what())};
  }
}

}  // namespace assay::campaign
