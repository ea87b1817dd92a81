// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/output/render_table.hpp"

#include <unistd.h>

#include "harness/core/process/terminal.hpp"

namespace assay::cli {

void add_format_option(CLI::App& app, std::string& format) {
  app.add_option("--format", format, "output format")
      ->check(CLI::IsMember({"text", "csv", "json", "markdown"}))
      ->capture_default_str();
}

std::string render_table(const results::Table& table, const std::string& format) {
  if (format == "csv") return results::to_csv(table);
  if (format == "json") return results::to_json(table);
  if (format == "markdown") return results::to_markdown(table);
  return results::to_text(table, static_cast<int>(core::terminal_columns(STDOUT_FILENO)));
}

void render_table(const results::LongTable& table, const std::string& format, const core::ByteSink& sink) {
  if (format == "csv") return results::write_csv(table, sink);
  if (format == "json") return sink(results::to_json(results::whole_table(table)));
  if (format == "markdown") return results::write_markdown(table, sink);
  results::write_text(table, static_cast<int>(core::terminal_columns(STDOUT_FILENO)), sink);
}

}  // namespace assay::cli
