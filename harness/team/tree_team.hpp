// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A team as a tree of links (tree_shape.hpp): texts go up combined, and down to all. Whoever is lost is named
// by those who are linked to it, and they inform the others, so that none waits for what cannot come. Who is
// silent is decided by rank 0; ranks above the leaves report whom they wait for.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/team/team.hpp"
#include "harness/team/tree_shape.hpp"
#include "harness/team/wire/connection.hpp"
#include "harness/team/wire/deadline.hpp"

namespace assay::team {

struct TreeLinks {
  std::unique_ptr<Connection> parent;                 // none at rank 0
  std::vector<std::unique_ptr<Connection>> children;  // as in TreePlace
};

class TreeTeam final : public Team {
 public:
  /// `hosts` by rank.
  TreeTeam(TreePlace place, std::vector<std::string> hosts, TreeLinks links, Trust trust = {});

  int rank() const override { return place_.rank; }
  int size() const override { return place_.size; }
  std::string host_of(int rank) const override { return hosts_.at(static_cast<std::size_t>(rank)); }
  const Trust& trust() const override { return trust_; }
  std::string broadcast(std::string text, double limit_s) override;
  /// A follower waits longer than `limit_s`, so that rank 0 is the first to say who is silent.
  std::string reduce(std::string text, const Reduction& reduction, double limit_s) override;
  void arrive() override;
  bool all_arrived() override;
  void rest(double limit_s) override { wait_for_links(links_, limit_s); }

  /// Once, before anything else: rank 0 sends everybody's host to all.
  void learn_hosts(double limit_s);

 private:
  struct Peer {
    RankRange ranks;  // at a child all ranks below it, too
    bool is_child = false;
    std::unique_ptr<Connection> link;
    std::deque<Frame> inbox{};      // broadcasts and gathers, in order
    int barriers = 0;               // arrivals (of a child) or releases so far: these may come early
    std::optional<Frame> notice{};  // the peer says that a member is lost
    std::string waits{};            // whom this child waits for
    int rank() const { return ranks.first; }
  };
  struct Missing {
    int first = -1;
    std::vector<std::string> names{};
    std::size_t more = 0;
  };
  using IsDone = std::function<bool(const Peer&)>;
  enum class NeedsAll { no, yes };

  bool leads() const { return place_.parent < 0; }
  Peer& parent() { return peers_.front(); }
  std::span<Peer> children() { return std::span(peers_).subspan(leads() ? 0 : 1); }
  void must_be_whole() const;
  void look();
  static void sort_in(Peer& peer, Frame frame);
  void pass_barriers_on();
  void wait_for(const IsDone& done, NeedsAll needs_all, double limit_s, const std::string& doing);
  void wait_for_children(double limit_s);
  void send_down(const Frame& frame, double limit_s, const std::string& doing);
  Frame take(Peer& peer, FrameType due);
  void check(const Peer& peer);
  Missing missing(const IsDone& done) const;
  void report_waiting(const IsDone& done);
  [[noreturn]] void lose(int rank, const std::string& what);
  [[noreturn]] void lose_silent(const IsDone& done, double limit_s, const std::string& doing);
  [[noreturn]] void barrier_timed_out(double limit_s) override;
  bool is_at_barrier(const Peer& peer) const { return peer.barriers >= arrived_; }
  std::string name_of(int rank) const;

  TreePlace place_;
  std::vector<std::string> hosts_;
  Trust trust_;
  std::vector<Peer> peers_;  // the parent first
  std::vector<Connection*> links_;
  int arrived_ = 0;    // barriers at which this rank has arrived,
  int passed_up_ = 0;  // at which all ranks below have,
  int released_ = 0;   // and at which all ranks have
  Deadline waiting_quietly_{0};
  std::string reported_;  // the latest report of whom this rank waits for
  int lost_rank_ = -1;
  std::string broken_;  // why, once the team is broken
};

}  // namespace assay::team
