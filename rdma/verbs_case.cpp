// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/verbs_case.hpp"

#include <fmt/format.h>

#include <iterator>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"

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

std::optional<std::string> TeamSite::unavailable(const Surroundings& around) {
  if (around.machine->hcas.empty()) return "no RDMA device in /sys/class/infiniband";
  return std::nullopt;
}

core::Work VerbsCase::work(const VerbsPoint& at) {
  if (at.place.team == nullptr) refuse_beyond_limits(at);
  return {.bytes = static_cast<double>(at.traffic.message.bytes), .messages = 1};
}

std::optional<std::string> VerbsCase::impossible(const VerbsPoint& at) {
  const Message& message = at.traffic.message;
  if (std::string reason = illegal(message.operation, message.transport); !reason.empty()) return reason;
  if (at.traffic.connect == Connect::exchange) return std::nullopt;
  if (message.transport != Transport::rc)
    return "rdma_cm connects rc only: connect=exchange takes the others";
  return why_no_cm();
}

core::Work work_of(const VerbsPoint& at, const Schedule& schedule) {
  if (at.place.team == nullptr) refuse_beyond_limits(at);
  core::Work work{.bytes_counted = "payload, once, of all flows at the pace of the slowest"};
  for (const Round& round : schedule.rounds)
    for (const Flow& flow : round) {
      if (flow.probe) continue;
      work.bytes += static_cast<double>(flow.message.bytes);
      work.messages += 1;
    }
  return work;
}

core::Work work_of_pair(const VerbsPoint& at, Ways ways) {
  if (at.place.team == nullptr) refuse_beyond_limits(at);
  const double messages = ways == Ways::both ? 2 : 1;
  return {.bytes = messages * static_cast<double>(at.traffic.message.bytes),
          .messages = messages,
          .bytes_counted = "payload, once, of one pair of ranks at the pace of the slowest"};
}

std::vector<core::Axis> joined(std::vector<core::Axis> axes, std::vector<core::Axis> more) {
  axes.insert(axes.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return axes;
}

std::vector<core::Axis> with_connection(std::vector<core::Axis> axes) {
  return joined(std::move(axes), connection_axes());
}

std::vector<core::Axis> with_pair(std::vector<core::Axis> axes) {
  return with_connection(joined(std::move(axes), pair_axes()));
}

std::vector<core::Axis> with_round(std::vector<core::Axis> axes) {
  return with_connection(joined(std::move(axes), pairing_axes(1)));
}

}  // namespace assay::rdma
