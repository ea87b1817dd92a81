// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/tasks/write_fit_all.hpp"

#include <iostream>

#include "harness/core/process/exit_code.hpp"
#include "harness/front/cli/output/tell_warnings.hpp"

namespace assay::cli {

int write_fit_all(const answers::FitSource& source, const answers::FitChoices& choices,
                  const std::string& output) {
  const answers::FittedAll fitted = answers::fit_all(source, choices);
  model::fit::write_coefficients(output, fitted.all);
  print_warnings(fitted.warnings);
  std::cout << fitted.text;
  return core::exit_code::pass;
}

}  // namespace assay::cli
