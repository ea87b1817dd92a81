// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interval_command.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <iostream>

#include "harness/core/exit_code.hpp"

namespace assay::offload {

namespace {

/// The formulas hold for it, and the table has space for it.
CLI::Validator number_between(double least, double most) {
  const auto check = [=](const std::string& text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    const bool within = error == std::errc() && rest == end && value >= least && value <= most;
    return within ? std::string()
                  : fmt::format("{} given, expected a number from {} to {}", text, least, most);
  };
  return {check, ""};
}

/// Seconds, or hours: a microsecond, and thirty years.
constexpr double least = 1e-6, most = 1e9;

}  // namespace

std::string interval_table(const FailureCosts& costs, double in_use_s) {
  const auto row = [&](const char* whose, double interval_s) {
    return fmt::format("{:<8} {:>14.1f} {:>14.2f} %\n", whose, interval_s,
                       100 * useful_fraction(costs, interval_s));
  };
  std::string text = fmt::format("{:<8} {:>14} {:>16}\n", "", "work between s", "useful share");
  text += row("Young", young_interval_s(costs)) + row("Daly", daly_interval_s(costs));
  if (in_use_s > 0) text += row("in use", in_use_s);
  return text;
}

int interval_command(int argc, char** argv) {
  FailureCosts costs;
  double hours_between_failures = 0, in_use_s = 0;
  CLI::App app("How often to save a checkpoint, and what is left for the work (docs/method/offload.md)",
               "assay-offload interval");
  app.add_option("--checkpoint", costs.checkpoint_s, "seconds that the work stands still for one checkpoint")
      ->required()
      ->check(number_between(least, most))
      ->type_name("S");
  app.add_option("--mtbf", hours_between_failures, "hours between two failures of the whole job, on average")
      ->required()
      ->check(number_between(least, most))
      ->type_name("HOURS");
  app.add_option("--restart", costs.restart_s, "seconds from a failure until the work continues")
      ->check(number_between(0, most))
      ->type_name("S")
      ->capture_default_str();
  app.add_option("--interval", in_use_s, "seconds of work between two checkpoints now, to compare")
      ->check(number_between(least, most))
      ->type_name("S");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return core::exit_code::pass;
  } catch (const CLI::ParseError& error) {
    std::cerr << fmt::format("assay-offload interval: {} (see --help)\n", error.what());
    return core::exit_code::usage;
  }
  costs.mean_time_between_failures_s = hours_between_failures * 3600;
  std::cout << interval_table(costs, in_use_s);
  return core::exit_code::pass;
}

}  // namespace assay::offload
