// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/run/context.hpp"

#include <unistd.h>

#include <array>
#include <map>
#include <string_view>

#include "harness/core/calendar.hpp"
#include "harness/core/version.hpp"
#include "harness/machine/describe.hpp"
#include "harness/run/origin.hpp"

namespace assay::run {

nlohmann::ordered_json telling_environment(const char* const* environment) {
  constexpr std::array<std::string_view, 15> prefixes{
      "ASSAY_", "CUDA_", "CUBLAS", "NVIDIA_",   "NCCL_", "UCX_",         "OMPI_",          "OMP_",
      "GOMP_",  "DNNL_", "ONEDNN", "OPENBLAS_", "MKL_",  "SLURM_JOB_ID", "LD_LIBRARY_PATH"};
  std::map<std::string, std::string> sorted;
  for (const char* const* entry = environment; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    for (const std::string_view prefix : prefixes)
      if (text.starts_with(prefix)) sorted.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  nlohmann::ordered_json telling = nlohmann::ordered_json::object();
  for (const auto& [name, value] : sorted) telling[name] = value;
  return telling;
}

results::ContextRecord context_of(const std::string& module, const machine::Machine& machine,
                                  const plan::Plan& plan, const std::vector<std::string>& command_line) {
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
  return context;
}

}  // namespace assay::run
