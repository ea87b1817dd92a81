// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Where `assay fit` and `assay export` take timings from: a CSV file, or runs of a store.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/rows/csv_table.hpp"
#include "results/export/timings_csv.hpp"

namespace assay::answers {

struct FitSource {
  std::string csv, store, filter;
  std::vector<std::string> runs = {"latest"};
};

FitSource runs_of_store(const std::filesystem::path& store, const std::vector<std::string>& runs);

/// Of one run, as results/export/timings_csv.hpp says.
results::TimingsCsv timings_csv(const results::Store& store, const std::string& run,
                                model::fit::CoefficientsKind kind, const std::string& filter = {});

/// The rows of one kind. Without --csv those of the runs, as one text; what else the runs hold is
/// reported on standard error. Throws a usage error for a store or run that is not there, holds none of that
/// kind, or more than one machine.
model::fit::CsvSource fit_rows(const FitSource& source, model::fit::CoefficientsKind kind);

/// The same; nothing where no run has rows of that kind.
std::optional<model::fit::CsvSource> fit_rows_if_any(const FitSource& source,
                                                     model::fit::CoefficientsKind kind);

using UseOfSection = std::function<void(const std::string& section, model::fit::CoefficientsKind kind,
                                        const model::fit::CsvSource& rows)>;
/// Of a file of coefficients, for each section that predicts times and that the runs have rows for.
void for_each_section(const std::string& coefficients, const FitSource& source, const UseOfSection& use);

/// Of one run of a store; nothing where that run holds none of that kind.
std::optional<model::fit::CsvSource> rows_if_any(const std::string& store, const std::string& run,
                                                 model::fit::CoefficientsKind kind,
                                                 const std::string& filter);

}  // namespace assay::answers
