// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/failed_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "harness/core/error.hpp"
#include "results/points/point_doubts.hpp"
#include "results/store/measured_unit.hpp"
#include "results/store/sqlite/database.hpp"
#include "results/store/store.hpp"

namespace assay::suite {
namespace {

/// Columns of the query, in order.
namespace failed_column {
enum : int { sequence, case_name, key, repetition, reason, drifting, samples, host, evidence };
}

std::string last_records_query() {
  return std::string(
             "SELECT p.sequence, c.name, p.key, p.repetition, p.reason, p.drifting, p.samples_s, x.host, ") +
         results::point_evidence_columns +
         "FROM points p JOIN cases c ON c.id = p.case_id JOIN contexts x ON x.run = p.run AND "
         "x.process = p.process ORDER BY p.sequence";
}

/// The rows of limits that fail.
class BeyondLimits {
 public:
  BeyondLimits(const results::Store& store, std::span<const results::LimitsFile> limits) {
    if (limits.empty()) return;
    for (const results::LimitsFile& file : limits)
      for (const results::AbsoluteLimit& limit : file.limits) metrics_.insert(limit.metric);
    for (const results::VerdictRow& row : results::judge_limits(store, "", limits).rows)
      if (row.verdict == results::Verdict::fail) rows_.emplace(row.unit, row.metric);
  }

  bool contain(const std::string& unit, const std::string& point) const {
    return std::ranges::any_of(metrics_, [&](const std::string& metric) {
      return rows_.contains({unit, results::limited_metric(point, metric)});
    });
  }

 private:
  std::set<std::string> metrics_;                       // that any limit is of
  std::set<std::pair<std::string, std::string>> rows_;  // unit and metric
};

/// "" for a point that need not run again.
std::string why_again(const results::Statement& row) {
  const results::PointEvidence evidence = results::evidence_from(row, failed_column::evidence);
  if (evidence.status == results::Status::unsupported) return "";
  if (evidence.status != results::Status::ok)
    return results::to_string(evidence.status) + ": " + row.text(failed_column::reason);
  if (const auto doubt = results::doubt_about(evidence, row.numbers(failed_column::samples)))
    return "in doubt: " + doubt->why;
  return row.integer(failed_column::drifting) != 0 ? "drifting: its samples trend" : "";
}

}  // namespace

std::vector<FailedPoint> failed_points_in(const std::filesystem::path& journal,
                                          std::span<const results::LimitsFile> limits) {
  results::Store store("");
  store.import_journal(journal);
  const BeyondLimits beyond(store, limits);
  std::map<std::tuple<std::string, std::string, std::int64_t>, FailedPoint> last;
  results::Statement row = store.database().prepare(last_records_query());
  while (row.step()) {
    const std::string case_name = row.text(failed_column::case_name), key = row.text(failed_column::key);
    FailedPoint point{.record = row.integer(failed_column::sequence),
                      .module = case_name.substr(0, case_name.find('.')),
                      .name = case_name + "/" + key,
                      .case_name = case_name,
                      .why = why_again(row),
                      .host = row.text(failed_column::host)};
    const results::PointIdentity identity = results::identity_of(case_name, key);
    if (point.why.empty() && beyond.contain(identity.unit(point.host), identity.metric))
      point.why = "beyond its limit";
    last.insert_or_assign({case_name, key, row.integer(failed_column::repetition)}, std::move(point));
  }
  std::vector<FailedPoint> failed;
  for (auto& [identity, point] : last)
    if (!point.why.empty()) failed.push_back(std::move(point));
  std::ranges::sort(failed, {}, &FailedPoint::record);
  return failed;
}

std::string records_of(std::span<const FailedPoint> points) {
  constexpr std::size_t longest_argument = 100'000;  // Linux takes 131,072 bytes
  std::string text;
  for (std::size_t first = 0, last = 0; first < points.size(); first = last + 1) {
    last = first;
    while (last + 1 < points.size() && points[last + 1].record == points[last].record + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", points[first].record);
    if (last > first) text += fmt::format("-{}", points[last].record);
  }
  if (text.size() > longest_argument)
    core::usage_error(fmt::format("--failed: {} points failed, which is too many at once (expected --filter)",
                                  points.size()));
  return text;
}

}  // namespace assay::suite
