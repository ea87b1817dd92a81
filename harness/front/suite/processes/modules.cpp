// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/processes/modules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "harness/core/error.hpp"

namespace assay::suite {

const std::vector<std::string>& known_modules() {
  static const std::vector<std::string> modules{"memory", "gemm", "offload", "rdma", "collectives"};
  return modules;
}

bool takes_workload(const std::string& module) { return module == "collectives"; }

std::vector<ModuleProgram> built_modules(const std::filesystem::path& folder) {
  std::vector<ModuleProgram> built;
  for (const std::string& module : known_modules()) {
    const std::filesystem::path program = folder / ("assay-" + module);
    if (std::filesystem::exists(program)) built.push_back({module, program});
  }
  return built;
}

std::vector<ModuleProgram> chosen_modules(const std::filesystem::path& folder,
                                          const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (std::ranges::find(known_modules(), name) == known_modules().end())
      core::usage_error(fmt::format("--modules: '{}' is not a module (expected some of: {})", name,
                                    fmt::join(known_modules(), " ")));
  std::vector<ModuleProgram> chosen = built_modules(folder);
  if (!names.empty())
    std::erase_if(chosen, [&](const ModuleProgram& module) {
      return std::ranges::find(names, module.name) == names.end();
    });
  return chosen;
}

std::filesystem::path own_folder() { return std::filesystem::read_symlink("/proc/self/exe").parent_path(); }

}  // namespace assay::suite
