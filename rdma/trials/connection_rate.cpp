// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How fast connections are made: queue pairs of rank 0 and its peer are created, taken from RESET to RTS and
// connected with their counterparts, whose addresses the team exchanges. Destroying them is timed apart.
#include <fmt/format.h>

#include <chrono>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/team/agree.hpp"
#include "rdma/pair_declarations.hpp"
#include "rdma/traffic/content.hpp"
#include "rdma/traffic/patience.hpp"
#include "rdma/traffic/wiring/lane_addresses.hpp"
#include "rdma/verbs/check.hpp"
#include "rdma/verbs_case.hpp"

namespace assay::rdma {
namespace {

using Clock = std::chrono::steady_clock;

class ConnectionRate : public OnVerbs<DeclaredConnectionRate> {
 public:
  ConnectionRate(const VerbsPoint& at, TeamSite& site) : ConnectionRate(site, SeatedPair(at, site)) {}

 private:
  ConnectionRate(TeamSite& site, const SeatedPair& pair)
      : settings_(pair.seats.own),
        team_(site.team),
        ends_(pair.ends),
        takes_part_(team_.rank() == ends_.first || team_.rank() == ends_.second) {
    const auto machines = team::agree(team_, [&] {
      device_.emplace(settings_.device);
      return this_machine();
    });
    team::agree(team_, [&] {
      bound_.emplace(settings_.placement.cpu, *device_, machines, team_.rank());
      open();
      return std::string();
    });
  }

 public:
  core::Timing enqueue(std::int64_t iterations) {
    core::Timing timing;
    for (std::int64_t i = 0; i < iterations; ++i) {
      destroy();
      team_.barrier(team::reply_limit_s);
      timing.each_s.push_back(connect_all());
    }
    timing.seconds = std::accumulate(timing.each_s.begin(), timing.each_s.end(), 0.0);
    return timing;
  }

  void sampling_begins() { destroyed_ = destroy_s_ = 0; }

  /// A message over each connection of the last round.
  core::Verification check() {
    using enum core::Verification::Result;
    if (!connected_) return {not_checked, "nothing was connected", {}};
    std::string wrong_content;
    team::agree(team_, [&] {
      prepare_proof();
      return std::string();
    });
    team::agree(team_, [&] {
      if (team_.rank() == ends_.first) send_proof();
      if (takes_part_) await_proof();
      return std::string();
    });
    if (team_.rank() != ends_.second) return {};
    for (std::size_t pair = 0; pair < pairs_.size() && wrong_content.empty(); ++pair)
      wrong_content = difference(*memory_, pair * proof_bytes, proof_bytes, pair);
    if (!wrong_content.empty()) return {wrong, "a message over a new connection: " + wrong_content, {}};
    return {right, fmt::format("a message over each of the last {} connections", pairs_.size()), {}};
  }

  std::vector<core::Metric> metrics(const core::Measurement&) const {
    if (destroyed_ == 0 || destroy_s_ <= 0) return {};
    return {{"destroy_rate_per_s", "1/s", destroyed_ / destroy_s_}};
  }

  std::vector<core::Fact> facts() const {
    return {{"device", fmt::format("{}:{}", device_->name(), device_->port())},
            {"gid", fmt::format("{} ({}, index {})", gid_.text(), gid_.type, gid_.index)},
            {core::names::ranks, std::int64_t{team_.size()}},
            {core::names::host, team_.host_of(team_.rank())}};
  }
  std::vector<core::FlowReport> flows() const { return {{.from = ends_.first, .to = ends_.second}}; }

 private:
  void open() {
    gid_ = device_->gid(settings_.path.gid_index);
    domain_.reset(made_by_verbs(ibv_alloc_pd(device_->context()), "allocate a protection domain"));
    const auto count = static_cast<std::size_t>(settings_.posting.qps);
    memory_ = make_memory(settings_.placement.memory, count * proof_bytes, settings_.placement.numa_node,
                          settings_.placement.gpu);
    region_ = memory_->register_with(domain_.get());
    completions_ =
        std::make_unique<CompletionQueue>(*device_, settings_.posting.qps, settings_.posting.completion);
  }

  void destroy() {
    const auto start = Clock::now();
    const auto count = static_cast<double>(pairs_.size());
    pairs_.clear();
    destroy_s_ += core::seconds_since(start);
    destroyed_ += count;
  }

