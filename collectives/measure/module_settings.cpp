// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/measure/module_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/files/whole_file.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/training/step_file.hpp"

namespace assay::collectives {

void add_module_options(CLI::App& app, ModuleSettings& settings) {
  app.add_option("--ranks", settings.local_ranks,
                 "processes to start on this host where no launcher started any")
      ->check(CLI::Range(1, 1024))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--ranks-per-node", settings.ranks_per_node,
                 "treat each N ranks in turn as a node (default: the hosts they run on)")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  app.add_option("--traffic-matrix", settings.traffic_matrix,
                 "elements from each rank (a line) to each rank, for all_to_all_v")
      ->type_name("FILE");
  app.add_option(
         "--workload", settings.workload,
         "a training step (assay workload -o) of as many ranks as run, for collectives.workload.*file")
      ->type_name("FILE");
  app.add_option(
         "--hang-limit", settings.hang_limit_s,
         "seconds a first operation may take; later calls ten times what their like took before, at least "
         "a third of this. Beyond, the point is a timeout that names who is late")
      ->check(CLI::Range(0.1, 18.0))  // a team waits 20 s for a rank's answer
      ->type_name("S")
      ->capture_default_str();
  app.add_flag("--ranks-share-gpu", settings.ranks_share_gpu,
               "let NCCL run several ranks on one GPU, each as a node of its own over sockets: to check "
               "results, never a performance measurement");
  app.add_option("--interface", settings.interface, "interface or local address for control messages")
      ->type_name("NAME");
  app.add_option("--key-file", settings.key.file, team::key_file_help)->type_name("FILE");
  app.add_flag("--open", settings.key.open, team::open_help);
}

ModuleSettings module_settings_from(const std::vector<std::string>& arguments) {
  ModuleSettings settings;
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  add_module_options(app, settings);
  try {
    std::vector<std::string> last_first(arguments.rbegin(), arguments.rend());
    app.parse(std::move(last_first));
  } catch (const CLI::ParseError& error) {
    core::usage_error(error.what());
  }
  return settings;
}

std::shared_ptr<const CountsMatrix> matrix_of(const ModuleSettings& settings) {
  if (settings.traffic_matrix.empty()) return nullptr;
  return std::make_shared<const CountsMatrix>(
      read_counts_matrix(std::filesystem::path(settings.traffic_matrix)));
}

std::shared_ptr<const training::TrainingStep> step_of(const ModuleSettings& settings) {
  if (settings.workload.empty()) return nullptr;
  return std::make_shared<const training::TrainingStep>(training::read_step(settings.workload));
}

std::string step_digest(const ModuleSettings& settings) {
  if (settings.workload.empty()) return {};
  const training::TrainingStep step = training::read_step(settings.workload);
  std::string text = core::json_text(training::to_json(step));
  for (const training::StepStream& stream : step.streams)
    for (const training::StepOperation& one : stream.operations)
      if (one.matrix) text += fmt::format("{}", *one.matrix);
  return digest_of(text);
}

std::string matrix_digest(const ModuleSettings& settings) {
  if (settings.traffic_matrix.empty()) return {};
  return digest_of(core::read_whole_file(settings.traffic_matrix));
}

std::string digest_of(const std::string& text) {
  std::uint64_t digest = 0xcbf29ce484222325U;
  for (const char one : text) digest = (digest ^ static_cast<unsigned char>(one)) * 0x100000001b3U;
  return fmt::format("{:016x}", digest);
}

}  // namespace assay::collectives
