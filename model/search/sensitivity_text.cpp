// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/predict/read/read.hpp"
#include "model/search/mapping_text.hpp"
#include "model/search/sensitivity.hpp"

namespace assay::model {
namespace {

/// The share of the rate that is lost at this end by keeping the mapping that was the best.
double lost(const AtEnd& end) { return end.best ? 1 - end.kept_rate / end.best->sample_rate : 0; }

const char* interval_word(const Coefficient& of) {
  if (of.move) return "fitted";
  return of.stated ? "stated" : "assumed";
}

results::Cell step_cell(const AtEnd& end) {
  return end.best ? results::Cell(results::Number{end.best->step_s}) : results::Cell("nothing fits");
}

results::Cell mapping_cell(const AtEnd& end) {
  if (!end.best) return "-";
  return end.same_mapping ? "same" : mapping_text(end.best->execution);
}

std::vector<results::Cell> row(const Sensitivity& of, const Optimum& best) {
  const auto number = [](double value) { return results::Cell(results::Number{value}); };
  return {of.coefficient.key,
          number(of.coefficient.low),
          number(of.coefficient.high),
          interval_word(of.coefficient),
          step_cell(of.low),
          step_cell(of.high),
          number(100 * change(of.low, best)),
          number(100 * change(of.high, best)),
          number(100 * std::max(lost(of.low), lost(of.high))),
          mapping_cell(of.low),
          mapping_cell(of.high)};
}

nlohmann::json json_of(const AtEnd& end) {
  if (!end.best) return nullptr;
  return {{"sample_rate", end.best->sample_rate},
          {"step_s", end.best->step_s},
          {"same_mapping", end.same_mapping},
          {"kept_sample_rate", end.kept_rate},
          {"execution", to_json(end.best->execution)}};
}

}  // namespace

results::Table to_table(const SensitivityResult& result) {
  using Kind = results::Column::Kind;
  results::Table table{.title = "Sensitivity of the optimum to each coefficient (predicted)"};
  table.columns = {{"coefficient", "", Kind::word},
                   {"low", "", Kind::number},
                   {"high", "", Kind::number},
                   {.name = "interval", .kind = Kind::word, .folds = true},
                   {"step at low", "s", Kind::number},
                   {"step at high", "s", Kind::number},
                   {"rate change at low", "%", Kind::number},
                   {"rate change at high", "%", Kind::number},
                   {"lost if kept", "%", Kind::number},
                   {"mapping at low", "", Kind::text},
                   {"mapping at high", "", Kind::text}};
  for (const Sensitivity& of : result.coefficients) table.rows.push_back(row(of, result.best));
  table.notes = {
      fmt::format("The optimum: {}, {:.6g} samples/s, {:.6g} s a step.", mapping_text(result.best.execution),
                  result.best.sample_rate, result.best.step_s),
      "Rate change: of samples/s of the best. Lost if kept: what the mapping above loses against the "
      "best at the worse end."};
  return table;
}

nlohmann::json to_json(const SensitivityResult& result) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Sensitivity& of : result.coefficients)
    rows.push_back({{"coefficient", of.coefficient.key},
                    {"value", of.coefficient.value},
                    {"low", of.coefficient.low},
                    {"high", of.coefficient.high},
                    {"interval", interval_word(of.coefficient)},
                    {"at_low", json_of(of.low)},
                    {"at_high", json_of(of.high)}});
  return rows;
}

}  // namespace assay::model
