// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table whose rows may be too many to hold: they are made each time that they are read, and written as
// they come.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/core/files/byte_stream.hpp"
#include "results/table/table.hpp"

namespace assay::results {

/// Takes the next row, which lasts for the call.
using RowSink = std::function<void(const std::vector<Cell>& row)>;

/// Gives all rows to the sink, each time the same.
using EachRow = std::function<void(const RowSink& take)>;

struct LongTable {
  /// Makes a long table of one that is held.
  LongTable(Table table);
  LongTable(Table head_without_rows, EachRow rows)
      : head(std::move(head_without_rows)), each_row(std::move(rows)) {}

  Table head;  // without rows
  EachRow each_row;
};

/// The table with all its rows.
Table whole_table(const LongTable& table);

/// As to_text(), to_markdown() and to_csv() of table.hpp.
void write_text(const LongTable& table, int width, const core::ByteSink& sink);
void write_markdown(const LongTable& table, const core::ByteSink& sink);
void write_csv(const LongTable& table, const core::ByteSink& sink);

}  // namespace assay::results
