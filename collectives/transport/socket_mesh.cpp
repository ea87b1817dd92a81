// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport/socket_mesh.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "collectives/transport/socket_peer.hpp"
#include "harness/core/error.hpp"
#include "harness/team/agree.hpp"
#include "harness/team/crowd.hpp"
#include "harness/team/deadline.hpp"
#include "harness/team/hello.hpp"
#include "harness/team/member_connections.hpp"
#include "harness/team/reception.hpp"
#include "harness/team/tcp_socket.hpp"

namespace assay::collectives {
namespace {

constexpr double look_at_order_s = 0.1;  // whether the point is given up
constexpr std::chrono::milliseconds hung_up_pause{20};

class SocketMesh final : public Transport {
 public:
  SocketMesh(int rank, std::vector<SocketPeer> peers, double limit_s, const std::atomic<bool>& given_up,
             Waiting waiting)
      : rank_(rank), peers_(std::move(peers)), limit_s_(limit_s), given_up_(given_up), waiting_(waiting) {}

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(peers_.size()); }
  void send(int to, std::span<const std::byte> bytes) override { peer(to).send(bytes); }
  void receive(int from, std::span<std::byte> bytes) override { peer(from).receive(bytes); }

  void wait() override {
    try {
      const team::Deadline deadline(limit_s_);
      while (busy())
        if (!progress()) pause(deadline);
    } catch (const core::Error&) {
      // Others may wait for this rank, and not for the one that failed it: they learn it at once.
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
    for (const SocketPeer& one : peers_)
      if (!one.done()) awaited_.push_back({one.descriptor(), one.awaited_events(), 0});
    const double slice_s = std::min(look_at_order_s, deadline.remaining_s());
    return poll(awaited_.data(), awaited_.size(), static_cast<int>(std::ceil(slice_s * 1e3))) != 0;
  }
  int first_late() const {
    const auto late = std::ranges::find_if(peers_, [](const SocketPeer& one) { return !one.done(); });
    return static_cast<int>(late - peers_.begin());
  }

  int rank_;
  std::vector<SocketPeer> peers_;
  double limit_s_;
  const std::atomic<bool>& given_up_;
  Waiting waiting_;
  unsigned idle_turns_ = 0;
  std::vector<pollfd> awaited_;
};

/// Connections by rank, while they are being made: each end proves to the other that it is a rank of this
/// team. What then travels is what is measured, and is not sealed.
class Meeting {
 public:
  Meeting(team::Team& team, double limit_s) : team_(team), limit_s_(limit_s), deadline_(limit_s) {
    peers_.resize(static_cast<std::size_t>(team.size()));
  }

  /// Calls the ranks below, takes the calls of those above.
  std::vector<SocketPeer> meet() {
    core::Descriptor listening = team::listen_at(team::interface_among_members(team_), 0);
    const std::string own = host_ + " " + std::to_string(team::port_of(listening));
    session_ = team_.broadcast(team::to_hex(team::random_secret()), limit_s_);
    key_ = team::key_among_members(team_.trust(), "data", session_);
    const std::vector<std::string> places = team_.gather(own, limit_s_);
    be_patient(places);
    team::agree(team_, [&] {
      team::Reception reception(
          std::move(listening),
          [this] { return team::Handshake::of_listener(errand(-1, team_.rank()), key_); },
          {.expected = static_cast<std::size_t>(team_.size()), .with_first_frame = false});
      for (int rank = 0; rank < team_.rank(); ++rank)
        calls_.push_back(call_to(rank, places[static_cast<std::size_t>(rank)]));
      while (first_missing() >= 0) look(reception);
      return std::string();
    });
    return std::move(peers_);
  }

 private:
  /// More time where many ranks share this host's processors: each connection is proven at both ends.
  void be_patient(const std::vector<std::string>& places) {
    const auto here = std::ranges::count_if(
        places, [this](const std::string& place) { return place.substr(0, place.find(' ')) == host_; });
    limit_s_ *= team::patience(static_cast<int>(here));
    deadline_ = team::Deadline(limit_s_);
  }

  struct Call {
    int rank;
    std::string place;
    std::unique_ptr<team::SocketConnection> link;
  };

  team::Errand errand(int from, int to) const {
    return {.purpose = "data", .session = session_, .from = from, .to = to};
  }

  Call call_to(int rank, const std::string& place) {
    const std::string host = place.substr(0, place.find(' '));
    const int port = std::stoi(place.substr(place.find(' ') + 1));
    const team::Address address{host == host_ ? "127.0.0.1" : host, static_cast<std::uint16_t>(port)};
    core::Descriptor socket =
        team::connect_to(address, "", deadline_.remaining_s(), fmt::format(" (data of rank {})", rank));
    return {rank, place,
            std::make_unique<team::SocketConnection>(
                std::move(socket), team::Handshake::of_caller(errand(team_.rank(), rank), key_))};
  }

  void look(team::Reception& reception) {
    wait(reception);
    for (team::Guest& guest : reception.look()) {
      const int rank = guest.link->caller();
      if (rank > team_.rank() && rank < team_.size()) connect(rank, *guest.link);
    }
    std::erase_if(calls_, [this](Call& one) { return go_on(one); });
  }

  void wait(const team::Reception& reception) {
    if (deadline_.passed())
      throw core::Error(core::ErrorKind::team,
                        fmt::format("rank {} did not connect within {} s", first_missing(), limit_s_));
    std::vector<pollfd> waiting;
    reception.add_to(waiting);
    for (const Call& one : calls_) waiting.push_back({one.link->descriptor(), POLLIN, 0});
    poll(waiting.data(), waiting.size(),
         reception.wait_ms(
             static_cast<int>(std::ceil(std::min(look_at_order_s, deadline_.remaining_s()) * 1e3))));
  }

  /// True once that rank has let this one in.
  bool go_on(Call& one) {
    one.link->progress();
    if (one.link->was_hung_up_on() && !deadline_.passed()) {  // strangers call there, too
      std::this_thread::sleep_for(hung_up_pause);
      one = call_to(one.rank, one.place);
      return false;
    }
    if (const std::string why = one.link->why_closed(); !why.empty())
      throw core::Error(core::ErrorKind::team, fmt::format("rank {} {}", one.rank, why));
    if (!one.link->is_authenticated() || !one.link->all_sent()) return false;
    connect(one.rank, *one.link);
    return true;
  }

  void connect(int rank, team::SocketConnection& link) {
    peers_[static_cast<std::size_t>(rank)] = SocketPeer(rank, link.release());
  }

  /// -1: all are here.
  int first_missing() const {
    for (int rank = 0; rank < team_.size(); ++rank)
      if (rank != team_.rank() && peers_[static_cast<std::size_t>(rank)].descriptor() < 0) return rank;
    return -1;
  }

  team::Team& team_;
  std::string host_ = team::hello_of_this_host().host;
  double limit_s_;
  team::Deadline deadline_;
  std::string session_;
  team::TeamKey key_;
  std::vector<Call> calls_;
  std::vector<SocketPeer> peers_;
};

}  // namespace

std::unique_ptr<Transport> make_socket_mesh(team::Team& team, double limit_s,
                                            const std::atomic<bool>& given_up, Waiting waiting) {
  return std::make_unique<SocketMesh>(team.rank(), Meeting(team, limit_s).meet(), limit_s, given_up, waiting);
}

}  // namespace assay::collectives
