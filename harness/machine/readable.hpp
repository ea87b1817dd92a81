// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How this folder writes sizes, links and tables for people.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/machine/machine.hpp"

namespace assay::machine {

/// "31.2 GiB", "48 KiB": at most one decimal.
std::string readable_bytes(std::int64_t bytes);

/// "32 GT/s x16"; "" when neither speed nor width is known.
std::string readable_link(double gt_per_s, int width);

/// As trained, and when that is below the best, the best after it: "16 GT/s x8 of 32 GT/s x16".
std::string readable_trained(const PcieLink& link);

/// "L1 data", "L3"
std::string readable_cache_name(const Cache& cache);

/// Columns that a terminal needs, counting every code point as one.
std::size_t display_width(const std::string& text);
std::string padded(const std::string& text, std::size_t width);

/// Lines of at most `width` columns, each but the first beginning with `indent` blanks.
std::string wrapped(const std::string& text, std::size_t width, std::size_t indent);

/// Rows as aligned lines, two blanks between columns and before the first; a column empty below its heading
/// is left out.
std::string table(const std::vector<std::vector<std::string>>& rows);

}  // namespace assay::machine
