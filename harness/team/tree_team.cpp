// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/tree_team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace assay::team {
namespace {

// Rank 0 finds out who is late and writes it down, also where its measuring thread is held for good (up to 50
// s); a rank that gave up on it before, and ended, would have the launcher end the whole job. A rank that has
// ended is noticed at once all the same.
constexpr double leader_speaks_first_s = 60;
constexpr double delivery_s = 1;
// Then a rank reports whom it waits for: rank 0 knows it long before its own limit.
constexpr double quiet_s = 2;

}  // namespace

TreeTeam::TreeTeam(TreePlace place, std::vector<std::string> hosts, TreeLinks links, Trust trust)
    : place_(std::move(place)), hosts_(std::move(hosts)), trust_(std::move(trust)) {
  if (links.parent) {
    peers_.push_back({.ranks = {place_.parent, place_.parent + 1}, .link = std::move(links.parent)});
  }
  for (std::size_t i = 0; i < links.children.size(); ++i)
    peers_.push_back(
        {.ranks = place_.children.at(i), .is_child = true, .link = std::move(links.children[i])});
  for (const Peer& peer : peers_) {
    peer.link->trust();
    links_.push_back(peer.link.get());
  }
}

void TreeTeam::learn_hosts(double limit_s) {
  const std::string all = broadcast(leads() ? pack(hosts_) : "", limit_s);
  std::vector<std::string> hosts = unpack(all);
  if (hosts.size() != hosts_.size())
    lose(0, fmt::format("{} sent {} names of {} hosts", name_of(0), hosts.size(), hosts_.size()));
  hosts_ = std::move(hosts);
}

std::string TreeTeam::broadcast(std::string text, double limit_s) {
  must_be_whole();
  look();
  if (leads()) {
    send_down({FrameType::broadcast, text}, limit_s, "taking a broadcast");
    return text;
  }
  wait_for([](const Peer& peer) { return peer.is_child || !peer.inbox.empty(); }, NeedsAll::yes, limit_s,
           "broadcasting");
  Frame frame = take(parent(), FrameType::broadcast);
  send_down(frame, std::min(limit_s, leader_speaks_first_s), "taking a broadcast");
  return std::move(frame.payload);
}

std::string TreeTeam::reduce(std::string text, const Reduction& reduction, double limit_s) {
  must_be_whole();
  const Deadline deadline(limit_s);
  wait_for_children(limit_s);
  for (Peer& child : children())
    reduction.combine(text, take(child, FrameType::gather).payload, child.rank());
  if (text.size() > frame_limit_bytes)
    lose(rank(),
         fmt::format("{} has {} bytes of texts for rank 0, over the limit of {} bytes for one message",
                     name_of(rank()), text.size(), frame_limit_bytes));
  if (leads()) {
    send_down({FrameType::gathered, reduction.shared(text)}, deadline.remaining_s() + delivery_s,
              "taking what was gathered");
    return text;
  }
  parent().link->send({FrameType::gather, std::move(text)});
  wait_for([](const Peer& peer) { return peer.is_child || !peer.inbox.empty(); }, NeedsAll::yes,
           limit_s + leader_speaks_first_s, "gathering");
  Frame frame = take(parent(), FrameType::gathered);
  send_down(frame, leader_speaks_first_s, "taking what was gathered");
  return std::move(frame.payload);
}

void TreeTeam::arrive() {
  must_be_whole();
  ++arrived_;
  waiting_quietly_ = Deadline(quiet_s);
  reported_.clear();
  pass_barriers_on();
}

bool TreeTeam::all_arrived() {
  must_be_whole();
  look();
  if (released_ < arrived_) {
    for (const Peer& peer : peers_) check(peer);
    if (waiting_quietly_.passed()) report_waiting([&](const Peer& peer) { return is_at_barrier(peer); });
    return false;
  }
  return std::all_of(peers_.begin(), peers_.end(), [](const Peer& peer) {
    return peer.link->all_sent() || !peer.link->why_closed().empty();
  });
}

