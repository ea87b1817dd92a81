// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "model/predict/step/asked_operations.hpp"

#include "model/predict/system/placement.hpp"

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
  if (e.optimizer_sharding && e.shards() < e.copies())
    return {Collective::reduce_scatter, Collective::all_gather, Collective::all_reduce};
  if (e.optimizer_sharding) return {Collective::reduce_scatter, Collective::all_gather};
  return {Collective::all_reduce};
}

std::vector<Collective> context_operations(ContextPar kind) {
  if (kind == ContextPar::ring) return {Collective::p2p};
  if (kind == ContextPar::ulysses) return {Collective::all_to_all};
  return {Collective::all_gather, Collective::reduce_scatter};
}

}  // namespace

std::vector<AskedOperations> asked_operations(const Execution& e) {
  const std::int64_t ends_of_a_message = e.pipeline_par > 1 ? 2 : 1;
  std::vector<AskedOperations> all{
      {"tensor", e.tensor_par, e.tensor_par_net, tensor_operations(e.tensor_par_comm)},
      {"pipeline", ends_of_a_message, e.pipeline_par_net, {Collective::p2p}},
      {"context", e.context_par, e.context_par_net, context_operations(e.context_par_type)},
      {"data", e.copies(), Placement(e).data().tier, data_operations(e)},
      {"expert", e.expert_par, e.expert_par_net, {Collective::all_to_all}}};
  std::erase_if(all, [](const AskedOperations& asked) { return asked.members == 1; });
  return all;
}

}  // namespace assay::model
