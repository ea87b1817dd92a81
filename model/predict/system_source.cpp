// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/system_source.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "model/fit/coefficients_file.hpp"
#include "model/json/read_json.hpp"

namespace assay::model {

SystemSource read_system_source(const std::string& path, const ReadOptions& options) {
  SystemSource source{.system = read_json(path), .options = options};
  if (!source.system.is_object() || !source.system.contains("sections")) return source;
  std::vector<CoefficientFile> sections;
  for (const std::string& section : fit::sections_of_coefficients(path))
    if (can_be_applied(section)) sections.push_back({.path = section});
  if (!source.system.contains("system")) fit::refuse_without_system(path);
  nlohmann::json system = std::move(source.system["system"]);
  source.system = std::move(system);
  source.options.model = Model::assay;
  source.options.coefficients.insert(source.options.coefficients.begin(), sections.begin(), sections.end());
  return source;
}

}  // namespace assay::model
