// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Helpers that write the data of every chart of the report.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/record/record.hpp"
#include "results/show/axes_table.hpp"
#include "results/store/stored_points.hpp"

namespace assay::results::chart {

/// Null where it is not finite.
nlohmann::ordered_json number(double value);
nlohmann::ordered_json number(const std::optional<double>& value);
/// value, lower and upper of the object.
void put(nlohmann::ordered_json& object, const Number& value, double scale = 1);
/// A point of a curve: `kernel` names the curve, `series` the small chart that it is in.
nlohmann::ordered_json point_of(const StoredPoint& point, const std::string& kernel,
                                const std::string& series, std::int64_t bytes, const Number& value);
/// "a, b", and one of them where the other is empty.
std::string joined_parts(const std::string& a, const std::string& b, const char* between = ", ");

/// Evenly: a drift stays visible.
template <class Item>
std::vector<Item> thinned(const std::vector<Item>& items, std::size_t most) {
  if (items.size() <= most) return items;
  std::vector<Item> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(items[i * items.size() / most]);
  return some;
}

/// How many different values an axis has; points without it count as one of them.
std::size_t different_values(const std::vector<Fields>& points, const std::string& axis);

/// Splits axes into those that vary over all points (they name the series) and those that do not.
class Series {
 public:
  /// `drawn`: axes that the chart shows itself.
  Series(const std::vector<Fields>& points, std::set<std::string> drawn);
  std::string name_of(const Fields& point) const;
  std::string same() const;
  /// The data that a chart reads: {points, same}.
  nlohmann::ordered_json chart_of(nlohmann::ordered_json points) const;

 private:
  Fields only(const Fields& point, bool varying) const;

  std::set<std::string> drawn_;
  std::map<std::string, std::set<std::string>> values_;
  std::map<std::string, std::size_t> times_;
  Fields first_;
};

}  // namespace assay::results::chart
