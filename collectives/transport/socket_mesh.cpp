// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport/socket_mesh.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectives/transport/socket_links.hpp"
#include "collectives/transport/socket_peer.hpp"
#include "harness/core/error.hpp"
#include "harness/team/agree.hpp"
#include "harness/team/wire/deadline.hpp"

namespace assay::collectives {
namespace {

constexpr double look_at_order_s = 0.1;  // whether the point is given up
// Few ranks all meet when the mesh is made, so that the end of one is noticed by every other. In a larger
// mesh two connect when they first exchange messages: most operations need few of n * (n - 1) / 2
// connections.
constexpr int most_ranks_met_at_once = 32;

class SocketMesh final : public Transport {
 public:
  SocketMesh(team::Team& team, double limit_s, const std::atomic<bool>& given_up, Waiting waiting)
      : rank_(team.rank()),
        links_(team, limit_s),
        peers_(static_cast<std::size_t>(team.size())),
        limit_s_(limit_s),
        given_up_(given_up),
        waiting_(waiting) {
    if (size() > most_ranks_met_at_once) return;
    team::agree(team, [this] {
      meet_all();
      return std::string();
    });
    links_.close();
  }

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(peers_.size()); }
  void send(int to, std::span<const std::byte> bytes) override {
    begin_with(to);
    peer(to).send(bytes);
  }
  void receive(int from, std::span<std::byte> bytes) override {
    begin_with(from);
    peer(from).receive(bytes);
  }

  void wait() override {
    try {
      const team::Deadline deadline(links_.all_made() ? limit_s_ : links_.limit_s());
      while (!busy_.empty())
        if (!progress()) pause(deadline);
    } catch (const core::Error&) {
      // Others may wait for this rank, and not for the one that failed it: they learn it at once.
      for (SocketPeer& one : peers_) one.close();
      links_.close();
      throw;
    }
  }

 private:
  void meet_all() {
    for (int rank = 0; rank < size(); ++rank) links_.want(rank);
    const team::Deadline deadline(links_.limit_s());
    while (!links_.all_made()) {
      take_made_links();
      if (deadline.passed())
        throw core::Error(core::ErrorKind::team, fmt::format("rank {} did not connect within {} s",
                                                             links_.first_missing(), links_.limit_s()));
      if (!links_.all_made()) ready_in_time(deadline);
    }
  }
  bool take_made_links() {
    std::vector<SocketLinks::Made> made = links_.look();
    for (SocketLinks::Made& one : made) peer(one.rank).connect(one.rank, std::move(one.socket));
    return !made.empty();
  }
  SocketPeer& peer(int rank) { return peers_[static_cast<std::size_t>(rank)]; }
  /// A message to or from this rank follows.
  void begin_with(int rank) {
    links_.want(rank);
    if (peer(rank).done()) busy_.push_back(rank);
  }
  bool progress() {
    bool moved = !links_.all_made() && take_made_links();
    std::erase_if(busy_, [&](int rank) {
      SocketPeer& one = peer(rank);
      if (one.was_connected()) moved |= one.progress();
      return one.done();
    });
    return moved;
  }
  void pause(const team::Deadline& deadline) {
    if (waiting_ == Waiting::sleeping ? ready_in_time(deadline) : ++idle_turns_ % turns_between_looks != 0)
      return;
    const int late = first_late();
    if (given_up_)
      throw core::Error(core::ErrorKind::team,
                        fmt::format("given up while rank {} kept rank {} waiting", late, rank_));
    if (deadline.passed())
      throw core::Error(core::ErrorKind::team,
                        fmt::format("rank {} kept rank {} waiting for {} s", late, rank_, limit_s_));
  }
  bool ready_in_time(const team::Deadline& deadline) {
    awaited_.clear();
    for (const int rank : busy_)
      if (const SocketPeer& one = peer(rank); one.was_connected())
        awaited_.push_back({one.descriptor(), one.awaited_events(), 0});
    int slice_ms = static_cast<int>(std::ceil(std::min(look_at_order_s, deadline.remaining_s()) * 1e3));
    if (!links_.all_made()) {
      links_.add_to(awaited_);
      slice_ms = links_.wait_ms(slice_ms);
    }
    return poll(awaited_.data(), awaited_.size(), slice_ms) != 0;
  }
  int first_late() const { return std::ranges::min(busy_); }

  int rank_;
  SocketLinks links_;
  std::vector<SocketPeer> peers_;
  std::vector<int> busy_;  // ranks with messages that are not moved yet
  double limit_s_;
  const std::atomic<bool>& given_up_;
  Waiting waiting_;
  unsigned idle_turns_ = 0;
  std::vector<pollfd> awaited_;
};

}  // namespace

std::unique_ptr<Transport> make_socket_mesh(team::Team& team, double limit_s,
                                            const std::atomic<bool>& given_up, Waiting waiting) {
  return std::make_unique<SocketMesh>(team, limit_s, given_up, waiting);
}

}  // namespace assay::collectives
