// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Numbers of a model that map badly onto processors: they leave few ways to divide it, or GEMMs whose last
// tile is partly empty.
#pragma once

#include <string>
#include <vector>

#include "model/explain/explanation.hpp"

namespace assay::model {

struct Remark {
  bool warning = false;  // else a note
  std::string key;       // of the application, or of the system where it is about both
  std::string text;
};

/// Checks the model alone. `vocabulary` is 0 where it is not known.
std::vector<Remark> lint(const Application& application, std::int64_t vocabulary);
/// Checks the model on this system: its first network tier, its table of GEMM efficiency.
std::vector<Remark> lint(const Application& application, const System& system, Datatype datatype);

/// The remarks as an explanation, which does not hold where there is a warning.
Explanation explain_lint(const Application& application, const std::vector<Remark>& remarks);

}  // namespace assay::model
