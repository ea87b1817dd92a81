// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport/socket_mesh.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "collectives/transport/socket_peer.hpp"
#include "harness/core/error.hpp"
#include "harness/team/agree.hpp"
#include "harness/team/deadline.hpp"
#include "harness/team/hello.hpp"
#include "harness/team/tcp_socket.hpp"

namespace assay::collectives {
namespace {

constexpr double look_at_order_s = 0.1;  // whether the point is given up

/// What a rank says when it connects: the run's secret, so that no stranger joins, and who it is.
struct Preface {
  std::uint64_t secret = 0;
  std::uint64_t rank = 0;
};

class SocketMesh final : public Transport {
 public:
  SocketMesh(int rank, std::vector<SocketPeer> peers, double limit_s, const std::atomic<bool>& given_up)
      : rank_(rank), peers_(std::move(peers)), limit_s_(limit_s), given_up_(given_up) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(peers_.size()); }
  void send(int to, std::span<const std::byte> bytes) override { peer(to).send(bytes); }
  void receive(int from, std::span<std::byte> bytes) override { peer(from).receive(bytes); }

  void wait() override {
    try {
      const team::Deadline deadline(limit_s_);
      while (busy())
        if (!progress()) sleep_until_ready(deadline);
    } catch (const core::Error&) {
      // Others may wait for this rank, and not for the one that failed it: they are told at once.
      for (SocketPeer& one : peers_) one.close();
      throw;
    }
  }

 private:
  SocketPeer& peer(int rank) { return peers_[static_cast<std::size_t>(rank)]; }
  bool busy() const {
    for (const SocketPeer& one : peers_)
      if (!one.done()) return true;
    return false;
  }
  bool progress() {
    bool moved = false;
    for (SocketPeer& one : peers_)
      if (!one.done()) moved |= one.progress();
    return moved;
  }
  void sleep_until_ready(const team::Deadline& deadline) {
    waiting_.clear();
    for (const SocketPeer& one : peers_)
      if (!one.done()) waiting_.push_back({one.descriptor(), one.awaited_events(), 0});
    const double slice_s = std::min(look_at_order_s, deadline.remaining_s());
    if (poll(waiting_.data(), waiting_.size(), static_cast<int>(std::ceil(slice_s * 1e3))) != 0) return;
    const int late = first_late();
    if (given_up_)
      throw core::Error(core::ErrorKind::team,
                        fmt::format("given up while rank {} kept rank {} waiting", late, rank_));
    if (deadline.passed())
      throw core::Error(core::ErrorKind::team,
                        fmt::format("rank {} kept rank {} waiting for {} s", late, rank_, limit_s_));
  }
  int first_late() const {
    const auto late = std::ranges::find_if(peers_, [](const SocketPeer& one) { return !one.done(); });
    return static_cast<int>(late - peers_.begin());
  }

  int rank_;
  std::vector<SocketPeer> peers_;
  double limit_s_;
  const std::atomic<bool>& given_up_;
  std::vector<pollfd> waiting_;
};

/// Connections by rank, while they are being made.
class Meeting {
 public:
  Meeting(team::Team& team, double limit_s) : team_(team), limit_s_(limit_s), deadline_(limit_s) {
    peers_.resize(static_cast<std::size_t>(team.size()));
  }

  /// Calls the ranks below, takes the calls of those above.
  std::vector<SocketPeer> meet() {
    const core::Descriptor listening = team::listen_at("", 0);
    std::random_device random;
    secret_ =
        std::stoull(team_.broadcast(std::to_string((std::uint64_t{random()} << 32) | random()), limit_s_));
    const std::string own = host_ + " " + std::to_string(team::port_of(listening));
    const std::vector<std::string> places = team_.gather(own, limit_s_);
    team::agree(team_, [&] {
      for (int rank = 0; rank < team_.rank(); ++rank) call(rank, places[static_cast<std::size_t>(rank)]);
      for (int missing = team_.size() - 1 - team_.rank(); missing > 0;)
        missing -= take_one(listening) ? 1 : 0;
      return std::string();
    });
    return std::move(peers_);
  }

 private:
  void call(int rank, const std::string& place) {
    const std::string host = place.substr(0, place.find(' '));
    const int port = std::stoi(place.substr(place.find(' ') + 1));
    const team::Address address{host == host_ ? "127.0.0.1" : host, static_cast<std::uint16_t>(port)};
    core::Descriptor socket =
        team::connect_to(address, "", deadline_.remaining_s(), fmt::format(" (data of rank {})", rank));
    const Preface preface{secret_, static_cast<std::uint64_t>(team_.rank())};
    if (::send(socket.get(), &preface, sizeof preface, MSG_NOSIGNAL) != sizeof preface)
      throw core::Error(core::ErrorKind::team, fmt::format("rank {} closed its connection", rank));
    peers_[static_cast<std::size_t>(rank)] = SocketPeer(rank, std::move(socket));
  }

  /// True where a rank of this run called; strangers are let go.
  bool take_one(const core::Descriptor& listening) {
    await(listening, "connect");
    core::Descriptor socket = team::accept_from(listening);
    if (!socket) return false;
    await(socket, "introduce itself");
    Preface preface;
    const bool whole = recv(socket.get(), &preface, sizeof preface, MSG_WAITALL) == sizeof preface;
    if (!whole || preface.secret != secret_ || preface.rank >= peers_.size()) return false;
    peers_[preface.rank] = SocketPeer(static_cast<int>(preface.rank), std::move(socket));
    return true;
  }

  void await(const core::Descriptor& socket, const char* what) {
    pollfd waiting{socket.get(), POLLIN, 0};
    const int limit_ms = static_cast<int>(std::ceil(deadline_.remaining_s() * 1e3));
    if (poll(&waiting, 1, limit_ms) > 0) return;
    for (std::size_t rank = static_cast<std::size_t>(team_.rank()) + 1; rank < peers_.size(); ++rank)
      if (peers_[rank].descriptor() < 0)
        throw core::Error(core::ErrorKind::team,
                          fmt::format("rank {} did not {} within {} s", rank, what, limit_s_));
  }

  team::Team& team_;
  std::string host_ = team::hello_of_this_host().host;
  double limit_s_;
  team::Deadline deadline_;
  std::uint64_t secret_ = 0;
  std::vector<SocketPeer> peers_;
};

}  // namespace

std::unique_ptr<Transport> make_socket_mesh(team::Team& team, double limit_s,
                                            const std::atomic<bool>& given_up) {
  return std::make_unique<SocketMesh>(team.rank(), Meeting(team, limit_s).meet(), limit_s, given_up);
}

}  // namespace assay::collectives
