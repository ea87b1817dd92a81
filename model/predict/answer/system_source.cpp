// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/answer/system_source.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/json/read_json.hpp"

namespace assay::model {

void add_sections(const CoefficientFile& file, ReadOptions& options) {
  for (const std::string& section : fit::sections_of_coefficients(file.path)) {
    const bool is_whole = section == file.path;  // what is wrong with it is for its reader to say
    if (const std::string why = is_whole ? "" : why_not_applied(section); !why.empty())
      options.left_out.push_back("not used: " + why);
    else
      options.coefficients.push_back({.path = section, .tier = file.tier});
  }
}

SystemSource read_system_source(const std::string& path, const ReadOptions& options) {
  return read_system_source(JsonSource{path}, options);
}

SystemSource read_system_source(const JsonSource& given, const ReadOptions& options) {
  const std::string& path = given.name;
  SystemSource source{.system = read_json(given), .options = options};
  if (!source.system.is_object() || !source.system.contains("sections")) return source;
  if (given.text)
    core::usage_error(
        fmt::format("{}: holds the sections of assay fit all: expected the name of its file", path));
  if (!source.system.contains("system")) fit::refuse_without_system(path);
  nlohmann::json system = std::move(source.system["system"]);
  source.system = std::move(system);
  source.options.model = Model::assay;
  source.options.coefficients.clear();
  add_sections({.path = path}, source.options);
  source.options.coefficients.insert(source.options.coefficients.end(), options.coefficients.begin(),
                                     options.coefficients.end());
  return source;
}

}  // namespace assay::model
