// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A team as a star: every follower has one link, to rank 0. Whoever is lost is named, and rank 0 informs
// the others, so that none waits for what cannot come.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "harness/team/connection.hpp"
#include "harness/team/deadline.hpp"
#include "harness/team/team.hpp"

namespace assay::team {

class StarTeam final : public Team {
 public:
  /// `hosts` by rank. `links`: at rank 0 one to each follower, by rank; at a follower the one to rank 0.
  StarTeam(int rank, std::vector<std::string> hosts, std::vector<std::unique_ptr<Connection>> links,
           Trust trust = {});

  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(hosts_.size()); }
  std::string host_of(int rank) const override { return hosts_.at(static_cast<std::size_t>(rank)); }
  const Trust& trust() const override { return trust_; }
  std::string broadcast(std::string text, double limit_s) override;
  /// A follower waits 1 s longer than `limit_s`, so that rank 0 is the first to say who is silent.
  std::vector<std::string> gather(std::string text, double limit_s) override;
  void arrive() override;
  bool all_arrived() override;
  void rest(double limit_s) override { wait_for_links(links_, limit_s); }

 private:
  struct Peer {
    int rank = 0;
    std::unique_ptr<Connection> link;
    std::deque<Frame> inbox;  // broadcasts and gathers, in order
    int barriers = 0;         // arrivals (at rank 0) or releases (at a follower) so far: these may come early
    std::optional<Frame> notice;  // the peer says that a member is lost
  };
  using IsDone = std::function<bool(const Peer&)>;
  enum class NeedsAll { no, yes };

  bool leads() const { return rank_ == 0; }
  void must_be_whole() const;
  void look();
  void sort_in(Peer& peer, Frame frame);
  void wait_for(const IsDone& done, NeedsAll needs_all, double limit_s, const std::string& doing);
  void send_all(const Frame& frame, double limit_s, const std::string& doing);
  Frame take(Peer& peer, FrameType due);
  void check(const Peer& peer);
  [[noreturn]] void lose(int rank, const std::string& what);
  [[noreturn]] void lose_silent(const IsDone& done, double limit_s, const std::string& doing);
  [[noreturn]] void barrier_timed_out(double limit_s) override;
  std::string name_of(int rank) const;

  int rank_;
  std::vector<std::string> hosts_;
  Trust trust_;
  std::vector<Peer> peers_;
  std::vector<Connection*> links_;
  int arrived_ = 0;
  int released_ = 0;
  int lost_rank_ = -1;
  std::string broken_;  // why, once the team is broken
};

}  // namespace assay::team
