// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/verdict_output.hpp"

#include <iostream>

#include "harness/front/cli/file_name.hpp"
#include "harness/front/cli/render_table.hpp"

namespace assay::cli {

void add_verdict_options(CLI::App& app, VerdictOutput& output) {
  app.add_option("--format", output.format, "output format")
      ->check(CLI::IsMember({"text", "markdown", "json", "csv", "junit", "line", "prometheus"}))
      ->capture_default_str();
  add_file(app, "--verdicts", output.file, "write the verdicts to this file too (JSON)");
}

int print_verdicts(const results::Verdicts& verdicts, const std::vector<results::Table>& tables,
                   const VerdictOutput& output) {
  if (!output.file.empty()) results::write_verdicts(output.file, verdicts);
  if (output.format == "json")
    std::cout << results::to_json(verdicts);
  else if (output.format == "junit")
    std::cout << results::to_junit(verdicts);
  else if (output.format == "line")
    std::cout << results::to_line(verdicts);
  else if (output.format == "prometheus")
    std::cout << results::to_prometheus(verdicts);
  else if (output.format == "csv")
    std::cout << results::to_csv(results::to_table(verdicts));
  else
    for (const results::Table& table : tables) std::cout << render_table(table, output.format);
  return results::exit_code_of(verdicts.verdict);
}

}  // namespace assay::cli
