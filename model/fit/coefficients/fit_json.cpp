// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/fit/coefficients/fit_json.hpp"

#include <fmt/format.h>

namespace assay::model::fit {

Json json_of(const Accuracy& accuracy) {
  return {{"rows", accuracy.rows},
          {"mape_percent", accuracy.mape_percent},
          {"p90_percent", accuracy.p90_percent},
          {"bias_percent", accuracy.bias_percent}};
}

Accuracy accuracy_from(const JsonKeys& keys) {
  const JsonValue bias = keys.at("bias_percent");  // below 0, too
  if (!is_finite_number(bias)) keys.fail("bias_percent", "a number", bias);
  return {.rows = static_cast<std::size_t>(keys.whole("rows", 0)),
          .mape_percent = keys.number("mape_percent"),
          .p90_percent = keys.number("p90_percent"),
          .bias_percent = bias.get<double>()};
}

Json json_of(const Provenance& provenance) {
  return {{"source_file", provenance.source_file},
          {"source_sha256", provenance.source_sha256},
          {"origin", provenance.origin},
          {"machine", provenance.machine},
          {"rows", provenance.rows},
          {"split_seed", provenance.seed},
          {"fitted_at", provenance.fitted_at},
          {"fitted_by", provenance.fitted_by}};
}

Provenance provenance_from(const JsonKeys& keys) {
  const JsonValue seed = keys.at("split_seed");
  if (!seed.is_number_unsigned()) keys.fail("split_seed", "a whole number from 0", seed);
  return {.source_file = keys.word("source_file"),
          .source_sha256 = keys.word("source_sha256"),
          .origin = keys.has("origin") ? keys.word("origin") : "unknown",
          .machine = keys.word("machine"),
          .rows = static_cast<std::size_t>(keys.whole("rows", 0)),
          .seed = seed.get<std::uint64_t>(),
          .fitted_at = keys.word("fitted_at"),
          .fitted_by = keys.word("fitted_by")};
}

Json json_of(const Coefficient& coefficient) {
  return {{"value", coefficient.value},
          {"lower", coefficient.lower},
          {"upper", coefficient.upper},
          {"supported", coefficient.supported}};
}

Coefficient coefficient_from(const JsonKeys& keys, const char* name) {
  return {name, keys.number("value"), keys.number("lower"), keys.number("upper"), keys.flag("supported")};
}

LogGp loggp_from(const JsonKeys& keys) {
  const auto value = [&](const char* name) { return keys.object(name).above_zero("value"); };
  return {.one_way_us = value("L_plus_2o_us"), .gap_us = value("g_us"), .gb_per_s = value("gb_per_s")};
}

LogGpParts loggp_parts_from(const JsonKeys& keys) {
  const auto part = [&](const char* name) { return coefficient_from(keys.object(name), name); };
  LogGpParts parts{.one_way = part("L_plus_2o_us"), .gap = part("g_us"), .goodput = part("gb_per_s")};
  if (keys.has("o_us") && keys.object("o_us").flag("supported")) parts.overhead = part("o_us");
  return parts;
}

Json json_of(const Errors& errors) {
  if (errors.empty()) return nullptr;
  Json json = json_of(errors.whole());
  for (const auto& [decade, accuracy] : errors.by_decade())
    json["by_decade"][fmt::format("1e{}", decade)] = json_of(accuracy);
  return json;
}

}  // namespace assay::model::fit
