// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The probes of silent corruption: what each unit verified, and its digest against those of its equals.
#include <algorithm>

#include "harness/core/names.hpp"
#include "results/show/tables.hpp"
#include "results/store/digests.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

constexpr std::size_t digits_shown = 16;

/// Those of one run where it is named: equals of other runs are needed to judge one.
std::vector<StoredRun> runs_asked_for(const Store& store, const ShowOptions& options) {
  if (options.run) return {find_run(store, options.run)};
  std::vector<StoredRun> runs = all_runs(store);
  std::reverse(runs.begin(), runs.end());
  return runs;
}

Cell metric_cell(const PointRecord& record, const std::string& name) {
  const Metric* const metric = find(record.metrics, name);
  return metric != nullptr ? Cell(static_cast<std::int64_t>(metric->value)) : Cell();
}

int gravity(DigestVerdict verdict, Status status) {
  if (status != Status::ok || verdict == DigestVerdict::differs) return 0;
  return verdict == DigestVerdict::not_judged ? 1 : 2;
}

std::string finding_of(const DigestGroup& group, const UnitDigest& unit) {
  const std::string digest = explain(group, unit);
  return unit.status == Status::ok ? digest : to_string(unit.status) + ": " + unit.reason + "; " + digest;
}

struct Row {
  int gravity = 0;
  std::vector<Cell> cells;
};

}  // namespace

Table show_corruption(const Store& store, const ShowOptions& options) {
  Table table{.title = "Silent corruption, the worst first"};
  table.columns = {
      {"point", "", Kind::word, true},  {"unit", "", Kind::word},
      {"equals", "", Kind::text, true}, {"verified", "B", Kind::bytes},
      {"wrong", "", Kind::count},       {"digest", "", Kind::word},
      {"finding", "", Kind::word},      {std::string(origin_column), "", Kind::word, true, true}};
  std::vector<Row> rows;
  RecordReader records(store);
  const std::string cases = options.filter.empty() ? "*.corruption" : options.filter;
  for (const DigestGroup& group : digest_groups(store, runs_asked_for(store, options), cases))
    for (const UnitDigest& unit : group.digests()) {
      const PointRecord record = records.read(unit.point);
      rows.push_back(
          {gravity(verdict_of(group, unit), unit.status),
           {group.point, unit.unit, group.hardware, metric_cell(record, core::names::verified_bytes),
            metric_cell(record, core::names::wrong_elements), unit.digest.substr(0, digits_shown),
            finding_of(group, unit), group.origin}});
    }
  std::ranges::stable_sort(rows, {}, &Row::gravity);
  for (Row& row : rows) table.rows.push_back(std::move(row.cells));
  table.notes.push_back(
      "Digests are compared among units of equal hardware, library, algorithm and assay; the "
      "table 'detection' shows what the probes can see.");
  return table;
}

}  // namespace assay::results
