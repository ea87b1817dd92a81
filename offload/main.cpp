// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <cstdlib>

#include "harness/run/module_main.hpp"
#include "offload/cases.hpp"

int main(int argc, char** argv) {
  using namespace assay;
  // Streams that share one of the default eight queues to the GPU wait for each other.
  setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
  offload::ModuleSettings settings;
  return run::module_main(argc, argv,
                          {.name = "offload",
                           .measures = "the host path of a GPU's second memory tier, and checkpoints",
                           .cases =
                               [&](const machine::Machine& machine) {
                                 return offload::cases({.module = &settings, .machine = machine});
                               },
                           .options =
                               [&](CLI::App& app) {
                                 app.add_option(
                                        "--checkpoint-dir", settings.checkpoint_folder,
                                        "folder that checkpoints are written to, and removed from again")
                                     ->envname("ASSAY_CHECKPOINT_DIR")
                                     ->type_name("DIR")
                                     ->capture_default_str();
                               }});
}
