// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/campaign_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "harness/front/cli/file_name.hpp"
#include "harness/plan/plan.hpp"

namespace assay::cli {

void add_selection(CLI::App& app, suite::CampaignOptions& options, const std::string& default_plan) {
  app.add_option("--plan", options.plan,
                 fmt::format("a TOML file, or one of: {} (default: {}; with --resume: the plan of that run)",
                             fmt::join(plan::built_in_plans(), " "), default_plan))
      ->check(file_name())
      ->type_name("FILE|NAME");
  app.add_option("--modules", options.modules,
                 "only these modules, e.g. gemm,memory (default: all that the plan names)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("NAMES");
  app.add_option("--filter", options.filters,
                 "only cases, or case/point, that match this glob, e.g. 'memory.*'; can be repeated")
      ->allow_extra_args(false)
      ->type_name("GLOB");
  app.add_option("--axis", options.axes, "other values for an axis, e.g. --axis threads=1,2; can be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUES");
}

void add_launcher_options(CLI::App& app, suite::LauncherFlags& launcher) {
  CLI::Option* hosts = app.add_option_function<std::string>(
      "--hosts", [](const std::string& names) { setenv("ASSAY_RDMA_HOSTS", names.c_str(), 1); },
      "hosts that run `assay-rdma serve`, to measure the fabric between them and this one, e.g. h1,h2:18541");
  hosts->type_name("HOST,...");
  app.add_option_function<std::string>(
         "--key-file", [](const std::string& file) { setenv("ASSAY_TEAM_KEY_FILE", file.c_str(), 1); },
         "the key that these hosts and ranks hold (docs/guide/clusters.md): a file of this user alone, mode "
         "0600")
      ->check(file_name())
      ->type_name("FILE");
  app.add_flag_callback(
      "--open", [] { setenv("ASSAY_TEAM_OPEN", "1", 1); },
      "let ranks take part without a key: whoever reaches their port can join and read along");
  app.add_option(
         "--launcher", launcher.engine,
         "what starts the ranks of rdma and collectives: the modules themselves on this host (local), or an "
         "engine of the cluster; other modules run here")
      ->check(CLI::IsMember({"local", "mpirun", "srun"}))
      ->capture_default_str()
      ->excludes(hosts);
  app.add_option("--ranks", launcher.ranks,
                 "how many ranks (default: the tasks of the Slurm allocation; local: as the module has it)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_option(
         "--launcher-args", launcher.words,
         "more arguments for the launcher, in quotes, e.g. --launcher-args=\"--mpi=pmix\"; can be repeated")
      ->join()
      ->type_name("WORDS");
}

void add_patience(CLI::App& app, suite::CampaignOptions& options) {
  app.add_option("--silence", options.slack_s,
                 "seconds beyond five times its budget after which a silent point is recorded as timeout")
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--programs", options.programs_folder, "folder with the modules' programs")->group("");
}

}  // namespace assay::cli
