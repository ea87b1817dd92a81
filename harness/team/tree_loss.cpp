// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How a tree of links finds out who is lost or silent, and how all ranks learn of it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "harness/team/tree_team.hpp"

namespace assay::team {
namespace {

constexpr double last_frame_s = 0.5;
constexpr std::size_t most_named = 8;

int number_in(const std::string& text, int otherwise) {
  int number = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

void TreeTeam::check(const Peer& peer) {
  if (peer.notice) {
    const std::vector<std::string> words = unpack(peer.notice->payload);
    if (words.size() != 2) lose(peer.rank(), fmt::format("{} gave up", name_of(peer.rank())));
    const int lost = number_in(words[0], -1);
    // A child's report about a rank below it is right. A report about another rank names whom the child
    // misses; to everyone else that child is the one that is gone.
    if (peer.is_child && !peer.ranks.holds(lost))
      lose(peer.rank(), fmt::format("{} gave up: {}", name_of(peer.rank()), words[1]));
    lose(lost, words[1]);
  }
  const std::string why = peer.link->why_closed();
  if (!why.empty()) lose(peer.rank(), fmt::format("{} {}", name_of(peer.rank()), why));
}

void TreeTeam::lose(int rank, const std::string& what) {
  lost_rank_ = rank;
  broken_ = what;
  const Deadline deadline(last_frame_s);
  for (const Peer& peer : peers_)
    peer.link->send_last({FrameType::lost, pack({std::to_string(rank), what})}, deadline.remaining_s());
  throw PeerLost(rank, what);
}

/// The ranks that are not done: instead of a child that has reported whom it waits for, those ranks.
TreeTeam::Missing TreeTeam::missing(const IsDone& done) const {
  Missing all;
  for (const Peer& peer : peers_) {
    if (done(peer)) continue;
    std::vector<std::string> words = unpack(peer.waits);
    const bool reported = words.size() > 2 && peer.ranks.holds(number_in(words[0], -1));
    if (!reported) words = {std::to_string(peer.rank()), "0", name_of(peer.rank())};
    if (all.first < 0) all.first = number_in(words[0], -1);
    all.more += static_cast<std::size_t>(std::max(0, number_in(words[1], 0)));
    for (std::size_t i = 2; i < words.size(); ++i)
      if (all.names.size() < most_named)
        all.names.push_back(std::move(words[i]));
      else
        ++all.more;
  }
  return all;
}

void TreeTeam::report_waiting(const IsDone& done) {
  if (leads()) return;
  const Missing late = missing([&](const Peer& peer) { return !peer.is_child || done(peer); });
  if (late.first < 0) return;
  std::vector<std::string> words{std::to_string(late.first), std::to_string(late.more)};
  words.insert(words.end(), late.names.begin(), late.names.end());
  std::string report = pack(words);
  if (report == reported_) return;
  parent().link->send({FrameType::waits, report});
  reported_ = std::move(report);
}

void TreeTeam::lose_silent(const IsDone& done, double limit_s, const std::string& doing) {
  const Missing late = missing(done);
  lose(late.first, fmt::format("{}{} {} silent for {:g} s while {}", fmt::join(late.names, ", "),
                               late.more > 0 ? fmt::format(" and {} more", late.more) : "",
                               late.names.size() == 1 && late.more == 0 ? "was" : "were", limit_s, doing));
}

}  // namespace assay::team
