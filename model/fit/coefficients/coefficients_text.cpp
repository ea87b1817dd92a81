// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Files of coefficients as they are written.
#include <fmt/format.h>

#include <sstream>

#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_text.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/coefficients/coefficients_words.hpp"
#include "model/fit/coefficients/fit_json.hpp"

namespace assay::model::fit {
namespace {

/// Figures of docs/evidence/fits.md, "Other machines, other tools".
constexpr const char* scope =
    "this machine, software and dtype only: on public H100 tables, coefficients of another data set or dtype "
    "were 19 to 101 % off, a roofline without any fit 40 to 72 % (docs/evidence/fits.md)";

Json head() {
  return {{"schema", coefficients_schema},
          {"schema_version", coefficients_schema_version},
          {"scope", scope},
          {"units",
           {{"_us", "1e-6 s"},
            {"gb_per_s", "1e9 bytes/s"},
            {"tflop_per_s", "1e12 FLOP/s, FLOP = 2mnk"},
            {"size", "bytes"}}}};
}

/// One key a line, those of `depth` levels of objects too.
std::string text_of(const Json& json, int depth) {
  if (depth == 0 || !json.is_object()) return core::json_text(json);
  std::string text = "{";
  for (const auto& [key, value] : json.items())
    text += fmt::format("{}\n{}: {}", text == "{" ? "" : ",", core::json_text(Json(key)),
                        text_of(value, depth - 1));
  return text + "\n}";
}

Json lines_of(const std::string& csv) {
  Json lines = Json::array();
  std::istringstream text(csv);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string coefficients_text(const Json& section) {
  Json json = head();
  json.update(section);
  return text_of(json, 1) + "\n";
}

void write_coefficients(const std::string& path, const Json& section) {
  core::write_whole_file(path, coefficients_text(section));
}

std::string coefficients_text(const AllCoefficients& all) {
  Json json = head();
  json["kind"] = kind_of_all;
  json["not_measured"] = all.not_measured;
  json["sections"] = Json::object();
  for (const auto& [kind, section] : all.sections) json["sections"][to_string(kind)] = section;
  if (!all.system.is_null()) json["system"] = all.system;
  json["timings"] = Json::object();
  for (const auto& [kind, csv] : all.timings) json["timings"][to_string(kind)] = lines_of(csv);
  const std::map<std::string, int> depths{{"sections", 2}, {"system", 1}, {"timings", 1}};
  std::string text = "{";
  for (const auto& [key, value] : json.items())
    text += fmt::format("{}\n\"{}\": {}", text == "{" ? "" : ",", key,
                        text_of(value, depths.contains(key) ? depths.at(key) : 0));
  return text + "\n}\n";
}

void write_coefficients(const std::string& path, const AllCoefficients& all) {
  core::write_whole_file(path, coefficients_text(all));
}

}  // namespace assay::model::fit
