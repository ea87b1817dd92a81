// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Which times of a step are measured and which are the system's tables'.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/predict/measured_law.hpp"
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

/// Says of one dimension which of its operations have no measured time among its members: what a law says of
/// them, or the tier.
class Dimension {
 public:
  Dimension(const System& system, std::vector<std::string>& lines) : system_(system), lines_(lines) {}

  void look(const char* name, std::int64_t members, std::size_t tier,
            const std::vector<Collective>& operations) const {
    if (members == 1) return;
    const Network& network = system_.networks[tier];
    std::vector<std::string_view> missing;
    for (const Collective operation : operations) {
      if (network.curve(operation, static_cast<double>(members)) != nullptr) continue;
      const std::string_view called = collective_names[static_cast<std::size_t>(operation)];
      const CollectiveLaw* const law = network.law(operation);
      if (law != nullptr && law->source)
        lines_.push_back(
            fmt::format("{} parallel, {} among {}: {}", name, called, members, law->source->text()));
      else
        missing.push_back(called);
    }
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
  lines.emplace_back(system.matmul_s ? "attention's products and vector operations: the system's tables"
                                     : "products: the system's table over FLOPs, which knows no shapes");
  const Dimension dimension(system, lines);
  dimension.look("tensor", e.tensor_par, e.tensor_par_net, tensor_operations(e.tensor_par_comm));
  const std::int64_t ends_of_a_message = e.pipeline_par > 1 ? 2 : 1;
  dimension.look("pipeline", ends_of_a_message, e.pipeline_par_net, {Collective::p2p});
  dimension.look("data", e.data_par, e.data_par_net, data_operations(e));
  dimension.look("expert", e.expert_par, e.expert_par_net, {Collective::all_to_all});
  return lines;
}

}  // namespace assay::model
