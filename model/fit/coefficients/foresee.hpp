// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The timings of one machine as the coefficients of another of its type predict them, row by row.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/fit/rows/csv_table.hpp"

namespace assay::model::fit {

struct Foreseen {
  std::size_t row = 0;  // of the table
  std::string what;     // "bf16/NN 8192 x 8192 x 8192"
  double measured_us = 0;
  std::optional<double> lower_us = {}, upper_us = {};  // of the measurement, where the table has them
  std::optional<double> predicted_us = {};             // nothing: the coefficients have none for such a row
  bool seen = false;                                   // by the fit, on the same machine
};

/// Every row once, in order. GPUs of a machine are alike, and so are machines: where the coefficients have
/// none for a row's GPU or host, those of another one are taken. Throws a usage error for files that cannot
/// be read, or coefficients that no fit made.
std::vector<Foreseen> foresee(const std::string& coefficients_path, const CsvSource& rows);

}  // namespace assay::model::fit
