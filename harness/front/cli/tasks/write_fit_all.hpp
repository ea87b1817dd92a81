// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// assay fit all, with what it prints.
#pragma once

#include <string>

#include "harness/front/answers/fit_all.hpp"

namespace assay::cli {

/// answers::fit_all() into the file `output`; its text and warnings are printed. Returns the exit code.
int write_fit_all(const answers::FitSource& source, const answers::FitChoices& choices,
                  const std::string& output);

}  // namespace assay::cli
