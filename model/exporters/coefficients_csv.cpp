// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Every coefficient of files that assay fit wrote as a row of a plain CSV, for spreadsheets and models of the
// user's own: name,value,lower,upper,unit,source. The interval is of 95 %.
#include <fmt/format.h>

#include <array>
#include <string_view>

#include "harness/core/error.hpp"
#include "harness/core/text/csv_text.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/exporters/exporters.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/json/read_json.hpp"

namespace assay::model::exporters {
namespace {

using Json = nlohmann::ordered_json;

/// The unit by the end of the name; 1 for what has no unit.
std::string_view unit_of(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> units{
      {{"tflop_per_s", "TFLOP/s"}, {"gb_per_s", "GB/s"}, {"_us", "us"}, {"latency", "us"}}};
  for (const auto& [end, unit] : units)
    if (name.ends_with(end)) return unit;
  return "1";
}

std::string provenance_word(const Json& json, const char* key) {
  const Json::json_pointer place(fmt::format("/provenance/{}", key));
  return json.contains(place) && json.at(place).is_string() ? json.at(place).get<std::string>() : "unknown";
}

class CoefficientRows {
 public:
  explicit CoefficientRows(Exported& made) : made_(made) {}

  void add_section(const std::string& path) {
    const std::string kind = to_string(fit::kind_of_coefficients(path));
    Json json = read_ordered_json(fit::file_of_section(path));
    if (json.contains("sections")) json = Json(std::move(json["sections"][kind]));
    if (!json.contains("models"))
      core::usage_error(path + ": key 'models': missing; expected what assay fit writes");
    source_ = core::csv_cell(fmt::format("{}: {}, {} of {}", path, kind, provenance_word(json, "origin"),
                                         provenance_word(json, "machine")));
    add(json.at("models"), "", "");
  }

 private:
  /// Adds a row if there are a value and bounds, which make a coefficient; walks all others. A segment is
  /// named by its bytes.
  void add(const Json& json, const std::string& path, const std::string& name) {
    if (json.is_object() && json.contains("value") && json.contains("lower") && json.contains("upper"))
      return add_row(json, path, name);
    if (!json.is_structured()) return;
    for (const auto& [key, value] : json.items()) {
      const bool is_segment = json.is_array() && value.is_object() && value.contains("from_bytes");
      const std::string step = is_segment ? fmt::format("{}..{} bytes", core::json_text(value["from_bytes"]),
                                                        core::json_text(value["to_bytes"]))
                                          : key;
      add(value, path.empty() ? step : path + "/" + step, key);
    }
  }

  void add_row(const Json& coefficient, const std::string& path, const std::string& name) {
    std::string& text = made_.files.front().text;
    text += core::csv_cell(path);
    const bool is_unbounded =
        unit_of(name) == "GB/s" && coefficient["value"] == 0;  // times of every size are equal
    for (const char* number : {"value", "lower", "upper"})
      text += "," +
              (coefficient[number].is_number() && !is_unbounded ? core::json_text(coefficient[number]) : "");
    text += fmt::format(",{},{}\n", unit_of(name), source_);
    if (!coefficient.value("supported", true)) made_.notes.push_back(path + ": the rows do not determine it");
  }

  Exported& made_;
  std::string source_;
};

Exported export_coefficients(const ExportRequest& request) {
  if (request.coefficients.empty())
    core::usage_error("export coefficients-csv: expected --coefficients FILE, of assay fit");
  Exported made{.files = {{"", "name,value,lower,upper,unit,source\n"}}, .notes = {}, .fits = {}};
  CoefficientRows rows(made);
  for (const std::string& file : request.coefficients)
    for (const std::string& section : fit::sections_of_coefficients(file)) rows.add_section(section);
  return made;
}

}  // namespace

Exporter coefficients_csv_exporter() {
  return {.name = "coefficients-csv",
          .about = "coefficients of assay fit as name,value,lower,upper,unit,source",
          .uses = {},
          .reads_network = false,
          .write = export_coefficients};
}

}  // namespace assay::model::exporters
