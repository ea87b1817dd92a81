// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/output/verdict_output.hpp"

#include <iostream>
#include <set>
#include <span>

#include "harness/core/text/shell_words.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/own_command_line.hpp"
#include "harness/front/cli/output/render_table.hpp"
#include "results/judge/exchange/ctrf.hpp"
#include "results/judge/exchange/ocp.hpp"
#include "results/table/aligned_text.hpp"

namespace assay::cli {

void add_verdict_options(CLI::App& app, VerdictOutput& output) {
  app.add_option("--format", output.format, "output format")
      ->check(
          CLI::IsMember({"text", "markdown", "json", "csv", "junit", "line", "prometheus", "ocp", "ctrf"}))
      ->capture_default_str();
  add_wide_flag(app, output.format);
  add_file(app, "--verdicts", output.file, "write the verdicts to this file too (JSON)");
}

void print_piece(std::string_view piece) { std::cout << piece; }

namespace {

/// Tables, and a last line of the value that the exit code is of: the row that decided it.
void print_tables(const results::Verdicts& verdicts, const std::vector<results::LongTable>& tables,
                  const std::string& format) {
  for (const results::LongTable& table : tables) {
    if (is_empty(table)) continue;
    render_table(table, format, print_piece);
    print_piece("\n");
  }
  print_piece(results::to_line(verdicts));
}

results::ToldRun run_of(const VerdictOutput& output) {
  return {.command_line = core::shell_text(own_command_line()),
          .started = output.started,
          .now = std::chrono::system_clock::now};
}

}  // namespace

int print_verdicts(const results::Verdicts& verdicts, const std::vector<results::LongTable>& tables,
                   const VerdictOutput& output, const DescribeSystem& describe) {
  if (!output.file.empty()) results::write_verdicts(output.file, verdicts);
  if (output.format == "json")
    results::write_json(verdicts, print_piece);
  else if (output.format == "junit")
    results::write_junit(verdicts, print_piece);
  else if (output.format == "line")
    std::cout << results::to_line(verdicts);
  else if (output.format == "prometheus")
    results::write_prometheus(verdicts, print_piece);
  else if (output.format == "ocp")
    results::write_ocp(verdicts, describe(), run_of(output), print_piece);
  else if (output.format == "ctrf")
    results::write_ctrf(verdicts, run_of(output), print_piece);
  else if (output.format == "csv")
    results::write_csv(results::long_table_of(verdicts, results::TableOf::all), print_piece);
  else
    print_tables(verdicts, tables, output.format);
  return results::exit_code_of(verdicts.verdict);
}

results::TestedSystem system_of(const results::Verdicts& verdicts,
                                std::initializer_list<const results::Store*> stores) {
  std::set<std::string> runs;
  for (const results::JudgedRun& run : verdicts.runs) runs.insert(run.run_id);
  return results::tested_system(std::span(stores.begin(), stores.size()), runs);
}

}  // namespace assay::cli
