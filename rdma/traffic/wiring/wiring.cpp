// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/wiring/wiring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/core/error.hpp"
#include "harness/core/units.hpp"
#include "harness/team/agree.hpp"
#include "rdma/traffic/wiring/lane_addresses.hpp"
#include "rdma/verbs/check.hpp"

namespace assay::rdma {
namespace {

constexpr std::size_t cache_line_bytes = 64;

}  // namespace

std::size_t Wiring::stride_bytes(const Flow& flow) const {
  const std::int64_t header = flow.message.transport == Transport::ud ? ud_header_bytes : 0;
  return core::rounded_up(static_cast<std::size_t>(flow.message.bytes + header), cache_line_bytes);
}

int Wiring::receive_depth(const Flow& flow) const {
  constexpr int fewest = 64;
  return std::min(std::max(2 * flow.posting.tx_depth, fewest), device_->limits().max_qp_wr);
}

Wiring::Wiring(team::Team& team, const Settings& settings, std::vector<Flow> flows, Fault fault)
    : team_(team), settings_(settings), flows_(std::move(flows)), fault_(fault) {
  const std::vector<std::string> machines = team::agree(team_, [&] {
    device_.emplace(settings_.device);
    return this_machine();
  });
  const std::vector<std::string> addresses = team::agree(team_, [&] {
    bound_.emplace(settings_.placement.cpu, *device_, machines, team_.rank());
    open();
    make_lanes();
    return own_addresses();
  });
  team::agree(team_, [&] {
    connect(addresses);
    return std::string();
  });
}

Wiring::~Wiring() = default;

/// Memory and completion queue, as large as the flows that begin or end here need.
void Wiring::open() {
  gid_ = device_->gid(settings_.path.gid_index);
  if (settings_.connect == Connect::rdma_cm) cm_ = std::make_unique<CmConnections>(*device_, gid_);
  domain_.reset(made_by_verbs(ibv_alloc_pd(device_->context()), "allocate a protection domain"));
  std::size_t bytes = 0;
  std::int64_t completions = 0;
  for (const Flow& flow : flows_) {
    if (flow.from != team_.rank() && flow.to != team_.rank()) continue;
    bytes += static_cast<std::size_t>(flow.posting.qps) *
             static_cast<std::size_t>(settings_.placement.slots) * stride_bytes(flow);
    const int receives = consumes_receive(flow.message.operation) ? receive_depth(flow) : 0;
    completions += std::int64_t{flow.posting.qps} * (flow.posting.tx_depth + receives);
  }
  const int most = device_->limits().max_cqe;
  if (completions > most)
    core::usage_error(
        fmt::format("{} outstanding work requests are more than a completion queue of {} holds ({}): "
                    "lower qps or tx_depth",
                    completions, device_->name(), most));
  memory_ = make_memory(settings_.placement.memory, std::max<std::size_t>(bytes, cache_line_bytes),
                        settings_.placement.numa_node, settings_.placement.gpu);
  region_ = memory_->register_with(domain_.get());
  completions_ = std::make_unique<CompletionQueue>(*device_, std::max(static_cast<int>(completions), 1),
                                                   settings_.posting.completion);
}

void Wiring::make_lanes() {
  std::size_t offset = 0;
  for (std::size_t index = 0; index < flows_.size(); ++index) {
    const Flow& flow = flows_[index];
    if (flow.from != team_.rank() && flow.to != team_.rank()) continue;
    const QueueDepths depths{.send = flow.posting.tx_depth,
                             .receive = consumes_receive(flow.message.operation) ? receive_depth(flow) : 1,
                             .inline_bytes = flow.posting.inline_bytes};
    for (int qp = 0; qp < flow.posting.qps; ++qp) {
      Lane& lane = lanes_.emplace_back(
          index, static_cast<std::size_t>(qp),
          QueuePair(*device_, domain_.get(), *completions_, *completions_, flow.message.transport, depths));
      lane.offset = offset;
      lane.first_packet = static_cast<std::uint32_t>(seed(lane) * 2654435761U) & 0xffffffU;
      lane.qp.initialize(*device_);
      offset += static_cast<std::size_t>(settings_.placement.slots) * stride_bytes(flow);
    }
  }
}

std::string Wiring::own_addresses() const {
  LaneAddresses own{.gid = gid_.raw,
                    .lid = device_->port_attributes().lid,
                    .mtu_bytes = device_->active_mtu_bytes(),
                    .key = region_->rkey,
                    .cm_port = cm_ ? cm_->port() : std::uint16_t{0}};
  for (const Lane& lane : lanes_)
    own.lanes.push_back({lane.flow, lane.index, lane.qp.number(), lane.first_packet,
                         reinterpret_cast<std::uint64_t>(memory_->address() + lane.offset)});
  return to_text(own);
}

void Wiring::connect(const std::vector<std::string>& addresses) {
  std::vector<LaneAddresses> ranks;
  for (const std::string& text : addresses) ranks.push_back(lane_addresses_from(text));
  mtu_bytes_ = device_->active_mtu_bytes();
  for (const LaneAddresses& rank : ranks) mtu_bytes_ = std::min(mtu_bytes_, rank.mtu_bytes);
  for (Lane& lane : lanes_) {
    const Flow& flow = flows_[lane.flow];
    if (flow.message.transport == Transport::ud && flow.message.bytes > mtu_bytes_)
      throw core::Unsupported(core::ErrorKind::verbs,
                              fmt::format("a datagram of {} bytes does not fit the path MTU of {}",
                                          flow.message.bytes, mtu_bytes_));
    // A flow from a rank to itself needs both ends' lanes in one list: nothing here makes such flows.
    const LaneAddresses& peer = ranks[static_cast<std::size_t>(begins_here(flow) ? flow.to : flow.from)];
    const LaneAddress& far = peer.of(lane.flow, lane.index);
    QueuePairAddress address{far.number, far.first_packet, peer.lid, peer.gid, peer.mtu_bytes};
    lane.remote_number = far.number;
    peer_gid_ = peer.gid;
    lane.remote_address = far.address;
    lane.remote_key = peer.key;
    plant(fault_, begins_here(flow), lane, address);
    if (cm_) continue;
    const PathSettings path = path_of(lane);
    lane.qp.connect(*device_, gid_, lane.first_packet, address, path, settings_.retry);
    if (flow.message.transport != Transport::ud) continue;
    // At both ends: a ping-pong is answered.
    ibv_ah_attr attributes = address_attributes(*device_, gid_, address, path);
    lane.address.reset(made_by_verbs(ibv_create_ah(domain_.get(), &attributes), "create an address handle"));
  }
  if (cm_) connect_by_cm(ranks);
}

void Wiring::connect_by_cm(const std::vector<LaneAddresses>& ranks) {
  constexpr unsigned flow_bits = 32;
  std::vector<CmEnd> ends;
  for (Lane& lane : lanes_) {
    const Flow& flow = flows_[lane.flow];
    const LaneAddresses& peer = ranks[static_cast<std::size_t>(begins_here(flow) ? flow.to : flow.from)];
    const LaneAddress& far = peer.of(lane.flow, lane.index);
    ends.push_back({.name = (std::uint64_t{lane.flow} << flow_bits) + lane.index,
                    .queue_pair = &lane.qp,
                    .calls = begins_here(flow),
                    .peer = {far.number, far.first_packet, peer.lid, peer.gid, peer.mtu_bytes},
                    .peer_port = peer.cm_port,
                    .path = path_of(lane)});
  }
  cm_->connect(std::move(ends), settings_.retry);
}

PathSettings Wiring::path_of(const Lane& lane) const {
  constexpr std::uint32_t labels = (1U << 20U) - 1;  // 20 bits, of which 0 means none
  PathSettings path = settings_.path;
  if (path.flow_label != 0)
    path.flow_label = (path.flow_label - 1 + static_cast<std::uint32_t>(lane.index)) % labels + 1;
  return path;
}

std::string Wiring::after_event() const {
  const std::string event = device_->next_event();
  return event.empty() ? event
                       : fmt::format(", after {} port {}: {}", device_->name(), device_->port(), event);
}

}  // namespace assay::rdma
