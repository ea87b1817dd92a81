// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The settings of another tool's run without which two of its results are not the same measurement: the tool,
// its statistic, its launches, iterations and checks, and what a transfer or a GPU was set to.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace assay::results {

struct DefinitionDifference;

/// Parts of PointEvidence::definition, each followed by '|', out of a record's conditions (JSON).
std::string imported_definition(std::string_view conditions);

/// The first part that differs, of two definitions that are read up to the parts above. What one of them does
/// not state is unknown, which is not equal.
std::optional<DefinitionDifference> imported_difference(std::istream& one, std::istream& other);

}  // namespace assay::results
