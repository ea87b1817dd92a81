// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The request that an exporter is given, and the files that it makes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/exporters/formula_fit.hpp"
#include "model/fit/rows/csv_table.hpp"

namespace assay::model::exporters {

struct ExportRequest {
  // As assay fit reads them.
  std::optional<fit::CsvSource> gemm = std::nullopt, collectives = std::nullopt, memory = std::nullopt;
  std::string gemm_group = {};                  // of the GEMMs, "bf16/cuda TN"; empty: all
  std::vector<std::string> coefficients = {};   // files of assay fit that the timings, or all else, come from
  std::string base = {};                        // a file of the tool, the source of everything not measured
  std::int64_t ranks = 0;                       // of the collectives; 0: the only number there is
  std::int64_t nodes = 0;                       // that those ranks are on, likewise
  std::string dtype = {};                       // of the collectives; empty: the only one there is
  std::string algorithm = {};                   // of the collectives, likewise
  double least_bytes = 0;                       // collectives and copies of fewer bytes do not count
  std::string operation = {};                   // of the memory; empty: the only one there is
  std::uint64_t seed = 1;                       // of splits and bootstrap
  std::map<std::string, std::string> own = {};  // options of this exporter alone, "--tier"
  std::set<std::string> given = {};             // options that the user gave

  /// The value of an option of the exporter's own; its default where it was not given.
  const std::string& own_option(const std::string& flag) const { return own.at(flag); }
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

}  // namespace assay::model::exporters
