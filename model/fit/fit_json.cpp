// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/fit_json.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace assay::model::fit {
namespace {

Json json_of(const Accuracy& accuracy) {
  return {{"rows", accuracy.rows},
          {"mape_percent", accuracy.mape_percent},
          {"p90_percent", accuracy.p90_percent},
          {"bias_percent", accuracy.bias_percent}};
}

double finite_from(const Json& json, const char* key, bool zero_is_good) {
  const double number = json.at(key).get<double>();
  if (!std::isfinite(number) || number < 0 || (number == 0 && !zero_is_good))
    throw std::runtime_error(fmt::format("key '{}': expected a number {} 0, got {}", key,
                                         zero_is_good ? "from" : "above", number));
  return number;
}

}  // namespace

double positive_from(const Json& json, const char* key) { return finite_from(json, key, false); }
double not_negative_from(const Json& json, const char* key) { return finite_from(json, key, true); }

Json json_of(const Provenance& provenance) {
  return {{"source_file", provenance.source_file}, {"source_sha256", provenance.source_sha256},
          {"machine", provenance.machine},         {"rows", provenance.rows},
          {"split_seed", provenance.seed},         {"fitted_at", provenance.fitted_at},
          {"fitted_by", provenance.fitted_by}};
}

Provenance provenance_from(const Json& json) {
  return {json.at("source_file"), json.at("source_sha256"), json.at("machine"),  json.at("rows"),
          json.at("split_seed"),  json.at("fitted_at"),     json.at("fitted_by")};
}

Json json_of(const Coefficient& coefficient) {
  return {{"value", coefficient.value},
          {"lower", coefficient.lower},
          {"upper", coefficient.upper},
          {"supported", coefficient.supported}};
}

Json json_of(const Errors& errors) {
  if (errors.empty()) return nullptr;
  Json json = json_of(errors.whole());
  for (const auto& [decade, accuracy] : errors.by_decade())
    json["by_decade"][fmt::format("1e{}", decade)] = json_of(accuracy);
  return json;
}

}  // namespace assay::model::fit
