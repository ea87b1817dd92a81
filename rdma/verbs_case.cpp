// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs_case.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "rdma/verbs/cm_connections.hpp"
#include "rdma/verbs/memory.hpp"

namespace assay::rdma {

void refuse_beyond_limits(const VerbsPoint& at) {
  const Settings& settings = at.traffic;
  const Device device(seated_alone(*at.place.machine, settings).device);
  const std::int64_t longest = device.port_attributes().max_msg_sz;
  if (settings.message.bytes > longest)
    core::usage_error(fmt::format("bytes={}: {} takes messages of up to {}", settings.message.bytes,
                                  device.name(), core::format_bytes(longest)));
  if (settings.posting.qps > device.limits().max_qp)
    core::usage_error(fmt::format("qps={}: {} has {} queue pairs", settings.posting.qps, device.name(),
                                  device.limits().max_qp));
  if (settings.posting.tx_depth > device.limits().max_qp_wr)
    core::usage_error(fmt::format("tx_depth={}: a queue pair of {} holds {} work requests",
                                  settings.posting.tx_depth, device.name(), device.limits().max_qp_wr));
  static_cast<void>(device.gid(settings.path.gid_index));
}

std::optional<std::string> why_none_runs() { return std::nullopt; }

std::optional<std::string> TeamSite::unavailable(const Surroundings& around) {
  if (around.machine->hcas.empty()) return "no RDMA device in /sys/class/infiniband";
  return std::nullopt;
}

std::optional<std::string> component_lacked(const VerbsPoint& at) {
  if (at.traffic.connect == Connect::rdma_cm)
    if (auto component = cm_not_built()) return component;
  return on_gpu(at.traffic.placement) ? cuda_memory_not_built() : std::nullopt;
}

}  // namespace assay::rdma
