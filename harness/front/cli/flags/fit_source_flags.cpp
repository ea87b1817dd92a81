// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/fit_source_flags.hpp"

#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/flags/open_store.hpp"

namespace assay::cli {

void add_timings_filter(CLI::App& app, std::string& filter) {
  app.add_option("--filter", filter, "only timings of cases, or case/point, that match this glob")
      ->type_name("GLOB");
}

void add_fit_source_options(CLI::App& app, answers::FitSource& source) {
  CLI::Option* csv = add_file(app, "--csv", source.csv, "timings (columns: docs/reference/files.md)");
  add_store_option(app, source.store);
  app.get_option("--store")->excludes(csv);
  app.add_option("--run", source.runs, "runs of the store, fitted together")
      ->type_name("ID...")
      ->capture_default_str();
  add_timings_filter(app, source.filter);
}

}  // namespace assay::cli
