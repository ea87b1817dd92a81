// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A table as the reader of a command asked for it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "results/table/long_table.hpp"

namespace assay::cli {

/// Adds --format: text, csv, json or markdown.
void add_format_option(CLI::App& app, std::string& format);

/// Text is cut to the terminal's width, where standard output is one.
std::string render_table(const results::Table& table, const std::string& format);
/// As it comes; JSON at once.
void render_table(const results::LongTable& table, const std::string& format, const core::ByteSink& sink);

}  // namespace assay::cli
