// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A system file of Calculon with what was measured instead of what was there: GEMM efficiency, and the
// first memory's, for one of its two processing modes, or one network tier, or both, and the intervals of all
// that. Everything else stays as the base says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/exporters/calculon/gemm_staircases.hpp"
#include "model/exporters/calculon/network_tier.hpp"
#include "model/fit/regression/accuracy.hpp"
#include "model/fit/rows/csv_table.hpp"

namespace assay::model::calculon {

struct SystemRequest {
  std::optional<fit::CsvSource> csv = std::nullopt;  // timings of GEMMs, as assay fit reads them
  std::string gemm_group = {};                       // of them; empty: the only one there is
  std::string base = {};                             // a system file of Calculon
  ProcessingMode mode = ProcessingMode::roofline;
  NetworkRequest network = {};  // of the tier that collectives were timed on, where they were
  std::int64_t smallest = 512;  // only GEMMs whose m, n and k are at least that
  std::uint64_t seed = 1;       // of the folds
};

struct ExportedGemms {
  std::string datatype;  // Calculon's name: "float16"
  std::size_t rows = 0;  // GEMMs used
  fit::Errors held_out;
};

struct ExportedSystem {
  std::string text;  // the file
  std::optional<ExportedGemms> gemms = std::nullopt;
  std::optional<FittedNetwork> network = std::nullopt;
};

/// Throws a usage error with one line naming file and key: an unusable base or CSV, GEMMs of several or
/// of unknown dtypes, or of one that the base has no matrix engine for; too few; faster than the base's peak.
ExportedSystem export_system(const SystemRequest& request);

}  // namespace assay::model::calculon
