// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/wiring/lane_addresses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/core/text/json_from.hpp"
#include "harness/core/text/json_text.hpp"

namespace assay::rdma {
namespace {

using Json = nlohmann::json;

}  // namespace

const LaneAddress& LaneAddresses::of(std::size_t flow, std::size_t index) const {
  const auto place = [](const LaneAddress& lane) { return std::pair(lane.flow, lane.index); };
  const auto found = std::ranges::lower_bound(lanes, std::pair(flow, index), {}, place);
  if (found == lanes.end() || place(*found) != std::pair(flow, index))
    throw core::Error(core::ErrorKind::team,
                      fmt::format("the peer sent nothing about queue pair {} of flow {}", index, flow));
  return *found;
}

std::string to_text(const LaneAddresses& addresses) {
  Json lanes = Json::array();
  for (const LaneAddress& lane : addresses.lanes)
    lanes.push_back({lane.flow, lane.index, lane.number, lane.first_packet, lane.address});
  return core::json_text(
      Json{{"gid", std::vector<int>(addresses.gid.raw, addresses.gid.raw + sizeof addresses.gid.raw)},
           {"lid", addresses.lid},
           {"mtu", addresses.mtu_bytes},
           {"key", addresses.key},
           {"cm_port", addresses.cm_port},
           {"lanes", lanes}});
}

LaneAddresses lane_addresses_from(const std::string& text) try {
  const Json json = core::json_from<Json>(text);
  LaneAddresses addresses{.lid = json.at("lid"),
                          .mtu_bytes = json.at("mtu"),
                          .key = json.at("key"),
                          .cm_port = json.at("cm_port")};
  const auto gid = json.at("gid").get<std::array<std::uint8_t, sizeof addresses.gid.raw>>();
  std::ranges::copy(gid, addresses.gid.raw);
  for (const Json& lane : json.at("lanes"))
    addresses.lanes.push_back({lane.at(0), lane.at(1), lane.at(2), lane.at(3), lane.at(4)});
  return addresses;
} catch (const Json::exception& error) {
  throw core::Error(core::ErrorKind::team,
                    fmt::format("a peer's queue pair addresses make no sense: {}", error.what()));
}

void plant(Fault fault, bool initiates, Lane& lane, QueuePairAddress& peer) {
  if (!initiates) return;
  if (fault == Fault::wrong_key) lane.remote_key ^= 0x5a5a00U;
  if (fault == Fault::wrong_address) lane.remote_address += std::uint64_t{1} << 40U;
  // TEST-NET-1 (RFC 5737): an address that no host has.
  if (fault == Fault::wrong_gid)
    std::ranges::copy(std::vector<std::uint8_t>{192, 0, 2, 1}, peer.gid.raw + 12);
  if (fault == Fault::larger_mtu) peer.mtu_bytes = 4096;
}

}  // namespace assay::rdma
