// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "harness/cli/command.hpp"
#include "harness/cli/open_store.hpp"
#include "results/report.hpp"

namespace assay::cli {
namespace {

struct ReportFlags {
  std::string store, run = "latest", output = "report.html";
};

}  // namespace

Command report_command(CLI::App& parent) {
  const auto flags = std::make_shared<ReportFlags>();
  CLI::App* app = parent.add_subcommand("report", "One HTML file with everything in it, to read anywhere");
  add_store_option(*app, flags->store);
  app->add_option("--run", flags->run, "run id")->type_name("ID")->capture_default_str();
  app->add_option("-o,--output", flags->output, "the file to write")
      ->type_name("FILE")
      ->capture_default_str();
  return {app, [flags] {
            const results::Store store = open_existing_store(flags->store);
            results::write_report(store, flags->run, flags->output);
            std::cout << fmt::format("report   {}\n", flags->output);
            return 0;
          }};
}

}  // namespace assay::cli
