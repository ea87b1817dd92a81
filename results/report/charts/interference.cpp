// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Slowdowns by interference: a few matrices of victims against aggressors, and curves over how many thread
// blocks or threads the aggressor has.
#include <algorithm>
#include <set>
#include <utility>

#include "harness/core/in_order.hpp"
#include "harness/core/names.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/charts/charts.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t matrices_at_most = 3;

std::int64_t count_of(const OverlapPoint& one) { return aggressor_count(one.point.axes).count; }
std::string word_of(const OverlapPoint& one) { return aggressor_count(one.point.axes).axis; }

/// "32 blocks", "1 thread"; "" where the point has no axis for it.
std::string count_text(const OverlapPoint& one) {
  std::string word = word_of(one);
  if (!word.empty() && count_of(one) == 1) word.pop_back();
  return word.empty() ? "" : std::to_string(count_of(one)) + " " + word;
}

std::string aggressor_of(const OverlapPoint& one) { return field_text(one.point.axes, {"aggressor"}); }

/// Points that differ in victim, aggressor and the aggressor's number only.
struct ContestChart {
  std::vector<const OverlapPoint*> points, controls;
  std::map<std::string, std::set<std::int64_t>> counts;  // of each aggressor

  bool grows(const OverlapPoint& one) const { return counts.at(aggressor_of(one)).size() > 1; }

  /// Numbers of blocks that have a matrix each: the ends and the middle of those that vary.
  std::vector<std::int64_t> chosen() const {
    std::set<std::int64_t> varying;
    for (const auto& [aggressor, own] : counts)
      if (own.size() > 1) varying.insert(own.begin(), own.end());
    std::vector<std::int64_t> all(varying.begin(), varying.end());
    if (all.size() <= matrices_at_most) return all;
    return {all.front(), all[all.size() / 2], all.back()};
  }

  bool has_one_count() const {
    return std::ranges::all_of(points,
                               [&](const auto* one) { return count_of(*one) == count_of(*points[0]); });
  }
};

class Contests {
 public:
  explicit Contests(const std::vector<OverlapPoint>& points)
      : series_(axes_of(points), {"victim", "aggressor", "blocks", "threads"}) {
    for (const OverlapPoint& one : points) {
      ContestChart& contest =
          all_[chart::joined_parts(one.point.back_end(), series_.name_of(one.point.axes))];
      if (count_of(one) == 0) {
        contest.controls.push_back(&one);
        continue;
      }
      contest.points.push_back(&one);
      contest.counts[aggressor_of(one)].insert(count_of(one));
    }
  }

  /// {points, same}, the points as `add` adds those of a contest.
  Json chart_by(void (*add)(Json&, const std::string&, const ContestChart&)) const {
    Json points = Json::array();
    for (const auto& [title, contest] : all_) add(points, title, contest);
    return series_.chart_of(std::move(points));
  }

 private:
  chart::Series series_;
  core::InOrder<std::string, ContestChart> all_;  // by title
};

Json object_of(const OverlapPoint& one, const std::string& series) {
  Json object{{"back_end", one.point.back_end()},
              {"series", series},
              {"victim", field_text(one.point.axes, {"victim"})},
              {"aggressor", aggressor_of(one)}};
  chart::put(object, one.interval(core::names::slowdown));
  object["spinning"] = chart::number(one.interval(core::names::slowdown_of_spinning).value);
  return object;
}

Json cell_of(const OverlapPoint& one, const std::string& series) {
  Json cell = object_of(one, series);
  cell["of"] = count_text(one);
  return cell;
}

void add_matrices(Json& all, const std::string& title, const ContestChart& contest) {
  if (contest.points.empty()) return;
  const std::vector<std::int64_t> chosen = contest.chosen();
  if (chosen.empty()) {
    const std::string count = contest.has_one_count() ? count_text(*contest.points.front()) : "";
    for (const OverlapPoint* one : contest.points)
      all.push_back(cell_of(*one, chart::joined_parts(title, count)));
  }
  for (const std::int64_t count : chosen) {
    const auto named =
        std::ranges::find(contest.points, count, [](const auto* one) { return count_of(*one); });
    const std::string with_count = title + ", " + count_text(**named);
    for (const OverlapPoint* one : contest.points)
      if (count_of(*one) == count || !contest.grows(*one)) all.push_back(cell_of(*one, with_count));
  }
}

void add_curves(Json& all, const std::string& title, const ContestChart& contest) {
  if (contest.chosen().empty()) return;
  const auto add = [&](const OverlapPoint& one, bool is_control) {
    Json object = object_of(one, title);
    object["word"] = word_of(one);
    object["count"] = count_of(one);
    object["control"] = is_control;
    object["predicted"] = chart::number(one.interval(core::names::predicted_tail_wave_slowdown).value);
    all.push_back(std::move(object));
  };
  for (const OverlapPoint* one : contest.controls) add(*one, true);
  for (const OverlapPoint* one : contest.points)
    if (contest.grows(*one)) add(*one, false);
}

}  // namespace

Json interference_chart(const std::vector<OverlapPoint>& points) {
  return Contests(points).chart_by(add_matrices);
}

Json slowdown_chart(const std::vector<OverlapPoint>& points) { return Contests(points).chart_by(add_curves); }

}  // namespace assay::results
