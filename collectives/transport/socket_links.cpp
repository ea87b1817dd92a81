// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport/socket_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/team/crowd.hpp"
#include "harness/team/handshake/hello.hpp"
#include "harness/team/join/member_connections.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::collectives {
namespace {

constexpr std::chrono::milliseconds hung_up_pause{20};

std::string host_in(const std::string& place) { return place.substr(0, place.find(' ')); }

}  // namespace

SocketLinks::SocketLinks(team::Team& team, double limit_s)
    : rank_(team.rank()),
      limit_s_(limit_s),
      host_(team::hello_of_this_host().host),
      states_(static_cast<std::size_t>(team.size()), State::unwanted) {
  core::Descriptor listening = team::listen_at(team::interface_among_members(team), 0);
  const std::string own = host_ + " " + std::to_string(team::port_of(listening));
  session_ = team.broadcast(team::to_hex(team::random_secret()), limit_s);
  key_ = team::key_among_members(team.trust(), "data", session_);
  places_ = team.gather(own, limit_s);
  const auto here = std::ranges::count(places_, host_, host_in);
  limit_s_ *= team::patience(static_cast<int>(here));  // each connection is proven at both ends
  reception_ = std::make_unique<team::Reception>(
      std::move(listening), [this] { return team::Handshake::of_listener(errand(-1, rank_), key_); },
      team::ReceptionOptions{.expected = places_.size(), .with_first_frame = false});
}

void SocketLinks::add_wish(int rank) {
  if (rank == rank_) return;
  states_[static_cast<std::size_t>(rank)] = State::wanted;
  ++missing_;
  if (rank < rank_) to_call_.push_back(rank);
}

int SocketLinks::first_missing() const {
  const auto missing = std::ranges::find(states_, State::wanted);
  return missing == states_.end() ? -1 : static_cast<int>(missing - states_.begin());
}

std::vector<SocketLinks::Made> SocketLinks::look() {
  std::vector<Made> made;
  for (const int rank : std::exchange(to_call_, {})) calls_.push_back(call_to(rank));
  for (team::Guest& guest : reception_->look()) {
    const int rank = guest.link->caller();
    if (rank <= rank_ || rank >= static_cast<int>(states_.size()) || was_made(rank)) continue;
    note_made(rank);
    made.push_back({rank, guest.link->release()});
  }
  std::erase_if(calls_, [&](Call& one) { return go_on(one, made); });
  return made;
}

void SocketLinks::add_to(std::vector<pollfd>& waiting) const {
  reception_->add_to(waiting);
  for (const Call& one : calls_) waiting.push_back({one.link->descriptor(), POLLIN, 0});
}

void SocketLinks::close() {
  to_call_.clear();
  calls_.clear();
  reception_->close();
}

team::Errand SocketLinks::errand(int from, int to) const {
  return {.purpose = "data", .session = session_, .from = from, .to = to};
}

SocketLinks::Call SocketLinks::call_to(int rank) const {
  const std::string& place = places_[static_cast<std::size_t>(rank)];
  const std::string host = host_in(place);
  const int port = std::stoi(place.substr(host.size() + 1));
  const team::Address address{host == host_ ? "127.0.0.1" : host, static_cast<std::uint16_t>(port)};
  core::Descriptor socket = team::connect_to(address, "", limit_s_, fmt::format(" (data of rank {})", rank));
  return {rank, std::make_unique<team::SocketConnection>(
                    std::move(socket), team::Handshake::of_caller(errand(rank_, rank), key_))};
}

/// True once that rank has let this one in.
bool SocketLinks::go_on(Call& one, std::vector<Made>& made) {
  one.link->progress();
  if (one.link->was_hung_up_on()) {  // strangers call there, too
    std::this_thread::sleep_for(hung_up_pause);
    one = call_to(one.rank);
    return false;
  }
  if (const std::string why = one.link->why_closed(); !why.empty())
    throw core::Error(core::ErrorKind::team, fmt::format("rank {} {}", one.rank, why));
  if (!one.link->is_authenticated() || !one.link->all_sent()) return false;
  note_made(one.rank);
  made.push_back({one.rank, one.link->release()});
  return true;
}

void SocketLinks::note_made(int rank) {
  State& state = states_[static_cast<std::size_t>(rank)];
  if (state == State::wanted) --missing_;
  state = State::made;
}

}  // namespace assay::collectives
