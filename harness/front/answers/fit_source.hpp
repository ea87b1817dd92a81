// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The source of timings for `assay fit` and `assay export`: a CSV file, or runs of a store.
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

/// Timings of one run, in the form of results/export/timings_csv.hpp.
results::TimingsCsv timings_csv(const results::Store& store, const std::string& run,
                                model::fit::CoefficientsKind kind, const std::string& filter = {});

/// The rows of one kind. Without --csv those of the runs, as one text; what else the runs hold is
/// reported on standard error. Throws a usage error for a store or run that is not there, holds none of that
/// kind, or more than one machine.
model::fit::CsvSource fit_rows(const FitSource& source, model::fit::CoefficientsKind kind);

/// Reads the runs' rows as fit_rows() does; nothing where no run has rows of that kind.
std::optional<model::fit::CsvSource> fit_rows_if_any(const FitSource& source,
                                                     model::fit::CoefficientsKind kind);

using UseOfSection = std::function<void(const std::string& section, model::fit::CoefficientsKind kind,
                                        const model::fit::CsvSource& rows)>;
/// Calls `use` for each section of a file of coefficients that predicts times and has rows in the runs.
void for_each_section(const std::string& coefficients, const FitSource& source, const UseOfSection& use);

/// The rows of one run of a store; nothing where that run holds none of that kind.
std::optional<model::fit::CsvSource> rows_if_any(const std::string& store, const std::string& run,
                                                 model::fit::CoefficientsKind kind,
                                                 const std::string& filter);

}  // namespace assay::answers
