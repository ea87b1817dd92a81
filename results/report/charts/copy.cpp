// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Copies: bandwidth over size, and who reaches whom as matrices.
#include <algorithm>

#include "harness/core/in_order.hpp"
#include "results/report/charts/chart_series.hpp"
#include "results/report/charts/charts.hpp"

namespace assay::results {
namespace {

using Json = nlohmann::ordered_json;
using chart::different_values;
using chart::joined_parts;
using chart::Series;

std::vector<Fields> words_of(const std::vector<CopyPoint>& points) {
  std::vector<Fields> words = axes_of(points);
  for (Fields& one : words) one = axes_in_words(one);
  return words;
}

/// Appends the curves of one benchmark, and returns what does not vary in it.
std::string add_curves(Json& all, const std::vector<CopyPoint>& points, const std::string& what) {
  const Series series(words_of(points), {"bytes", "direction", "by", "memory", "gpus"});
  for (const CopyPoint& one : points) {
    const std::string gpus = field_text(one.point.axes, {"gpus"});
    const std::string who = gpus.empty() ? what : gpus + (gpus == "1" ? " GPU " : " GPUs ") + what;
    Json object = chart::point_of(one.point, copy_way(one.point),
                                  joined_parts(who, series.name_of(axes_in_words(one.point.axes))),
                                  one.bytes(), one.point.headline);
    if (const auto ceiling = one.ceiling_gb_per_s()) object["ceiling"] = chart::number(*ceiling);
    all.push_back(std::move(object));
  }
  return series.same().empty() ? "" : what + ": " + series.same();
}

/// A side of a matrix, and how it names a place.
struct Side {
  std::string axis, word;

  std::string of(const CopyPoint& one) const {
    const std::string value = field_text(one.point.axes, {axis});
    return value == "-1" ? "any " + word : word + " " + value;
  }
};

Json matrices(const std::vector<CopyPoint>& points, const Side& row, const Side& column) {
  const Series series(words_of(points), {"bytes", row.axis, column.axis});
  core::InOrder<std::string, std::vector<CopyPoint>> by_name;
  for (const CopyPoint& one : points) by_name[series.name_of(axes_in_words(one.point.axes))].push_back(one);
  Json all = Json::array();
  for (const auto& [name, own] : by_name) {
    const std::int64_t largest = std::ranges::max(own, {}, &CopyPoint::bytes).bytes();
    Json cells = Json::array();
    for (const CopyPoint& one : own) {
      if (one.bytes() != largest) continue;
      Json& cell = cells.emplace_back(Json{{"row", row.of(one)}, {"column", column.of(one)}});
      chart::put(cell, one.point.headline);
      cell["remark"] = one.path();
    }
    all.push_back({{"title", joined_parts(name, bytes_text(largest))}, {"cells", cells}});
  }
  return {{"matrices", all}, {"same", series.same()}};
}

}  // namespace

Json copy_chart(const std::vector<CopyPoint>& points) {
  Json all = Json::array();
  const std::string alone = add_curves(all, copies_of(points, "copy"), "one GPU");
  const std::string together = add_curves(all, copies_of(points, "node_copy"), "at once");
  return {{"points", all}, {"same", joined_parts(alone, together, "; ")}};
}

Json copy_matrices(const std::vector<CopyPoint>& points) {
  auto own = copies_of(points, "copy");
  const std::vector<Fields> axes = axes_of(own);
  if (different_values(axes, "gpu") < 2 && different_values(axes, "numa") < 2) own.clear();
  Json all = matrices(own, {"gpu", "GPU"}, {"numa", "node"});
  std::erase_if(all.at("matrices").get_ref<Json::array_t&>(),
                [](const Json& one) { return one.at("cells").size() < 2; });
  return all;
}

Json peer_matrices(const std::vector<CopyPoint>& points) {
  return matrices(copies_of(points, "peer_copy"), {"from", "GPU"}, {"to", "GPU"});
}

}  // namespace assay::results
