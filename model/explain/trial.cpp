// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/explain/trial.hpp"

#include <cmath>

#include "harness/core/units.hpp"
#include "model/predict/answer/measured_use.hpp"
#include "model/predict/answer/prediction.hpp"
#include "model/search/mapping_text.hpp"

namespace assay::model {
namespace {

constexpr auto gibi = static_cast<double>(core::gib);

Finding find_best(const Trial& trial, unsigned threads) {
  const SearchResult found = search(trial.question, {.top = 1, .threads = threads});
  Finding finding{.trial = trial, .mappings = found.enumerated, .feasible = found.feasible, .best = {}};
  if (found.best.empty()) return finding;
  const Execution& execution = found.best[0].execution;
  const Question& asked = trial.question;
  finding.best = {execution, predict(configuration_of(asked, execution)).step};
  return finding;
}

std::vector<results::Cell> best_cells(const Finding& finding) {
  if (!finding.best) return {{}, {}, {}, {}, {}, {}, "nothing fits"};
  const auto number = [](double value) { return results::Cell(results::Number{value}); };
  const Step& step = finding.best->step;
  return {
      number(step.sample_rate),
      number(100 * step.total_efficiency),
      number(step.time.total_s),
      number(step.memory.fullest_tier1() / gibi),
      number(step.memory.tier2 / gibi),
      std::isinf(step.required.offload) ? results::Cell("unbounded") : number(step.required.offload * 1e-9),
      mapping_text(finding.best->execution)};
}

}  // namespace

Question Subject::question(std::int64_t processors) const { return question(processors, {}); }

Question Subject::question(std::int64_t processors, std::initializer_list<Setting> settings) const {
  SystemFile changed = system;
  for (const Setting& setting : settings) changed.set(setting.key, setting.value);
  PricedSystem priced = changed.priced(datatype);
  return {.application = application,
          .system = std::move(priced.system),
          .processors = processors,
          .max_batch = max_batch,
          .datatype = datatype,
          .fused = fused,
          .unfused = unfused,
          .model = changed.model(),
          .coefficients = std::move(priced.coefficients),
          .fused_attention = fused_attention,
          .unfused_attention = unfused_attention};
}

std::vector<Finding> find_best(const std::vector<Trial>& trials, unsigned threads) {
  std::vector<Finding> findings;
  for (const Trial& trial : trials) findings.push_back(find_best(trial, threads));
  return findings;
}

std::vector<std::string> warnings_of(const std::vector<Finding>& findings) {
  MeasuredUse use;
  for (const Finding& finding : findings)
    if (finding.best) use.add(configuration_of(finding.trial.question, finding.best->execution));
  return use.warnings();
}

results::Table table_of(const std::string& title, const std::vector<results::Column>& labels,
                        const std::vector<Finding>& findings) {
  using Kind = results::Column::Kind;
  results::Table table{.title = title + " (predicted)"};
  table.columns = labels;
  table.columns.insert(table.columns.end(),
                       {{"mappings", "", Kind::count},
                        {"fit", "", Kind::count},
                        {"rate", "samples/s", Kind::number},
                        {"MFU", "%", Kind::number},
                        {"step", "s", Kind::number},
                        {"memory", "GiB", Kind::number},
                        {.name = "second memory", .unit = "GiB", .kind = Kind::number, .folds = true},
                        {.name = "offload needs", .unit = "GB/s", .kind = Kind::number, .folds = true},
                        {"best mapping", "", Kind::text}});
  for (const Finding& finding : findings) {
    std::vector<results::Cell> row = finding.trial.labels;
    row.insert(row.end(), {finding.mappings, finding.feasible});
    const std::vector<results::Cell> rest = best_cells(finding);
    row.insert(row.end(), rest.begin(), rest.end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace assay::model
