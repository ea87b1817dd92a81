// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/star_team.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace assay::team {
namespace {

constexpr double last_frame_s = 0.5;
// Rank 0 finds out who is late and writes it down, also where its measuring thread is held for good (up to 50
// s); a rank that gave up on it before, and ended, would have the launcher end the whole job. A leader that
// has ended is noticed at once all the same.
constexpr double leader_speaks_first_s = 60;
constexpr double delivery_s = 1;

}  // namespace

StarTeam::StarTeam(int rank, std::vector<std::string> hosts, std::vector<std::unique_ptr<Connection>> links,
                   Trust trust)
    : rank_(rank), hosts_(std::move(hosts)), trust_(std::move(trust)) {
  for (std::unique_ptr<Connection>& link : links) {
    link->trust();
    links_.push_back(link.get());
    Peer peer;
    peer.rank = leads() ? static_cast<int>(peers_.size()) + 1 : 0;
    peer.link = std::move(link);
    peers_.push_back(std::move(peer));
  }
}

std::string StarTeam::broadcast(std::string text, double limit_s) {
  must_be_whole();
  look();
  if (leads()) {
    send_all({FrameType::broadcast, text}, limit_s, "taking a broadcast");
    return text;
  }
  Peer& leader = peers_.front();
  wait_for([](const Peer& peer) { return !peer.inbox.empty(); }, NeedsAll::yes, limit_s, "broadcasting");
  return take(leader, FrameType::broadcast).payload;
}

std::vector<std::string> StarTeam::gather(std::string text, double limit_s) {
  must_be_whole();
  const IsDone has_sent = [](const Peer& peer) { return !peer.inbox.empty(); };
  if (!leads()) {
    Peer& leader = peers_.front();
    leader.link->send({FrameType::gather, std::move(text)});
    wait_for(has_sent, NeedsAll::yes, limit_s + leader_speaks_first_s, "gathering");
    return unpack(take(leader, FrameType::gathered).payload);
  }
  const Deadline deadline(limit_s);
  wait_for(has_sent, NeedsAll::yes, limit_s, "gathering");
  std::vector<std::string> texts{std::move(text)};
  for (Peer& peer : peers_) texts.push_back(take(peer, FrameType::gather).payload);
  send_all({FrameType::gathered, pack(texts)}, deadline.remaining_s() + delivery_s,
           "taking what was gathered");
  return texts;
}

void StarTeam::arrive() {
  must_be_whole();
  ++arrived_;
  if (!leads()) peers_.front().link->send({FrameType::arrive, {}});
}

bool StarTeam::all_arrived() {
  must_be_whole();
  look();
  const bool all =
      std::all_of(peers_.begin(), peers_.end(), [&](const Peer& peer) { return peer.barriers >= arrived_; });
  if (!all) {
    for (const Peer& peer : peers_) check(peer);
    return false;
  }
  if (leads() && released_ < arrived_) {
    for (const Peer& peer : peers_) peer.link->send({FrameType::release, {}});
    released_ = arrived_;
  }
  return std::all_of(peers_.begin(), peers_.end(), [](const Peer& peer) {
    return peer.link->all_sent() || !peer.link->why_closed().empty();
  });
}

void StarTeam::barrier_timed_out(double limit_s) {
  lose_silent([&](const Peer& peer) { return peer.barriers >= arrived_; }, limit_s,
              "others waited at a barrier");
}

void StarTeam::must_be_whole() const {
  if (!broken_.empty()) throw PeerLost(lost_rank_, broken_);
}

void StarTeam::look() {
  for (Peer& peer : peers_) {
    peer.link->progress();
    while (std::optional<Frame> frame = peer.link->receive()) sort_in(peer, std::move(*frame));
  }
}

void StarTeam::sort_in(Peer& peer, Frame frame) {
  switch (frame.type) {
    case FrameType::arrive:
    case FrameType::release:
      ++peer.barriers;
      return;
    case FrameType::lost:
      peer.notice = std::move(frame);
      return;
    default:
      peer.inbox.push_back(std::move(frame));
  }
}

/// Until `done` holds for every peer. A peer that is done may leave, unless NeedsAll: then its answer is of
/// no use without the others', and it must still be there.
void StarTeam::wait_for(const IsDone& done, NeedsAll needs_all, double limit_s, const std::string& doing) {
  const Deadline deadline(limit_s);
  while (true) {
    look();
    if (std::all_of(peers_.begin(), peers_.end(), done)) return;
    for (const Peer& peer : peers_)
      if (needs_all == NeedsAll::yes || !done(peer)) check(peer);
    if (deadline.passed()) lose_silent(done, limit_s, doing);
    wait_for_links(links_, deadline.remaining_s());
  }
}

void StarTeam::send_all(const Frame& frame, double limit_s, const std::string& doing) {
  for (const Peer& peer : peers_) check(peer);
  for (const Peer& peer : peers_) peer.link->send(frame);
  wait_for([](const Peer& peer) { return peer.link->all_sent(); }, NeedsAll::no, limit_s, doing);
}

Frame StarTeam::take(Peer& peer, FrameType due) {
  Frame frame = std::move(peer.inbox.front());
  peer.inbox.pop_front();
  if (frame.type == due) return frame;
  lose(peer.rank, fmt::format("{} is out of step: it sent '{}' where '{}' was due", name_of(peer.rank),
                              to_string(frame.type), to_string(due)));
}

void StarTeam::check(const Peer& peer) {
  if (peer.notice) {
    const std::vector<std::string> words = unpack(peer.notice->payload);
    if (words.size() != 2) lose(peer.rank, fmt::format("{} gave up", name_of(peer.rank)));
    // A follower reports whom it misses; to everybody else that follower is the one that is gone.
    if (leads()) lose(peer.rank, fmt::format("{} gave up: {}", name_of(peer.rank), words[1]));
    int lost = -1;
    std::from_chars(words[0].data(), words[0].data() + words[0].size(), lost);
    lose(lost, words[1]);
  }
  const std::string why = peer.link->why_closed();
  if (!why.empty()) lose(peer.rank, fmt::format("{} {}", name_of(peer.rank), why));
}

void StarTeam::lose(int rank, const std::string& what) {
  lost_rank_ = rank;
  broken_ = what;
  const Deadline deadline(last_frame_s);
  for (const Peer& peer : peers_)
    peer.link->send_last({FrameType::lost, pack({std::to_string(rank), what})}, deadline.remaining_s());
  throw PeerLost(rank, what);
}

void StarTeam::lose_silent(const IsDone& done, double limit_s, const std::string& doing) {
  std::vector<std::string> names;
  int first = -1;
  for (const Peer& peer : peers_) {
    if (done(peer)) continue;
    if (first < 0) first = peer.rank;
    names.push_back(name_of(peer.rank));
  }
  lose(first, fmt::format("{} {} silent for {:g} s while {}", fmt::join(names, ", "),
                          names.size() == 1 ? "was" : "were", limit_s, doing));
}

std::string StarTeam::name_of(int rank) const { return fmt::format("rank {} ({})", rank, host_of(rank)); }

}  // namespace assay::team
