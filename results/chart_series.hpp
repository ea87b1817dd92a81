// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the data of every chart of the report is written with. Private to report_data.cpp and
// fabric_charts.cpp.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "results/record.hpp"
#include "results/table.hpp"

namespace assay::results::chart {

/// Null where it is not finite.
nlohmann::ordered_json number(double value);
/// value, lower and upper of the object.
void put(nlohmann::ordered_json& object, const Number& value, double scale = 1);

/// Splits axes into those that vary over all points (they name the series) and those that do not.
class Series {
 public:
  /// `drawn`: axes that the chart shows itself.
  Series(const std::vector<Fields>& points, std::set<std::string> drawn);
  std::string name_of(const Fields& point) const;
  std::string same() const;

 private:
  Fields only(const Fields& point, bool varying) const;

  std::set<std::string> drawn_;
  std::map<std::string, std::set<std::string>> values_;
  std::map<std::string, std::size_t> times_;
  Fields first_;
};

}  // namespace assay::results::chart
