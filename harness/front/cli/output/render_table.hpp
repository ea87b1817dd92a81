// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table as the reader of a command asked for it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

#include "results/table/long_table.hpp"

namespace assay::cli {

/// Adds --format: text, csv, json or markdown; and --wide.
void add_format_option(CLI::App& app, std::string& format);
/// Adds --wide, which sets the format to wide text and excludes --format.
void add_wide_flag(CLI::App& app, std::string& format);
/// Text for people, wide or not.
bool is_text(std::string_view format);

/// Text fits into the terminal's width, where standard output is one; wide text has every column and one line
/// a row.
std::string render_table(const results::Table& table, const std::string& format);
/// As it comes; JSON at once.
void render_table(const results::LongTable& table, const std::string& format, const core::ByteSink& sink);

}  // namespace assay::cli
