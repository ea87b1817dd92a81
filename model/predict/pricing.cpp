// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which times of a step are measured and which are the system's tables'.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/predict/prediction.hpp"

namespace assay::model {
namespace {

std::vector<Collective> tensor_operations(TensorParComm kind) {
  if (kind == TensorParComm::ar) return {Collective::all_reduce};
  std::vector<Collective> found = {Collective::reduce_scatter, Collective::all_gather};
  if (kind == TensorParComm::p2p_rs_ag) found.push_back(Collective::all_reduce);
  return found;
}

std::vector<Collective> data_operations(const Execution& e) {
  if (!e.training) return {};
  if (e.optimizer_sharding) return {Collective::reduce_scatter, Collective::all_gather};
  return {Collective::all_reduce};
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

/// Says of one dimension which of its operations no coefficients price.
class Dimension {
 public:
  Dimension(const System& system, std::vector<std::string>& lines) : system_(system), lines_(lines) {}

  void look(const char* name, std::int64_t members, std::size_t tier,
            const std::vector<Collective>& operations) const {
    if (members == 1) return;
    std::vector<std::string_view> missing;
    for (const Collective operation : operations)
      if (system_.networks[tier].curve(operation, static_cast<double>(members)) == nullptr)
        missing.push_back(collective_names[static_cast<std::size_t>(operation)]);
    if (!missing.empty())
      lines_.push_back(fmt::format("{} parallel, {} among {}: the latency and bandwidth of network {}", name,
                                   fmt::join(missing, ", "), members, tier));
  }

 private:
  const System& system_;
  std::vector<std::string>& lines_;
};

}  // namespace

std::vector<std::string> pricing(const Configuration& configuration) {
  if (configuration.model == Model::calculon) return {};
  std::vector<std::string> lines = configuration.coefficients;
  const System& system = configuration.system;
  const Execution& e = configuration.execution;
  if (!system.matmul_s)
    lines.emplace_back("products: the system's table over FLOPs, which knows no shapes");
  else
    lines.emplace_back(system.vectors.empty()
                           ? "attention's products and vector operations: the system's tables"
                           : "attention's products: the system's table");
  if (!system.vectors.empty()) add_vectors(e, system, lines);
  const Dimension dimension(system, lines);
  dimension.look("tensor", e.tensor_par, e.tensor_par_net, tensor_operations(e.tensor_par_comm));
  const std::int64_t ends_of_a_message = e.pipeline_par > 1 ? 2 : 1;
  dimension.look("pipeline", ends_of_a_message, e.pipeline_par_net, {Collective::p2p});
  dimension.look("data", e.data_par, e.data_par_net, data_operations(e));
  dimension.look("expert", e.expert_par, e.expert_par_net, {Collective::all_to_all});
  return lines;
}

}  // namespace assay::model
