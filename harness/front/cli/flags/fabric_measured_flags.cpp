// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/fabric_measured_flags.hpp"

#include "harness/front/cli/flags/file_name.hpp"

namespace assay::cli {

void add_measured(CLI::App& app, answers::MeasuredSource& flags) {
  add_file(app, "--coefficients", flags.coefficients,
           "file of assay fit; TIER: the topmost switches that its messages crossed, as spine", "[TIER=]FILE")
      ->allow_extra_args(false);
  CLI::Option* store = app.add_option("--store", flags.store, "goodput, latency and gaps that a run measured")
                           ->type_name("FILE");
  app.add_option("--run", flags.run, "of the store; default: the latest")->type_name("ID")->needs(store);
  add_file(app, "--run-order", flags.order,
           "where the run's ranks are (CSV: rank,host,gpu); default: by names, or in turn")
      ->needs(store);
  app.add_flag("--force", flags.force, "take goodput of another line rate");
}

}  // namespace assay::cli
