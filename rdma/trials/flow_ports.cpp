// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/trials/flow_ports.hpp"

#include <nlohmann/json.hpp>
#include <string>

#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"
#include "harness/path/udp_port.hpp"
#include "harness/team/agree.hpp"

namespace assay::rdma {
namespace {

using Json = nlohmann::json;

constexpr std::size_t most_queue_pairs = 8192;  // of a record

}  // namespace

std::vector<std::vector<core::QueuePairReport>> own_queue_pairs(const Wiring& wiring) {
  std::vector<std::vector<core::QueuePairReport>> pairs(wiring.flows().size());
  if (wiring.gid().type != "RoCE v2") return pairs;
  for (const Lane& lane : wiring.lanes()) {
    const Message& message = wiring.flows()[lane.flow].message;
    if (!wiring.begins_here(lane) || message.transport == Transport::ud) continue;
    const std::uint32_t here = lane.qp.number(), there = lane.remote_number;
    pairs[lane.flow].push_back({path::udp_source_port(wiring.path_of(lane).flow_label, here, there),
                                fetches(message.operation) ? here : there});
  }
  return pairs;
}

std::vector<std::vector<core::QueuePairReport>> gather_queue_pairs(const Wiring& wiring) {
  std::size_t lanes = 0;
  for (const Flow& flow : wiring.flows()) lanes += static_cast<std::size_t>(flow.posting.qps);
  std::vector<std::vector<core::QueuePairReport>> all(wiring.flows().size());
  if (lanes > most_queue_pairs) return all;
  const auto answers = team::agree(wiring.team(), [&] {
    Json own = Json::array();
    const auto pairs = own_queue_pairs(wiring);
    for (std::size_t flow = 0; flow < pairs.size(); ++flow)
      for (const core::QueuePairReport& one : pairs[flow])
        own.push_back({flow, one.source_port, one.destination_qpn});
    return core::json_text(own);
  });
  for (const std::string& answer : answers)
    for (const Json& one : core::json_from<Json>(answer))
      all[one.at(0).get<std::size_t>()].push_back({one.at(1), one.at(2)});
  return all;
}

}  // namespace assay::rdma
