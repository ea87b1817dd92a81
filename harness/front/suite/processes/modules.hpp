// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The modules, and where their programs are.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace assay::suite {

struct ModuleProgram {
  std::string name;  // "memory"
  std::filesystem::path program;
};

/// Every module the suite knows, built or not, in the order a run visits them.
const std::vector<std::string>& known_modules();

/// The option that names a workload file, and whether the module has it.
inline constexpr const char* workload_flag = "--workload";
bool takes_workload(const std::string& module);

/// Modules whose program is in `folder`.
std::vector<ModuleProgram> built_modules(const std::filesystem::path& folder);

/// The built modules that `names` lists; all for an empty list. Throws a usage Error for a name that is not a
/// module's.
std::vector<ModuleProgram> chosen_modules(const std::filesystem::path& folder,
                                          const std::vector<std::string>& names);

/// The folder this program was started from.
std::filesystem::path own_folder();

}  // namespace assay::suite
