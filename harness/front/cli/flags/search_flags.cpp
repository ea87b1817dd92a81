// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/cli/flags/search_flags.hpp"

#include "harness/front/cli/flags/file_name.hpp"

namespace assay::cli {

CLI::Validator counts() {
  return CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}).description("");  // no range in the help
}

CLI::Option* add_application(CLI::App& app, SearchFlags& flags) {
  return add_file(app, "application", flags.application.name, "the model", "APPLICATION")->required();
}

CLI::Option* add_system(CLI::App& app, SearchFlags& flags) {
  return add_file(app, "system,--system", flags.system.name,
                  "the machine: a system file, or one of assay fit all", "SYSTEM");
}

void add_settings(CLI::App& app, SearchFlags& flags) {
  app.add_option("--set", flags.settings, "replace a value of SYSTEM: networks[0].size=16, mem2.GiB=0, ...")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
}

void add_fused(CLI::App& app, SearchFlags& flags) {
  app.add_option("--fused", flags.fused, "fused activations")
      ->check(CLI::IsMember({"true", "false", "both"}))
      ->capture_default_str();
  app.add_option("--fused-attention", flags.fused_attention, "attention in one kernel")
      ->check(CLI::IsMember({"true", "false", "both"}))
      ->needs(app.get_option("--model"))
      ->capture_default_str();
}

CLI::Option* add_datatype(CLI::App& app, const std::string& name, SearchFlags& flags) {
  return app.add_option(name, flags.datatype, "of weights and activations: fp8, fp16, bf16 or fp32")
      ->type_name("DTYPE");
}

void add_threads(CLI::App& app, SearchFlags& flags) {
  app.add_option("--threads", flags.threads, "default: all")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
}

}  // namespace assay::cli
