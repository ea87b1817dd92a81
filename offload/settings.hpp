// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the command line says of this module alone.
#pragma once

#include <filesystem>

namespace CLI {
class App;
}

namespace assay::offload {

struct ModuleSettings {
  std::filesystem::path checkpoint_folder = ".";
};
void add_module_options(CLI::App& app, ModuleSettings& settings);

}  // namespace assay::offload
