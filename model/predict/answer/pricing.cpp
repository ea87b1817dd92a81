// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The times of a step that are measured, and those that are the system's tables'.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/predict/answer/prediction.hpp"
#include "model/predict/measured/measured_law.hpp"
#include "model/predict/step/asked_operations.hpp"

namespace assay::model {
namespace {

/// Adds what prices the operations without a measured time among these members: a law, or the tier.
void add_unmeasured(const System& system, const AskedOperations& asked, std::vector<std::string>& lines) {
  const Network& network = system.networks[asked.tier];
  std::vector<std::string_view> missing;
  for (const Collective operation : asked.operations) {
    if (network.curve(operation, static_cast<double>(asked.members)) != nullptr) continue;
    const std::string_view called = collective_names[static_cast<std::size_t>(operation)];
    const CollectiveLaw* const law = network.law(operation);
    if (law != nullptr && law->source)
      lines.push_back(fmt::format("{} parallel, {} among {}: {}", asked.dimension, called, asked.members,
                                  law->source->text()));
    else
      missing.push_back(called);
  }
  if (!missing.empty())
    lines.push_back(fmt::format("{} parallel, {} among {}: the latency and bandwidth of network {}",
                                asked.dimension, fmt::join(missing, ", "), asked.members, asked.tier));
}

/// Kernels, joined, for which `wanted(kernel)` holds.
template <class Wanted>
std::string kernels(Wanted wanted) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < core::vector_kernel_names.size(); ++i)
    if (wanted(static_cast<VectorKernel>(i))) names.push_back(core::vector_kernel_names[i]);
  return fmt::format("{}", fmt::join(names, ", "));
}

void add_vectors(const Execution& e, const System& system, std::vector<std::string>& lines) {
  const auto has = [&](VectorKernel kernel, VectorPass pass) {
    return system.vector_curve({.kernel = kernel, .width = bytes_of(e.datatype)}, pass) != nullptr;
  };
  const std::string missing = kernels([&](VectorKernel kernel) {
    return !has(kernel, VectorPass::forward) && (e.training || kernel != VectorKernel::adam);
  });
  lines.push_back(fmt::format("{}{}other vector operations: the system's table", missing,
                              missing.empty() ? "" : " and "));
  const std::string scaled = kernels([&](VectorKernel kernel) {
    return kernel != VectorKernel::adam && has(kernel, VectorPass::forward) &&
           !has(kernel, VectorPass::backward);
  });
  if (e.training && !scaled.empty())
    lines.push_back(fmt::format("backward {}: the forward time, scaled by bytes", scaled));
}

void add_products(const Configuration& configuration, std::vector<std::string>& lines) {
  const System& system = configuration.system;
  if (!system.matmul_s) lines.emplace_back("products: the system's table over FLOPs, which knows no shapes");
  std::vector<std::string_view> of_tables;
  if (system.matmul_s && (!system.attention_s || configuration.execution.fused_attention))
    of_tables.emplace_back("attention's products");
  if (system.matmul_s && configuration.application.vocabulary > 0 &&
      configuration.execution.product_type() != configuration.execution.datatype)
    of_tables.emplace_back("the head's products");
  if (system.matmul_s && system.vectors.empty()) of_tables.emplace_back("vector operations");
  if (!of_tables.empty())
    lines.push_back(fmt::format("{}: the system's tables", fmt::join(of_tables, " and ")));
}

}  // namespace

std::vector<std::string> pricing(const Configuration& configuration) {
  if (configuration.model == Model::calculon) return {};
  std::vector<std::string> lines = configuration.coefficients;
  const System& system = configuration.system;
  add_products(configuration, lines);
  if (!system.vectors.empty()) add_vectors(configuration.execution, system, lines);
  for (const AskedOperations& asked : asked_operations(configuration.execution))
    add_unmeasured(system, asked, lines);
  return lines;
}

}  // namespace assay::model
