// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The places of a table's columns on a terminal that may be narrower than the table: cells are wrapped, and
// columns that still do not fit stand below their rows. Nothing is cut.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "results/table/folding.hpp"

namespace assay::results {

/// The width of each column in its row; nothing for a column below the rows.
using Layout = std::vector<std::optional<std::size_t>>;

/// The width that the table takes in one line a row.
std::size_t natural_width(const Folding& folding);

/// `limit` 0 is unlimited. The first column always stays in its row.
Layout layout_of(const Folding& folding, std::size_t limit);

/// The lines of a text, none wider than `width` characters: broken at line feeds and blanks, else behind '/'
/// or ',', else anywhere. The whole text where `width` is 0.
std::vector<std::string> wrapped(const std::string& text, std::size_t width);

}  // namespace assay::results
