// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A fit of any kind: its section of a file of coefficients, and what a person reads of it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/fit/rows/csv_table.hpp"

namespace assay::answers {

struct FitChoices {
  std::uint64_t seed = 1;
  int keep_out_percent = 0;
  std::optional<int> multiprocessors = {};  // of the GPU, instead of what the rows say
};

struct FittedKind {
  nlohmann::ordered_json section;
  std::vector<std::string> warnings;
  std::string text;  // coefficients with intervals, then errors held out
};

/// Throws what the fit of that kind throws for rows that it cannot use.
FittedKind fit_kind(model::fit::CoefficientsKind kind, const model::fit::CsvSource& rows,
                    const FitChoices& choices);

}  // namespace assay::answers
