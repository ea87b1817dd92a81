// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What an exporter is given, and what it makes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/exporters/formula_fit.hpp"
#include "model/fit/csv_table.hpp"

namespace assay::model::exporters {

struct ExportRequest {
  // As assay fit reads them.
  std::optional<fit::CsvSource> gemm = std::nullopt, collectives = std::nullopt, memory = std::nullopt;
  std::string base = {};       // a file of the tool, that everything not measured comes from
  std::int64_t ranks = 0;      // of the collectives; 0: the only number there is
  std::string dtype = {};      // of the collectives; empty: the only one there is
  std::string algorithm = {};  // of the collectives, likewise
  double least_bytes = 0;      // collectives and copies of fewer bytes do not count
  std::string operation = {};  // of the memory; empty: the only one there is
  std::uint64_t seed = 1;      // of splits and bootstrap
};

struct ExportedFile {
  std::string suffix;  // of its name, ".network.yml"; empty where the tool has one file
  std::string text;
};

struct Exported {
  std::vector<ExportedFile> files;
  std::vector<std::string> notes;  // for the user: arguments, what the tool cannot say
  std::vector<std::pair<std::string, FittedFormula>> fits;  // "collectives", "GEMM", "memory"
};

/// Each throws a usage error with one line for rows that it needs and does not get, that its tool has no
/// formula for, or that are of more than one number of ranks, dtype, algorithm or system; and for a base that
/// is none.
Exported export_astra_sim(const ExportRequest& request);
Exported export_simai(const ExportRequest& request);
Exported export_genz(const ExportRequest& request);
Exported export_llm_analysis(const ExportRequest& request);
Exported export_aiconfigurator(const ExportRequest& request);

}  // namespace assay::model::exporters
