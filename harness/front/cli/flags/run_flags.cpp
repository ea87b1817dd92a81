// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/run_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <ostream>

#include "harness/core/units.hpp"
#include "harness/front/cli/flags/file_name.hpp"
#include "harness/front/cli/tasks/interrupt_count.hpp"
#include "harness/front/suite/assumed_node.hpp"
#include "harness/plan/plan.hpp"

namespace assay::cli {

/// Adds each axis of "bytes=1GiB,2GiB,threads=2": a word with '=' begins one.
void add_axes(const std::string& text, std::vector<std::string>& axes) {
  bool is_first = true;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t to = std::min(text.find(',', from), text.size());
    const std::string word = text.substr(from, to - from);
    if (is_first || word.find('=') != std::string::npos)
      axes.push_back(word);
    else
      axes.back() += "," + word;
    is_first = false;
    from = to + 1;
  }
}

void add_selection(CLI::App& app, suite::RunOptions& options, const std::string& default_plan) {
  add_file(app, "--plan", options.plan,
           fmt::format("TOML file, or one of: {} (default: {}; with --resume: that run's)",
                       fmt::join(plan::built_in_plans(), " "), default_plan),
           "FILE|NAME");
  app.add_option("--modules", options.modules, "only these, e.g. gemm,memory (default: all of the plan)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  app.add_option("--filter", options.filters,
                 "only cases, or case/point, that match, e.g. 'memory.*'; may be repeated")
      ->allow_extra_args(false)
      ->type_name("GLOB");
  app.add_option_function<std::vector<std::string>>(
         "--axis",
         [&options](const std::vector<std::string>& given) {
           for (const std::string& text : given) add_axes(text, options.axes);
         },
         "other values of axes, e.g. threads=1,2 or bytes=1GiB,threads=2; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
}

void add_dry_run(CLI::App& app, DryRunFlags& flags, const std::string& what) {
  app.add_flag("--dry-run", flags.asked, fmt::format("print {}; measure nothing", what));
  app.add_option("--as", flags.as, "with --dry-run: counted for a node with these GPUs, e.g. h100x8")
      ->needs("--dry-run")
      ->type_name("GPUxN");
}

suite::PlanSize print_size(suite::RunOptions options, const DryRunFlags& flags, std::ostream& out) {
  if (flags.as) {
    options.assumed = suite::assumed_node(*flags.as);
    out << "counted " << suite::to_text(*options.assumed) << "\n";
  }
  suite::PlanSize size = suite::size_of_plan(options, count_interrupts());
  for (const suite::ModuleSize& one : size.modules)
    if (one.points > 0)
      out << fmt::format("{:<12} {:>6} points, at most {}\n", one.module, one.points,
                         core::format_seconds(one.budget_s));
  out << fmt::format("{:<12} {:>6} points, at most {}\n", "all", size.points,
                     core::format_seconds(size.budget_s))
      << machine::to_text(size.left_out);
  return size;
}

void add_launcher_options(CLI::App& app, suite::LauncherFlags& launcher) {
  CLI::Option* hosts = app.add_option_function<std::string>(
      "--hosts", [](const std::string& names) { setenv("ASSAY_RDMA_HOSTS", names.c_str(), 1); },
      "hosts that run `assay-rdma serve`, e.g. h1,h2:18541: measure the fabric to them");
  hosts->type_name("HOST,...");
  app.add_option_function<std::string>(
         "--key-file", [](const std::string& file) { setenv("ASSAY_TEAM_KEY_FILE", file.c_str(), 1); },
         "key of these hosts and ranks (docs/guide/clusters.md); mode 0600")
      ->check(file_name())
      ->type_name("FILE");
  app.add_flag_callback(
      "--open", [] { setenv("ASSAY_TEAM_OPEN", "1", 1); },
      "accept ranks without a key: anyone who reaches the port can join and read");
  app.add_option("--launcher", launcher.engine,
                 "starts the ranks of rdma and collectives; local: on this host")
      ->check(CLI::IsMember({"local", "mpirun", "srun"}))
      ->capture_default_str()
      ->excludes(hosts);
  app.add_option("--ranks", launcher.ranks,
                 "number of ranks (default: the tasks of the Slurm allocation; local: the module's)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_option("--launcher-args", launcher.words,
                 "more arguments, e.g. --launcher-args=\"--mpi=pmix\"; may be repeated")
      ->join()
      ->type_name("WORDS");
}

void add_patience(CLI::App& app, suite::RunOptions& options) {
  app.add_option("--silence", options.slack_s,
                 "seconds beyond five budgets after which a silent point is a timeout")
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--programs", options.programs_folder, "folder with the modules' programs")->group("");
}

}  // namespace assay::cli
