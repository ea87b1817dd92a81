// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/declared_case.hpp"

#include <iterator>
#include <utility>

namespace assay::rdma {

core::Work DeclaredCase::work(const VerbsPoint& at) {
  return {.bytes = static_cast<double>(at.traffic.message.bytes), .messages = 1};
}

std::optional<std::string> DeclaredCase::impossible(const VerbsPoint& at) {
  const Message& message = at.traffic.message;
  if (std::string reason = illegal(message.operation, message.transport); !reason.empty()) return reason;
  if (at.traffic.connect == Connect::rdma_cm && message.transport != Transport::rc)
    return "rdma_cm connects rc only: connect=exchange takes the others";
  return std::nullopt;
}

core::Work work_of(const Schedule& schedule) {
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
