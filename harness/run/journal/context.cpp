// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/journal/context.hpp"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

#include "harness/core/calendar.hpp"
#include "harness/core/error.hpp"
#include "harness/core/version.hpp"
#include "harness/machine/describe/describe.hpp"
#include "harness/run/journal/origin.hpp"
#include "harness/run/journal/recorded_variables.hpp"
#include "results/record/secrets.hpp"

namespace assay::run {

nlohmann::ordered_json telling_environment(const char* const* environment) {
  const std::span<const std::string_view> recorded = recorded_variables();
  std::map<std::string, std::string> sorted;
  for (const char* const* entry = environment; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos &&
        std::ranges::find(recorded, text.substr(0, equals)) != recorded.end())
      sorted.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  nlohmann::ordered_json telling = nlohmann::ordered_json::object();
  for (const auto& [name, value] : sorted) telling[name] = value;
  return telling;
}

results::ContextRecord context_of(const std::string& module, const machine::Machine& machine,
                                  const plan::Plan& plan, const std::vector<std::string>& command_line) {
  if (machine.host.empty())
    throw core::Error(core::ErrorKind::system,
                      "/proc/sys/kernel/hostname cannot be read: records without a host would be of no use");
  results::ContextRecord context;
  context.module = module;
  context.started = core::iso_time_now();
  context.host = machine.host;
  context.origin = origin_of_numbers();
  context.assay_version = core::version();
  context.source_revision = core::source_revision();
  context.command_line = command_line;
  context.plan_name = plan.name;
  context.plan = {{"name", plan.name}, {"about", plan.about}, {"toml", plan.source}};
  context.environment = telling_environment(environ);
  context.machine = machine::to_json(machine);
  results::take_out_secrets(context);
  return context;
}

}  // namespace assay::run
