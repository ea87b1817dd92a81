// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/front/cli/command.hpp"
#include "harness/front/suite/processes/case_list.hpp"
#include "harness/front/suite/processes/modules.hpp"
#include "harness/plan/plan.hpp"

namespace assay::cli {
namespace {

struct ListFlags {
  std::string format = "text";
  bool plans = false;
};

int list_plans() {
  for (const std::string& name : plan::built_in_plans())
    std::cout << fmt::format("{:<8} {}\n", name, plan::read_plan(name).about);
  return 0;
}

int list_cases(const std::string& format) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const suite::ModuleProgram& module : suite::built_modules(suite::own_folder())) {
    const std::string text = suite::cases_listed(module, format);
    if (format != "json")
      std::cout << text;
    else
      for (auto& entry : core::json_from<nlohmann::ordered_json>(text)) all.push_back(std::move(entry));
  }
  if (format == "json") std::cout << core::json_text(all, 2) << "\n";
  return 0;
}

}  // namespace

Command list_command(CLI::App& parent) {
  const auto flags = std::make_shared<ListFlags>();
  CLI::App* app = parent.add_subcommand("list", "List every case, what it measures and its axes");
  app->add_option("--format", flags->format, "output format")
      ->check(CLI::IsMember({"text", "json", "names"}))
      ->capture_default_str();
  app->add_flag("--plans", flags->plans, "list the built-in plans instead");
  return {app, [flags] { return flags->plans ? list_plans() : list_cases(flags->format); }};
}

}  // namespace assay::cli
