// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "model/fabric/file/rank_order.hpp"
#include "model/fabric/simulate/simulation.hpp"

namespace assay::model::fabric {

namespace {

std::vector<NodeId> places_of(const FabricModel& model, const WorkloadFile& workload) {
  const std::uint32_t gpus = model.topology().hosts();
  std::vector<NodeId> linear = linear_order(workload.ranks, gpus, workload.file + ": ranks");
  if (workload.order_file.empty()) return linear;
  return read_order(workload.order_file, workload.ranks, gpus, model.file().server.gpus);
}

}  // namespace

Scenario::Scenario(FabricFile fabric, WorkloadFile workload)
    : model_(std::move(fabric)), workload_(std::move(workload)), host_of_rank_(places_of(model_, workload_)) {
  std::vector<char> placed(workload_.streams.size());
  while (stream_order_.size() < placed.size())  // the reader has refused circles
    for (std::size_t at = 0; at < placed.size(); ++at) {
      const auto is_placed = [&](std::size_t before) { return placed[before] != 0; };
      if (placed[at] != 0 || !std::ranges::all_of(workload_.streams[at].after, is_placed)) continue;
      placed[at] = 1;
      stream_order_.push_back(at);
    }
}

bool Scenario::overlaps() const {
  for (std::size_t at = 1; at < stream_order_.size(); ++at) {
    const std::vector<std::size_t>& after = workload_.streams[stream_order_[at]].after;
    if (std::ranges::find(after, stream_order_[at - 1]) == after.end()) return true;
  }
  return false;
}

double OperationTimes::algorithm_bandwidth(double time_us) const {
  return static_cast<double>(operation->bytes) / time_us;
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
