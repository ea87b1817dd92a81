// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A part of the machine as `assay fit memory`, `links`, `loggp`, `interference` or `overlap` measured it,
// instead of a system's value.
#pragma once

#include <functional>
#include <string>

#include "model/fit/coefficients/coefficients_file.hpp"
#include "model/predict/system/system.hpp"

namespace assay::model {

/// Puts the part into a system (of a network: `tier`, which is there) and says in one line what it is.
using MeasuredPart = std::function<std::string(System& system, std::size_t tier)>;

/// Nothing is chosen among equals: where the file has several curves, links or contests that could stand for
/// the part, a usage Error names them. The same for a file that has none, or is of another kind.
MeasuredPart read_measured_part(const std::string& path, fit::CoefficientsKind kind);

}  // namespace assay::model