  /// Until every rank knows that all queue pairs are in RTS.
  double connect_all() {
    const auto start = Clock::now();
    const std::vector<std::string> addresses = team::agree(team_, [&] {
      if (takes_part_) make_pairs();
      return own_addresses();
    });
    team::agree(team_, [&] {
      if (takes_part_)
        connect(lane_addresses_from(
            addresses[static_cast<std::size_t>(team_.rank() == ends_.first ? ends_.second : ends_.first)]));
      return std::string();
    });
    connected_ = true;
    return core::seconds_since(start);
  }

  void make_pairs() {
    const QueueDepths depths{.send = settings_.posting.tx_depth, .receive = 1, .inline_bytes = 0};
    for (int i = 0; i < settings_.posting.qps; ++i)
      pairs_
          .emplace_back(*device_, domain_.get(), *completions_, *completions_, settings_.message.transport,
                        depths)
          .initialize(*device_);
  }

  std::string own_addresses() const {
    LaneAddresses own{
        .gid = gid_.raw, .lid = device_->port_attributes().lid, .mtu_bytes = device_->active_mtu_bytes()};
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair)
      own.lanes.push_back(
          {.flow = 0, .index = pair, .number = pairs_[pair].number(), .first_packet = first_packet});
    return to_text(own);
  }

  void connect(const LaneAddresses& peer) {
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      const LaneAddress& far = peer.of(0, pair);
      pairs_[pair].connect(*device_, gid_, first_packet,
                           {far.number, far.first_packet, peer.lid, peer.gid, peer.mtu_bytes}, settings_.path,
                           settings_.retry);
    }
  }

  ibv_sge piece(std::size_t pair) const {
    return {reinterpret_cast<std::uint64_t>(memory_->address() + pair * proof_bytes), proof_bytes,
            region_->lkey};
  }

  /// The target spoils its memory and posts its receives before anything is sent.
  void prepare_proof() {
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      fill(*memory_, pair * proof_bytes, proof_bytes, pair, team_.rank() == ends_.second);
      if (team_.rank() != ends_.second) continue;
      ibv_sge into = piece(pair);
      ibv_recv_wr request{.wr_id = pair, .next = nullptr, .sg_list = &into, .num_sge = 1};
      ibv_recv_wr* refused = nullptr;
      check_verbs(ibv_post_recv(pairs_[pair].get(), &request, &refused), "post a receive");
    }
  }

  void send_proof() {
    for (std::size_t pair = 0; pair < pairs_.size(); ++pair) {
      ibv_sge from = piece(pair);
      ibv_send_wr request{};
      request.wr_id = pair;
      request.sg_list = &from;
      request.num_sge = 1;
      request.opcode = IBV_WR_SEND;
      request.send_flags = IBV_SEND_SIGNALED;
      ibv_send_wr* refused = nullptr;
      check_verbs(ibv_post_send(pairs_[pair].get(), &request, &refused), "post a work request");
    }
  }

  void await_proof() {
    Patience patience;
    patience.begin();
    for (std::size_t missing = pairs_.size(); missing > 0;) {
      const auto completed = completions_->poll();
      for (const ibv_wc& completion : completed)
        if (completion.status != IBV_WC_SUCCESS) throw_completion(completion, "send over a new connection");
      missing -= std::min(missing, completed.size());
      if (!completed.empty()) patience.progressed();
      if (completed.empty() && patience.ended(false))
        throw core::Error(core::ErrorKind::verbs,
                          fmt::format("{} of {} messages over new connections did not arrive within {} s",
                                      missing, pairs_.size(), stall_limit_s));
    }
  }

  static constexpr std::uint32_t first_packet = 1;

  rdma::Settings settings_;
  team::Team& team_;
  Pair ends_;
  bool takes_part_;
  bool connected_ = false;
  std::optional<Device> device_;
  std::optional<BoundCpu> bound_;
  Gid gid_;
  ProtectionDomainHandle domain_;
  std::unique_ptr<Memory> memory_;
  MemoryRegionHandle region_;
  std::unique_ptr<CompletionQueue> completions_;
  std::deque<QueuePair> pairs_;
  double destroyed_ = 0, destroy_s_ = 0;
};

}  // namespace

std::vector<core::Case> connection_rate_cases(const Surroundings& around) {
  return {core::case_of<ConnectionRate>(around)};
}

}  // namespace assay::rdma
