// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "results/points/kinds/copy_points.hpp"

#include <algorithm>
#include <iterator>

#include "harness/core/names.hpp"

namespace assay::results {

std::int64_t CopyPoint::bytes() const { return field_integer(point.axes, {"bytes"}).value_or(0); }

std::string CopyPoint::path() const { return field_text(conditions, {core::names::path}); }

std::optional<double> CopyPoint::ceiling_gb_per_s() const {
  // The record has the ceiling of one way; counted bytes say how many ways there are.
  const auto one_way = number_in(conditions, core::names::link_ceiling_gb_per_s);
  if (!one_way || *one_way <= 0 || bytes() <= 0) return std::nullopt;
  return *one_way * point.work_bytes / static_cast<double>(bytes());
}

std::optional<Number> CopyPoint::share_of_ceiling() const {
  const auto ceiling = ceiling_gb_per_s();
  if (!ceiling) return std::nullopt;
  return mapped(point.headline, [&](double rate) { return rate / *ceiling; });
}

std::vector<CopyPoint> copy_points(const RunPoints& run, const std::string& cases) {
  auto points = as_view<CopyPoint>(run.measured(cases));
  std::erase_if(points,
                [](const CopyPoint& one) { return one.point.metric != core::names::bandwidth_gb_per_s; });
  return points;
}

std::vector<CopyPoint> copies_of(const std::vector<CopyPoint>& points, const std::string& benchmark) {
  std::vector<CopyPoint> chosen;
  std::ranges::copy_if(points, std::back_inserter(chosen),
                       [&](const CopyPoint& one) { return one.point.benchmark() == benchmark; });
  return chosen;
}

std::string copy_way(const StoredPoint& point) {
  std::string text;
  for (const char* axis : {"direction", "by", "memory"}) {
    const std::string value = field_text(point.axes, {axis});
    if (!value.empty()) text += (text.empty() ? "" : ", ") + value;
  }
  return text;
}

Fields axes_in_words(const Fields& axes) {
  Fields words = axes;
  for (auto& [name, value] : words) {
    if (name == "on") value = "on the " + scalar_text(value);
    if (name == "ways") value = scalar_text(value) + (scalar_text(value) == "one" ? " way" : " ways");
  }
  return words;
}

}  // namespace assay::results