void TreeTeam::barrier_timed_out(double limit_s) {
  lose_silent([&](const Peer& peer) { return is_at_barrier(peer); }, limit_s, "others waited at a barrier");
}

void TreeTeam::must_be_whole() const {
  if (!broken_.empty()) throw PeerLost(lost_rank_, broken_);
}

void TreeTeam::look() {
  for (Peer& peer : peers_) {
    peer.link->progress();
    while (std::optional<Frame> frame = peer.link->receive()) sort_in(peer, std::move(*frame));
  }
  pass_barriers_on();
}

void TreeTeam::sort_in(Peer& peer, Frame frame) {
  if (frame.type == FrameType::waits) {
    peer.waits = std::move(frame.payload);
  } else if (frame.type == FrameType::lost) {
    peer.notice = std::move(frame);
  } else {
    peer.waits.clear();  // what it waited for has come
    if (frame.type == FrameType::arrive || frame.type == FrameType::release)
      ++peer.barriers;
    else
      peer.inbox.push_back(std::move(frame));
  }
}

/// Arrivals go up once all ranks below have arrived, releases down as they come.
void TreeTeam::pass_barriers_on() {
  int all_below = arrived_;
  for (const Peer& child : children()) all_below = std::min(all_below, child.barriers);
  for (; passed_up_ < all_below; ++passed_up_)
    if (!leads()) parent().link->send({FrameType::arrive, {}});
  const int all = leads() ? all_below : parent().barriers;
  for (; released_ < all; ++released_)
    for (const Peer& child : children()) child.link->send({FrameType::release, {}});
}

/// Until `done` holds for every peer. A peer that is done may leave, unless NeedsAll: then its answer is of
/// no use without the others', and it must still be there.
void TreeTeam::wait_for(const IsDone& done, NeedsAll needs_all, double limit_s, const std::string& doing) {
  const Deadline deadline(limit_s);
  while (true) {
    look();
    if (std::all_of(peers_.begin(), peers_.end(), done)) return;
    for (const Peer& peer : peers_)
      if (needs_all == NeedsAll::yes || !done(peer)) check(peer);
    if (deadline.passed()) lose_silent(done, limit_s, doing);
    double rest_s = deadline.remaining_s();
    if (!waiting_quietly_.passed())
      rest_s = std::min(rest_s, waiting_quietly_.remaining_s());
    else
      report_waiting(done);
    wait_for_links(links_, rest_s);
  }
}

/// Rank 0 judges after `limit_s`; the others report to it before that.
void TreeTeam::wait_for_children(double limit_s) {
  waiting_quietly_ = Deadline(std::min(quiet_s, limit_s / 4));
  reported_.clear();
  wait_for([](const Peer& peer) { return !peer.is_child || !peer.inbox.empty(); }, NeedsAll::yes,
           leads() ? limit_s : limit_s + leader_speaks_first_s, "gathering");
}

void TreeTeam::send_down(const Frame& frame, double limit_s, const std::string& doing) {
  for (const Peer& peer : children()) check(peer);
  for (const Peer& peer : children()) peer.link->send(frame);
  wait_for([](const Peer& peer) { return !peer.is_child || peer.link->all_sent(); }, NeedsAll::no, limit_s,
           doing);
}

Frame TreeTeam::take(Peer& peer, FrameType due) {
  Frame frame = std::move(peer.inbox.front());
  peer.inbox.pop_front();
  if (frame.type == due) return frame;
  lose(peer.rank(), fmt::format("{} is out of step: it sent '{}' where '{}' was due", name_of(peer.rank()),
                                to_string(frame.type), to_string(due)));
}

std::string TreeTeam::name_of(int rank) const { return fmt::format("rank {} ({})", rank, host_of(rank)); }

}  // namespace assay::team
