// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/fit_all.hpp"

#include <fmt/format.h>

#include <iostream>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/exit_code.hpp"
#include "harness/front/cli/open_store.hpp"
#include "harness/front/cli/tell_warnings.hpp"
#include "model/exporters/calculon/measured_system.hpp"
#include "results/store/stored_points.hpp"

namespace assay::cli {
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

void fit_sections(const Rows& rows, const FitChoices& choices, model::fit::AllCoefficients& all) {
  for (const auto& [kind, source] : rows) try {
      FittedKind fitted = fit_kind(kind, source, choices);
      std::cout << "== " << model::fit::to_string(kind) << '\n' << fitted.text;
      print_warnings(fitted.warnings);
      all.sections.emplace(kind, std::move(fitted.section));
      all.timings.emplace(kind, source.content.value());
    } catch (const core::Error& error) {
      all.not_measured.push_back(fmt::format("{}: {}", model::fit::to_string(kind), error.what()));
    }
}

/// Of the first context that has each.
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

int fit_all(const FitSource& source, const FitChoices& choices, const std::string& output) {
  model::fit::AllCoefficients all;
  const Rows rows = rows_of(source, all.not_measured);
  fit_sections(rows, choices, all);
  if (all.sections.empty()) core::usage_error("fit all: the runs have no timing that a fit can use");
  describe_system(source, rows, all);
  model::fit::write_coefficients(output, all);
  std::cout << "== not measured\n";
  for (const std::string& line : all.not_measured) std::cout << "  " << line << '\n';
  return core::exit_code::pass;
}

}  // namespace assay::cli
