// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/core/standard_output.hpp"
#include "harness/run/module_main.hpp"
#include "offload/checkpoint/checkpoint_cases.hpp"
#include "offload/checkpoint/device_checkpoint_cases.hpp"
#include "offload/copy/copy_cases.hpp"
#include "offload/interference/device_interference_cases.hpp"
#include "offload/interference/interference_cases.hpp"
#include "offload/interval_command.hpp"
#include "offload/pipeline/device_pipeline_cases.hpp"
#include "offload/pipeline/pipeline_cases.hpp"
#include "offload/settings.hpp"

int main(int argc, char** argv) {
  using namespace assay;
  // Streams that share one of the default eight queues to the GPU wait for each other.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  if (argc > 1 && std::string_view(argv[1]) == "interval")
    return core::exit_code_once_written("assay-offload", offload::interval_command(argc - 1, argv + 1));
  offload::ModuleSettings settings;
  return run::module_main(
      argc, argv,
      {.name = "offload",
       .measures = "the host path of a GPU's second memory tier, and checkpoints",
       .cases =
           [&](const machine::Machine& machine) {
             std::vector<core::Case> cases = offload::checkpoint_cases(settings);
             cases.push_back(offload::pipeline_case(machine));
             cases.push_back(offload::interference_case(machine));
             std::ranges::move(offload::device_checkpoint_cases(settings, machine),
                               std::back_inserter(cases));
             std::ranges::move(offload::copy_cases(machine), std::back_inserter(cases));
             std::ranges::move(offload::device_pipeline_cases(machine), std::back_inserter(cases));
             std::ranges::move(offload::device_interference_cases(machine), std::back_inserter(cases));
             return cases;
           },
       .options = [&](CLI::App& app) { offload::add_module_options(app, settings); }});
}
