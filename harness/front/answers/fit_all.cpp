// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/answers/fit_all.hpp"

#include <fmt/format.h>

#include <map>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/front/answers/open_store.hpp"
#include "model/exporters/calculon/measured_system.hpp"
#include "results/store/stored_points.hpp"

namespace assay::answers {
namespace {

namespace calculon = model::calculon;
using model::fit::CoefficientsKind;

using Rows = std::map<CoefficientsKind, model::fit::CsvSource>;

Rows rows_of(const FitSource& source, std::vector<std::string>& not_measured) {
  if (!source.csv.empty())
    core::usage_error("fit all: a CSV file is of one kind; expected --run and --store");
  Rows found;
  for (const CoefficientsKind kind : model::fit::all_kinds) {
    if (auto rows = fit_rows_if_any(source, kind))
      found.emplace(kind, *std::move(rows));
    else
      not_measured.push_back(fmt::format("{}: no timing in these runs", model::fit::to_string(kind)));
  }
  return found;
}

void fit_sections(const Rows& rows, const FitChoices& choices, FittedAll& fitted_all) {
  model::fit::AllCoefficients& all = fitted_all.all;
  for (const auto& [kind, source] : rows) try {
      FittedKind fitted = fit_kind(kind, source, choices);
      fitted_all.text += fmt::format("== {}\n{}", model::fit::to_string(kind), fitted.text);
      fitted_all.warnings.insert(fitted_all.warnings.end(), fitted.warnings.begin(), fitted.warnings.end());
      all.sections.emplace(kind, std::move(fitted.section));
      all.timings.emplace(kind, source.content.value());
    } catch (const core::Error& error) {
      all.not_measured.push_back(fmt::format("{}: {}", model::fit::to_string(kind), error.what()));
    }
}

/// Memory capacities, each from the first context that has it.
calculon::Capacities capacities_of(const FitSource& source) {
  const results::Store store = open_existing_store(source.store);
  const auto look = [](const nlohmann::ordered_json& machine, const char* place,
                       std::optional<double>& bytes) {
    const nlohmann::ordered_json::json_pointer pointer(place);
    if (!bytes && machine.contains(pointer) && machine.at(pointer).is_number())
      bytes = machine.at(pointer).get<double>();
  };
  calculon::Capacities found;
  for (const std::string& run : source.runs)
    for (const results::ContextRecord& context : results::contexts_of(store, results::find_run(store, run))) {
      look(context.machine, "/memory/bytes", found.host_bytes);
      look(context.machine, "/gpus/0/memory_bytes", found.gpu_bytes);
    }
  return found;
}

void describe_system(const FitSource& source, const Rows& rows, model::fit::AllCoefficients& all) {
  const auto of = [&](CoefficientsKind kind) -> const model::fit::CsvSource* {
    const auto found = rows.find(kind);
    return found == rows.end() ? nullptr : &found->second;
  };
  calculon::MeasuredSystem described =
      calculon::measured_system({.gemm = of(CoefficientsKind::gemm),
                                 .memory = of(CoefficientsKind::memory),
                                 .vector = of(CoefficientsKind::vector),
                                 .links = of(CoefficientsKind::links),
                                 .collectives = of(CoefficientsKind::collectives),
                                 .slowdowns = of(CoefficientsKind::interference),
                                 .capacities = capacities_of(source)});
  all.system = std::move(described.system);
  for (const std::string& line : described.not_measured)
    all.not_measured.push_back(std::string(model::fit::of_the_system) + line);
}

}  // namespace

FittedAll fit_all(const FitSource& source, const FitChoices& choices) {
  FittedAll fitted;
  const Rows rows = rows_of(source, fitted.all.not_measured);
  fit_sections(rows, choices, fitted);
  if (fitted.all.sections.empty()) core::usage_error("fit all: the runs have no timing that a fit can use");
  describe_system(source, rows, fitted.all);
  fitted.text += "== not measured\n";
  for (const std::string& line : fitted.all.not_measured) fitted.text += fmt::format("  {}\n", line);
  return fitted;
}

}  // namespace assay::answers
