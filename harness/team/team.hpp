// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Several processes (or threads) that measure together: who they are, and the few ways they talk outside
// the fabric under test. Rank 0 leads. Control messages only: nothing here is ever timed.
#pragma once

#include <functional>
#include <source_location>
#include <string>
#include <vector>

#include "harness/core/error.hpp"

namespace assay::team {

/// A rank does not answer any more: its process or host ended, or it stayed silent past the limit.
class PeerLost : public core::Error {
 public:
  PeerLost(int rank, const std::string& what, long code = 0,
           std::source_location where = std::source_location::current())
      : Error(core::ErrorKind::team, what, code, where), rank_(rank) {}

  int rank() const { return rank_; }  // -1: not known which

 private:
  int rank_;
};

/// The proof that a team's members gave each other, and the secret that they hold.
struct Trust {
  std::string by{};      // what each has proven, for records: "key file", "MUNGE"; empty within one process
  std::string secret{};  // that only the members hold; empty where the way between them is trusted
                         // (MPI), or open
};

/// How texts of ranks become one, on their way to rank 0 and back. Neither function throws.
struct Reduction {
  /// Adds to `all` the text of the ranks from `first_rank` on, which follow those of `all`.
  std::function<void(std::string& all, std::string next, int first_rank)> combine;
  /// The part of the whole that the other ranks learn.
  std::function<std::string(const std::string& all)> shared;
};

/// All members call the same functions in the same order. Every blocking call ends within its limit or throws
/// PeerLost; after that the team is broken and every further call throws PeerLost at once.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// The host a rank runs on, as it calls itself: "h1". For messages.
  virtual std::string host_of(int rank) const = 0;

  virtual const Trust& trust() const;

  /// Rank 0's text, at every rank. `limit_s`: infinity is allowed (a follower that waits for its next order);
  /// a leader that ended or whose host died is noticed all the same.
  virtual std::string broadcast(std::string text, double limit_s) = 0;

  /// Every rank's text, combined in order of rank, at rank 0; at the others what rank 0 shares of it. Its
  /// cost at each rank is that of one combined text, not that of all ranks' texts.
  virtual std::string reduce(std::string text, const Reduction& reduction, double limit_s) = 0;

  /// Every rank's text, by rank, at every rank: bytes grow with the square of the ranks.
  std::vector<std::string> gather(std::string text, double limit_s);
  /// gather() at rank 0 only, where the bytes grow with the ranks; nothing at the others.
  std::vector<std::string> gather_at_leader(std::string text, double limit_s);

  /// A barrier in two halves, so that a rank can work on while the others come: arrive() never blocks,
  /// all_arrived() looks (without blocking) whether every rank has arrived, and once true ends that barrier.
  virtual void arrive() = 0;
  virtual bool all_arrived() = 0;
  /// Sleeps until another rank may have said something, at most `limit_s`: between two looks of
  /// all_arrived().
  virtual void rest(double limit_s) = 0;

  /// arrive(), then waits for the others.
  void barrier(double limit_s);

  /// For a rank whose limit passed before all_arrived() was true: throws PeerLost, naming who is missing
  /// where that is known.
  [[noreturn]] virtual void barrier_timed_out(double limit_s);
};

}  // namespace assay::team
