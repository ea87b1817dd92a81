// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/settings.hpp"

#include <CLI/CLI.hpp>

namespace assay::offload {

void add_module_options(CLI::App& app, ModuleSettings& settings) {
  app.add_option("--checkpoint-dir", settings.checkpoint_folder,
                 "folder that checkpoints are written to, and removed from again")
      ->envname("ASSAY_CHECKPOINT_DIR")
      ->type_name("DIR")
      ->capture_default_str();
}

}  // namespace assay::offload
