// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A subcommand: describes its flags once, then runs and returns the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <vector>

namespace assay::cli {

struct Command {
  CLI::App* app = nullptr;
  std::function<int()> run;
};

/// Each adds its subcommand to `parent`.
Command machine_command(CLI::App& parent);
Command accept_command(CLI::App& parent);
Command burn_in_command(CLI::App& parent);
Command calibrate_command(CLI::App& parent);
Command campaign_command(CLI::App& parent);
Command bundle_command(CLI::App& parent);
Command replay_command(CLI::App& parent);
Command diff_command(CLI::App& parent);
Command check_command(CLI::App& parent);
Command limits_command(CLI::App& parent);
Command list_command(CLI::App& parent);
Command run_command(CLI::App& parent);
Command show_command(CLI::App& parent);
Command top_command(CLI::App& parent);
Command report_command(CLI::App& parent);
Command import_command(CLI::App& parent);
Command store_command(CLI::App& parent);
Command export_command(CLI::App& parent);
Command compare_command(CLI::App& parent);
Command fit_command(CLI::App& parent);
Command plan_runs_command(CLI::App& parent);
Command predict_command(CLI::App& parent);
Command search_command(CLI::App& parent);
Command explain_command(CLI::App& parent);
Command claims_command(CLI::App& parent);
Command reliability_command(CLI::App& parent);
Command workload_command(CLI::App& parent);
Command fabric_command(CLI::App& parent);
/// Commands of the group `fabric`.
Command fabric_locate_command(CLI::App& group);
Command fabric_read_command(CLI::App& group);
Command fabric_routes_command(CLI::App& group);
Command relay_command(CLI::App& parent);

/// The folder of runs and the store unless a flag says otherwise.
inline constexpr const char* default_folder = "assay-results";

}  // namespace assay::cli
