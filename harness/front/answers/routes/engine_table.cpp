// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/routes/engine_table.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"

namespace assay::answers {

std::string engine_sentence(const std::vector<TriedEngine>& tried) {
  const TriedEngine* best = nullptr;
  for (const TriedEngine& one : tried)
    if (one.failure.empty() && one.used == one.engine &&
        (best == nullptr || one.row.all_to_all_times < best->row.all_to_all_times))
      best = &one;
  const TriedEngine& own = tried.front();
  if (best == nullptr) return "None of these engines routed this net.";
  if (best->row.all_to_all_times >= own.row.all_to_all_times)
    return fmt::format(
        "No engine does better in an all-to-all: {} takes {:.2f} times, the tables as read {:.2f}.",
        best->engine, best->row.all_to_all_times, own.row.all_to_all_times);
  return fmt::format("With {}, an all-to-all takes {:.2f} times instead of {:.2f}.", best->engine,
                     best->row.all_to_all_times, own.row.all_to_all_times);
}

results::Table engine_table(const std::vector<TriedEngine>& tried) {
  using Kind = results::Column::Kind;
  results::Table table{.title = "Engines"};
  table.columns = {{"engine", "", Kind::word},
                   {"used", "", Kind::word},
                   {"free shifts", "", Kind::word},
                   {"mean shift", "", Kind::number},
                   {"worst", "", Kind::count},
                   {"permutations", "median", Kind::count},
                   {"bisection", "%", Kind::number},
                   {"all-to-all", "paths", Kind::count},
                   {"all-to-all", "times", Kind::number},
                   {"worst lost cable", "times", Kind::number},
                   {"credit loop", "", Kind::word}};
  for (const TriedEngine& one : tried) {
    std::vector<results::Cell> row = {one.engine, one.failure.empty() ? one.used : one.failure};
    if (one.failure.empty()) {
      const EngineRow& own = one.row;
      row.emplace_back(fmt::format("{}/{}", own.free_shifts, own.shifts));
      row.emplace_back(results::Number{own.mean_shift});
      row.emplace_back(static_cast<std::int64_t>(own.worst_shift));
      row.emplace_back(static_cast<std::int64_t>(own.median_permutation));
      row.emplace_back(results::Number{100 * own.effective_bisection});
      row.emplace_back(static_cast<std::int64_t>(own.all_to_all));
      row.emplace_back(results::Number{own.all_to_all_times});
      row.emplace_back(results::Number{own.lost_cable_times});
      row.emplace_back(own.has_cycle ? "on one lane" : "none");
    }
    row.resize(table.columns.size());
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string with_engines(const std::string& json, const std::vector<TriedEngine>& tried) {
  auto all = core::json_from<nlohmann::ordered_json>(json);
  for (const TriedEngine& one : tried) {
    nlohmann::ordered_json row = {{"engine", one.engine}};
    if (!one.failure.empty()) {
      row["failure"] = one.failure;
    } else {
      const EngineRow& own = one.row;
      row["used"] = one.used;
      row["shifts"] = {{"free", own.free_shifts},
                       {"of", own.shifts},
                       {"mean", own.mean_shift},
                       {"worst", own.worst_shift}};
      row["permutations"] = {{"median", own.median_permutation},
                             {"worst", own.worst_permutation},
                             {"effective_bisection_bandwidth", own.effective_bisection}};
      row["all_to_all"] = {{"busiest", own.all_to_all}, {"times", own.all_to_all_times}};
      row["lost_cable"] = {{"all_to_all_times", own.lost_cable_times}};
      row["credit_loop_on_one_lane"] = own.has_cycle;
    }
    all["engines"].push_back(std::move(row));
  }
  return core::json_text(all, 2) + "\n";
}

}  // namespace assay::answers
