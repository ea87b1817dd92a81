// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/report/charts/chart_series.hpp"

#include <cmath>
#include <utility>

#include "results/points/kinds/gemm_efficiency.hpp"

namespace assay::results::chart {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json number(const std::optional<double>& value) { return number(value.value_or(NAN)); }

void put(Json& object, const Number& value, double scale) {
  object["value"] = number(scale * value.value);
  object["lower"] = number(scale * value.lower.value_or(NAN));
  object["upper"] = number(scale * value.upper.value_or(NAN));
}

Json point_of(const StoredPoint& point, const std::string& kernel, const std::string& series,
              std::int64_t bytes, const Number& value) {
  Json object{{"back_end", point.back_end()}, {"kernel", kernel}, {"series", series}, {"bytes", bytes}};
  put(object, value);
  return object;
}

std::string joined_parts(const std::string& a, const std::string& b, const char* between) {
  return a.empty() || b.empty() ? a + b : a + between + b;
}

std::size_t different_values(const std::vector<Fields>& points, const std::string& axis) {
  std::set<std::string> values;
  for (const Fields& point : points) values.insert(field_text(point, {axis}));
  return values.size();
}

Series::Series(const std::vector<Fields>& points, std::set<std::string> drawn) : drawn_(std::move(drawn)) {
  for (const Fields& point : points)
    for (const auto& [name, value] : point)
      if (!drawn_.contains(name)) {
        values_[name].insert(scalar_text(value));
        ++times_[name];
      }
  for (auto& [name, values] : values_)
    if (times_[name] < points.size()) values.insert("");  // absent from some points: it varies
  if (!points.empty()) first_ = points.front();
}

std::string Series::name_of(const Fields& point) const { return group_text(only(point, true)); }

std::string Series::same() const { return group_text(only(first_, false)); }

Json Series::chart_of(Json points) const { return {{"points", std::move(points)}, {"same", same()}}; }

Fields Series::only(const Fields& point, bool varying) const {
  Fields chosen;
  for (const auto& axis : point)
    if (!drawn_.contains(axis.first) && (values_.at(axis.first).size() > 1) == varying)
      chosen.push_back(axis);
  return chosen;
}

}  // namespace assay::results::chart
