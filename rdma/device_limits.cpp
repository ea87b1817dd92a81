// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/device_limits.hpp"

#include <fmt/format.h>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"

namespace assay::rdma {

void refuse_beyond_limits(const Settings& settings) {
  const Device device(settings.device);
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

}  // namespace assay::rdma
