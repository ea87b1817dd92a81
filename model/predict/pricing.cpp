// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which times of a step are measured and which are the system's tables'.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/predict/asked_operations.hpp"
#include "model/predict/prediction.hpp"

namespace assay::model {
namespace {

/// Which of its operations no coefficients price; empty where all are.
std::string unpriced(const System& system, const AskedOperations& asked) {
  std::vector<std::string_view> missing;
  for (const Collective operation : asked.operations)
    if (system.networks[asked.tier].curve(operation, static_cast<double>(asked.members)) == nullptr)
      missing.push_back(collective_names[static_cast<std::size_t>(operation)]);
  if (missing.empty()) return {};
  return fmt::format("{} parallel, {} among {}: the latency and bandwidth of network {}", asked.dimension,
                     fmt::join(missing, ", "), asked.members, asked.tier);
}

}  // namespace

std::vector<std::string> pricing(const Configuration& configuration) {
  if (configuration.model == Model::calculon) return {};
  std::vector<std::string> lines = configuration.coefficients;
  const System& system = configuration.system;
  lines.emplace_back(system.matmul_s ? "attention's products and vector operations: the system's tables"
                                     : "products: the system's table over FLOPs, which knows no shapes");
  for (const AskedOperations& asked : asked_operations(configuration.execution))
    if (std::string line = unpriced(system, asked); !line.empty()) lines.push_back(std::move(line));
  return lines;
}

}  // namespace assay::model
