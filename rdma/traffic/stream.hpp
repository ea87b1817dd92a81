// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Streams messages over all flows of a round at once. Each flow is timed in its steady state, from its first
// completion to its last, and keeps sending until the slowest flow has been timed.
#pragma once

#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "rdma/traffic/kept_failure.hpp"
#include "rdma/traffic/patience.hpp"
#include "rdma/traffic/receiver.hpp"
#include "rdma/traffic/sender.hpp"
#include "rdma/traffic/wiring/wiring.hpp"
#include "rdma/verbs/wake_up.hpp"

namespace assay::rdma {

class Stream {
 public:
  explicit Stream(Wiring& wiring);

  /// Sends `messages` over each flow whose index is in `flows`; every rank calls it with the same. One
  /// message alone is timed from its posting. Returns the seconds of this rank's slowest flow (0: none begins
  /// here). Throws Error(verbs) naming what failed; other ranks are not left waiting.
  double run(const std::vector<std::size_t>& flows, std::int64_t messages);

  std::vector<Sender>& senders() { return senders_; }
  /// Messages that arrived at a lane of this rank since restart(); only where they consume a receive.
  std::int64_t received(std::size_t lane) const {
    return receivers_[lane] ? receivers_[lane]->received() : 0;
  }
  /// Counts of messages start at zero, slots at the first.
  void restart();

 private:
  void begin(std::int64_t messages);
  void send_until_timed();
  void send_on();
  void drain();
  bool progress();
  void complete(const ibv_wc& completion);
  [[noreturn]] void fail(const ibv_wc& completion, const Lane& lane) const;
  void rest();
  void do_part(std::int64_t messages);
  void wait_for_others(bool sending);

  Wiring& wiring_;
  std::vector<Sender> senders_;
  std::vector<std::optional<Receiver>> receivers_;              // by lane
  std::vector<std::pair<std::size_t, std::size_t>> poster_of_;  // by lane: its sender, and which poster of it
  std::vector<Sender*> active_;                                 // of this run
  bool receives_ = false;                                       // messages arrive here that need a receive
  Patience patience_;
  std::optional<WakeUp> wake_up_;
  KeptFailure failure_;
};

}  // namespace assay::rdma
