// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/front/suite/processes/case_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "harness/core/error.hpp"
#include "harness/core/text/glob.hpp"
#include "harness/core/text/nearest_name.hpp"
#include "harness/front/suite/processes/child.hpp"

namespace assay::suite {

std::string cases_listed(const ModuleProgram& module, const std::string& format) {
  const Output output = run_and_read({module.program.string(), "--list=" + format});
  if (output.ending.signal != 0 || output.ending.exit_code != 0)
    throw core::Error(core::ErrorKind::system,
                      fmt::format("{} could not list its cases", module.program.string()));
  return output.text;
}

std::string filter_without_case(std::span<const std::string> filters,
                                std::span<const ModuleProgram> modules) {
  std::vector<std::string> names;
  for (const ModuleProgram& module : modules) {
    std::istringstream lines(cases_listed(module, "names"));
    for (std::string name; std::getline(lines, name);) names.push_back(name);
  }
  for (const std::string& filter : filters) {
    const std::string wanted = filter.substr(0, filter.find('/'));
    if (std::ranges::any_of(names, [&](const std::string& name) { return core::glob_matches(wanted, name); }))
      continue;
    const std::vector<std::string_view> views(names.begin(), names.end());
    return fmt::format("; --filter '{}' matches no case{}", filter, core::meant_instead_of(wanted, views));
  }
  return "";
}

}  // namespace assay::suite
