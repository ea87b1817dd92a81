// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A rank's side channel: a thread that tells, over TCP on the control network, what its rank did last, also
// while the rank hangs, and that takes the order to give a point up.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

#include "collectives/watch/flight_ring.hpp"
#include "harness/core/descriptor.hpp"

namespace assay::collectives {

/// Where a rank's post is found. Who does not know the word is not answered.
struct PostPlace {
  std::string host;  // as it calls itself
  std::uint16_t port = 0;
  std::string word;
};

std::string to_text(const PostPlace& place);
/// Throws core::Error (team) for text that is none of ours.
PostPlace post_place_from(const std::string& text);

class WatchPost {
 public:
  /// Listens everywhere. Throws core::Error (usage) where it cannot.
  explicit WatchPost(int rank);
  ~WatchPost();
  WatchPost(const WatchPost&) = delete;
  WatchPost& operator=(const WatchPost&) = delete;

  /// For one more point: a new word, and nothing is given up any more. Of the thread that measures.
  PostPlace begin_point();
  FlightRing& ring() { return ring_; }
  /// True once the point is to be given up: transports look at it while they wait.
  const std::atomic<bool>& given_up() const { return given_up_; }

 private:
  void serve();
  void answer(const core::Descriptor& caller);

  int rank_;
  FlightRing ring_;
  std::atomic<bool> given_up_{false}, ends_{false};
  std::atomic<std::uint64_t> word_{0};
  core::Descriptor listening_;
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace assay::collectives
