// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/judged_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "results/store/database.hpp"

namespace assay::results {
namespace {

std::map<std::string, std::string> digests_in(const Store& store) {
  Statement rows = store.database().prepare("SELECT run_id, digest FROM runs ORDER BY run_id");
  std::map<std::string, std::string> digests;
  while (rows.step())
    digests[rows.text(0)] = fmt::format("{:016x}", static_cast<std::uint64_t>(rows.integer(1)));
  return digests;
}

/// What judges records and not a host.
bool judges_runs(const Verdicts& verdicts) {
  return std::ranges::any_of(std::initializer_list<const char*>{"accept", "compare", "bundle", "burn-in"},
                             [&](const char* command) { return verdicts.command == command; });
}

bool is_named(const Verdicts& verdicts, const std::string& run) {
  return std::ranges::find(verdicts.runs, run, &JudgedRun::run_id) != verdicts.runs.end();
}

}  // namespace

std::vector<JudgedRun> judged_runs(const Store& store, std::span<const std::string> runs) {
  std::vector<JudgedRun> judged;
  for (const auto& [run, digest] : digests_in(store))
    if (runs.empty() || std::ranges::find(runs, run) != runs.end()) judged.push_back({run, digest});
  return judged;
}

std::string why_not_of(const Store& store, const std::string& reported, const Verdicts& verdicts) {
  if (!judges_runs(verdicts)) return "";
  if (verdicts.runs.empty() && verdicts.command == "burn-in") return "";  // it measured nothing
  if (verdicts.runs.empty())
    return fmt::format("verdicts of assay {} that name no runs: judge again", verdicts.command);
  const auto digests = digests_in(store);
  const bool compared = verdicts.command == "compare";  // the other run may be in a store of its own
  bool any = false;
  for (const JudgedRun& run : verdicts.runs) {
    const auto held = digests.find(run.run_id);
    if (held == digests.end() && compared) continue;
    if (held == digests.end())
      return fmt::format("verdicts of another store: run {} is not in {}", run.run_id, store.path().string());
    if (!run.digest.empty() && run.digest != held->second)
      return fmt::format("verdicts of other records: run {} holds others in {} than were judged", run.run_id,
                         store.path().string());
    any = true;
  }
  if (!any) return fmt::format("verdicts of another store: none of its runs is in {}", store.path().string());
  if (!reported.empty() && !is_named(verdicts, reported))
    return fmt::format("verdicts of other runs: {} was not judged", reported);
  if (reported.empty() && verdicts.command == "accept")
    for (const auto& [run, digest] : digests)
      if (!is_named(verdicts, run))
        return fmt::format("verdicts of a part of the store: run {} was not judged; judge again", run);
  return "";
}

}  // namespace assay::results
