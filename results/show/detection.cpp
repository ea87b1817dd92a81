// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Faults that the corruption probes' self-tests caught: a row for each kind, a column for each detector.
#include <algorithm>
#include <map>
#include <stdexcept>

#include "harness/core/names.hpp"
#include "harness/core/text/json_from.hpp"
#include "results/show/tables.hpp"

namespace assay::results {
namespace {

using Kind = Column::Kind;

struct PlantedFaults {
  std::string probe, dtype, kind;
  std::int64_t planted = 0;
  std::map<std::string, std::int64_t> caught;  // by detector
};

struct Detections {
  std::vector<PlantedFaults> faults;
  std::vector<std::string> detectors;  // of all probes
};

/// `text`: the condition 'detection' of a self-test. Throws std::runtime_error naming the point.
void add_faults(Detections& all, const StoredPoint& point, const std::string& text) {
  try {
    const auto json = core::json_from<nlohmann::json>(text);
    const auto detectors = json.at("detectors").get<std::vector<std::string>>();
    for (const std::string& name : detectors)
      if (std::ranges::find(all.detectors, name) == all.detectors.end()) all.detectors.push_back(name);
    for (const auto& fault : json.at("faults")) {
      auto& added = all.faults.emplace_back(
          PlantedFaults{point.case_name, field_text(point.axes, {"dtype"}), fault.at(0), fault.at(1), {}});
      for (std::size_t i = 0; i < detectors.size(); ++i)
        added.caught[detectors[i]] = fault.at(2 + i).get<std::int64_t>();
    }
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(point.case_name + "/" + point.key +
                             ": condition 'detection': expected detectors and faults: " + error.what());
  }
}

Detections detections(const RunPoints& run, const ShowOptions& options) {
  const std::string cases = options.filter.empty() ? "*.corruption_self_test" : options.filter;
  Detections all;
  for (const StoredPoint& point : run.rows(cases))
    if (const std::string text = field_text(run.conditions(point.id), {core::names::detection});
        !text.empty())
      add_faults(all, point, text);
  return all;
}

std::vector<Cell> row_of(const PlantedFaults& fault, const std::vector<std::string>& detectors) {
  std::vector<Cell> row{fault.probe, Cell(), fault.kind, fault.planted};
  if (!fault.dtype.empty()) row[1] = fault.dtype;
  for (const std::string& detector : detectors) {
    const auto caught = fault.caught.find(detector);
    const bool known = caught != fault.caught.end() && fault.planted > 0;
    row.emplace_back();
    if (known)
      row.back() = Number{100.0 * static_cast<double>(caught->second) / static_cast<double>(fault.planted)};
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
  const Detections all = detections(run, options);
  for (const std::string& name : all.detectors) table.columns.push_back({name, "%", Kind::number});
  for (const PlantedFaults& faults : all.faults) table.rows.push_back(row_of(faults, all.detectors));
  table.notes.push_back(
      "The comparison of all bits or words must catch every fault; the others are shown "
      "for comparison.");
  return table;
}

}  // namespace assay::results
