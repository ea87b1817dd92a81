// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Text of a table for people, besides write_text(): whole, or not at all.
#pragma once

#include "results/table/long_table.hpp"

namespace assay::results {

/// Neither rows nor notes.
bool is_empty(const LongTable& table);

/// Every column, one line a row, however wide.
void write_wide_text(const LongTable& table, const core::ByteSink& sink);

}  // namespace assay::results
