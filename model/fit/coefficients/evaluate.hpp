// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Coefficients against timings that they have not seen.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/fit/regression/accuracy.hpp"
#include "model/fit/rows/csv_table.hpp"

namespace assay::model::fit {

/// One row that was not seen.
struct Judged {
  std::string what;
  double size = 0;  // FLOP or bytes
  double measured_us = 0, predicted_us = 0;

  double error_percent() const { return 100 * (predicted_us / measured_us - 1); }
};

struct Evaluation {
  struct Source {
    std::string machine, origin;
  };
  Source fitted_on, rows_of;             // where the machines differ the errors are not of the fit alone
  std::string size_unit;                 // FLOP or bytes
  std::size_t seen = 0;                  // rows left out, for the fit knows them
  std::size_t without_coefficients = 0;  // rows of sizes or messages that the fit has left out
  Errors all;
  std::map<std::string, Errors> by_group;  // dtype and layout, or operation
  std::vector<Judged> rows;

  void add(const std::string& group, const Judged& row);
};

/// Every row by the coefficients of its own dtype, or of `by_dtype` where that is given. Throws a usage error
/// for files that cannot be read, a row of a dtype or collective that the coefficients do not have, and a
/// table all of whose rows the fit has seen.
Evaluation evaluate(const std::string& coefficients_path, const CsvSource& rows,
                    const std::string& by_dtype = {});

/// Tables for people: whole, by group, by decade of size.
std::string text_of(const Errors& errors, const std::string& size_unit);
std::string text_of(const Evaluation& evaluation);

/// "what,size,measured_us,predicted_us", a line for each row.
std::string csv_of(const Evaluation& evaluation);

}  // namespace assay::model::fit
