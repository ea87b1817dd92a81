// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the corruption probes' self-tests caught: a row for each kind of fault, a column for each detector.
#include <algorithm>
#include <stdexcept>

#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

constexpr std::size_t columns_before_detectors = 4;

/// The condition 'detection' of a self-test.
struct Detection {
  std::string probe, dtype;
  std::vector<std::string> detectors;
  struct Fault {
    std::string name;
    std::int64_t planted = 0;
    std::vector<std::int64_t> caught;  // by detector
  };
  std::vector<Fault> faults;
};

Detection::Fault fault_from(const nlohmann::json& json, std::size_t detectors) {
  Detection::Fault fault{json.at(0), json.at(1), {}};
  for (std::size_t i = 0; i < detectors; ++i) fault.caught.push_back(json.at(2 + i));
  return fault;
}

/// Throws std::runtime_error naming the point.
Detection detection_of(const StoredPoint& point, const std::string& text) {
  Detection detection{point.case_name, field_text(point.axes, {"dtype"}), {}, {}};
  try {
    const auto json = nlohmann::json::parse(text);
    detection.detectors = json.at("detectors").get<std::vector<std::string>>();
    for (const auto& fault : json.at("faults"))
      detection.faults.push_back(fault_from(fault, detection.detectors.size()));
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(point.case_name + "/" + point.key +
                             ": condition 'detection': expected detectors and faults: " + error.what());
  }
  return detection;
}

std::vector<Detection> detections(const RunPoints& run, const ShowOptions& options) {
  const std::string cases = options.filter.empty() ? "*.corruption_self_test" : options.filter;
  std::vector<Detection> all;
  for (const StoredPoint& point : run.rows(cases))
    if (const std::string text = field_text(run.conditions(point.id), {"detection"}); !text.empty())
      all.push_back(detection_of(point, text));
  return all;
}

std::vector<std::string> detectors_of(const std::vector<Detection>& detections) {
  std::vector<std::string> names;
  for (const Detection& one : detections)
    for (const std::string& name : one.detectors)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

std::vector<Cell> row_of(const Detection& detection, const Detection::Fault& fault,
                         const std::vector<std::string>& detectors) {
  std::vector<Cell> row{detection.probe, detection.dtype.empty() ? Cell() : Cell(detection.dtype), fault.name,
                        fault.planted};
  row.resize(columns_before_detectors + detectors.size());
  for (std::size_t i = 0; i < detection.detectors.size() && fault.planted > 0; ++i) {
    const auto column = std::ranges::find(detectors, detection.detectors[i]) - detectors.begin();
    row[columns_before_detectors + static_cast<std::size_t>(column)] =
        Number{100.0 * static_cast<double>(fault.caught[i]) / static_cast<double>(fault.planted)};
  }
  return row;
}

}  // namespace

Table show_detection(const RunPoints& run, const ShowOptions& options) {
  Table table{.title = title_of("Planted faults that were caught", run)};
  table.columns = {{"probe", "", Kind::word, true},
                   {"dtype", "", Kind::word},
                   {"fault", "", Kind::word},
                   {"planted", "", Kind::count}};
  const std::vector<Detection> all = detections(run, options);
  const std::vector<std::string> detectors = detectors_of(all);
  for (const std::string& name : detectors) table.columns.push_back({name, "%", Kind::number});
  for (const Detection& detection : all)
    for (const Detection::Fault& fault : detection.faults)
      table.rows.push_back(row_of(detection, fault, detectors));
  table.notes.push_back(
      "The comparison of all bits or words must catch every fault; the others are told "
      "beside it.");
  apply_limit(table, options);
  return table;
}

}  // namespace assay::results
