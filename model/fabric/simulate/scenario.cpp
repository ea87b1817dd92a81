// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "model/fabric/file/rank_order.hpp"
#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

namespace {

std::vector<NodeId> places_of_job(const FabricModel& model, const Job& job) {
  const std::uint32_t gpus = model.topology().hosts();
  if (job.order_file.empty()) return linear_order(job.ranks.count, gpus, job.where, job.first_gpu);
  return read_order(job.order_file, job.ranks.count, gpus, model.file().server.gpus);
}

std::vector<NodeId> places_of(const FabricModel& model, const WorkloadFile& workload) {
  constexpr std::size_t no_job = ~std::size_t{0};
  std::vector<std::size_t> job_of(model.topology().hosts(), no_job);
  std::vector<NodeId> places;
  for (std::size_t at = 0; at < workload.jobs.size(); ++at)
    for (const NodeId host : places_of_job(model, workload.jobs[at])) {
      if (job_of[host] != no_job)
        core::usage_error(
            fmt::format("{}: GPU {} has a rank of '{}' already: expected jobs on different GPUs",
                        workload.jobs[at].where, host, workload.jobs[job_of[host]].name));
      job_of[host] = at;
      places.push_back(host);
    }
  return places;
}

}  // namespace

Scenario::Scenario(FabricFile fabric, WorkloadFile workload)
    : Scenario(std::move(fabric), std::move(workload), {}) {}

Scenario::Scenario(FabricFile fabric, WorkloadFile workload, std::vector<NodeId> host_of_rank)
    : model_(std::move(fabric)), workload_(std::move(workload)), host_of_rank_(std::move(host_of_rank)) {
  if (host_of_rank_.empty()) host_of_rank_ = places_of(model_, workload_);
}

double OperationTimes::algorithm_bandwidth(double time_us) const {
  return operation->times * static_cast<double>(operation->bytes) / time_us;
}

double OperationTimes::bus_bandwidth(double time_us) const {
  const auto ranks = static_cast<double>(operation->groups.empty() ? 1 : operation->groups.front().size());
  const std::string& name = operation->collective;
  double factor = 1;
  if (name == "all_reduce") factor = 2 * (ranks - 1) / ranks;
  if (name == "all_gather" || name == "reduce_scatter" || name == "all_to_all") factor = (ranks - 1) / ranks;
  return factor * algorithm_bandwidth(time_us);
}

}  // namespace assay::model::fabric
