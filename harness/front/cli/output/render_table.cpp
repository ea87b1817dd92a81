// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/output/render_table.hpp"

#include <unistd.h>

#include "harness/core/process/terminal.hpp"
#include "results/table/aligned_text.hpp"

namespace assay::cli {

namespace {

constexpr std::string_view wide = "wide";

}  // namespace

void add_format_option(CLI::App& app, std::string& format) {
  app.add_option("--format", format, "output format")
      ->check(CLI::IsMember({"text", "csv", "json", "markdown"}))
      ->capture_default_str();
  add_wide_flag(app, format);
}

void add_wide_flag(CLI::App& app, std::string& format) {
  app.add_flag_callback(
         "--wide", [&format] { format = wide; },
         "text with every column and one line a row, wider than the terminal")
      ->excludes("--format");
}

bool is_text(std::string_view format) { return format == "text" || format == wide; }

std::string render_table(const results::Table& table, const std::string& format) {
  if (format == "json") return results::to_json(table);
  return core::written(
      [&](const core::ByteSink& sink) { render_table(results::LongTable(table), format, sink); });
}

void render_table(const results::LongTable& table, const std::string& format, const core::ByteSink& sink) {
  if (format == "csv") return results::write_csv(table, sink);
  if (format == "json") return sink(results::to_json(results::whole_table(table)));
  if (format == "markdown") return results::write_markdown(table, sink);
  if (format == wide) return results::write_wide_text(table, sink);
  results::write_text(table, static_cast<int>(core::terminal_columns(STDOUT_FILENO)), sink);
}

}  // namespace assay::cli
