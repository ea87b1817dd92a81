// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/judge/compared_runs.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "results/store/host_doubts.hpp"

namespace assay::results {
namespace {

bool is_pattern(const std::string& name) { return name.find_first_of("*?[") != std::string::npos; }

/// A run whose id is the text itself comes before a pattern: an id may hold any of these characters.
void add_runs(const Store& store, const std::string& name, std::vector<ComparedRun>& runs) {
  if (name == "latest") return runs.push_back({&store, find_run(store, std::nullopt)});
  const std::vector<StoredRun> all = all_runs(store);
  const auto exact = std::ranges::find(all, name, &StoredRun::run_id);
  if (exact != all.end()) return runs.push_back({&store, *exact});
  if (name != "all" && !is_pattern(name))
    return runs.push_back({&store, find_run(store, name)});  // says what is missing
  const std::size_t before = runs.size();
  for (const StoredRun& run : all)
    if (name == "all" || fnmatch(name.c_str(), run.run_id.c_str(), 0) == 0) runs.push_back({&store, run});
  if (runs.size() == before)
    throw std::runtime_error(fmt::format(
        "store {}: no run matches '{}'; the table 'runs' lists what is there", store.path().string(), name));
}

std::vector<ComparedRun> side_of(const Store& store, const std::vector<std::string>& names,
                                 const char* side) {
  std::vector<ComparedRun> runs;
  for (const std::string& name : names) add_runs(store, name, runs);
  if (runs.empty()) throw std::runtime_error(fmt::format("the {} has no run", side));
  std::ranges::stable_sort(runs, {},
                           [](const ComparedRun& one) { return std::pair(one.run.started, one.run.id); });
  return runs;
}

/// In another store an equal id may be chance; an equal id and start is a copy.
bool is_same(const ComparedRun& one, const ComparedRun& other) {
  return one.run.run_id == other.run.run_id &&
         (one.store == other.store || one.run.started == other.run.started ||
          one.store->path() == other.store->path());
}

void refuse_same_run(const std::vector<ComparedRun>& all) {
  for (auto one = all.begin(); one != all.end(); ++one)
    for (auto other = std::next(one); other != all.end(); ++other) {
      if (is_same(*one, *other))
        throw std::runtime_error(fmt::format(
            "run {} is named twice: a run cannot be compared with itself, nor count twice", one->run.run_id));
      if (one->store == other->store &&
          run_without_rank(one->run.run_id) == run_without_rank(other->run.run_id))
        throw std::runtime_error(fmt::format("{} and {} are ranks of one run: one start, not two",
                                             one->run.run_id, other->run.run_id));
    }
}

void refuse_other_origins(const std::vector<ComparedRun>& all) {
  const std::string origin = origin_of(*all.front().store, all.front().run);
  for (const ComparedRun& one : all)
    if (const std::string other = origin_of(*one.store, one.run); other != origin)
      throw std::runtime_error(fmt::format("run {} is {} and run {} is {}: not the same thing",
                                           all.front().run.run_id, origin, one.run.run_id, other));
}

}  // namespace

ComparedSides compared_sides(const Store& of_a, const Store& of_b, const ComparisonRequest& request) {
  ComparedSides sides{side_of(of_a, request.a, "baseline"), side_of(of_b, request.b, "candidate")};
  std::vector<ComparedRun> all = sides.a;
  all.insert(all.end(), sides.b.begin(), sides.b.end());
  refuse_same_run(all);
  refuse_other_origins(all);
  return sides;
}

std::string label_of(const std::vector<ComparedRun>& runs) {
  if (runs.size() > 3) return fmt::format("{} and {} more", runs.front().run.run_id, runs.size() - 1);
  std::string label;
  for (const ComparedRun& one : runs) label += (label.empty() ? "" : ", ") + one.run.run_id;
  return label;
}

std::vector<std::string> ids_of(const std::vector<ComparedRun>& runs) {
  std::vector<std::string> ids;
  for (const ComparedRun& one : runs) ids.push_back(one.run.run_id);
  return ids;
}

}  // namespace assay::results
