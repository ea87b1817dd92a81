// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A rank's side channel: a thread that reports, over TCP on the control network, what its rank did last, also
// while the rank hangs, and that takes the order to give a point up. Only members of the team are answered.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "collectives/watch/flight_ring.hpp"
#include "harness/team/handshake/handshake.hpp"
#include "harness/team/handshake/reception.hpp"

namespace assay::collectives {

/// The address of a rank's post.
struct PostPlace {
  std::string host{};  // as it calls itself
  std::uint16_t port = 0;
  std::string word{};       // of one point; callers prove that they know it and the team's secret
  std::string secret = {};  // the team's; no part of the text
};

/// How callers and the post of such a place prove themselves.
team::Errand post_errand();
team::TeamKey post_key(const PostPlace& place);

std::string to_text(const PostPlace& place);
/// Throws core::Error (team) for text of another form.
PostPlace post_place_from(const std::string& text);

class WatchPost {
 public:
  /// Listens at `interface`, everywhere where that is empty. Throws core::Error (usage) where it cannot.
  explicit WatchPost(int rank, const std::string& interface = {});
  ~WatchPost();
  WatchPost(const WatchPost&) = delete;
  WatchPost& operator=(const WatchPost&) = delete;

  /// For one more point: a new word, and nothing is given up any more. Of the thread that measures.
  PostPlace begin_point(const std::string& team_secret = {});
  FlightRing& ring() { return ring_; }
  /// True once the point is to be given up: transports look at it while they wait.
  const std::atomic<bool>& given_up() const { return given_up_; }

 private:
  void serve();
  void look(int wait_ms);
  void answer(team::Guest guest);
  team::TeamKey key() const;

  int rank_;
  FlightRing ring_;
  std::atomic<bool> given_up_{false}, ends_{false};
  mutable std::mutex mutex_;
  team::TeamKey key_;  // of the point; under mutex_
  team::Reception reception_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace assay::collectives
