// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Messages from rank 0 to rank 1 through a transport of the host: how many a second and what they cost the
// CPUs, and how long one takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "collectives/transport/transport.hpp"
#include "collectives/watch/watch_post.hpp"
#include "harness/core/measure/benchmark.hpp"
#include "harness/host/pinned_threads.hpp"
#include "harness/team/cpu_time.hpp"
#include "harness/team/team.hpp"

namespace assay::collectives {

/// The base of both trials: an end of the pair, with a buffer to send and one to receive into.
class PairTrial {
 public:
  struct Setup {
    std::shared_ptr<WatchPost> post = {};       // none: nothing watches
    std::unique_ptr<Transport> transport = {};  // none at ranks but 0 and 1
    std::string transport_name = {};            // "TCP", "shared memory"
    std::int64_t bytes = 1;                     // of a message
    int tx_depth = 1;                           // messages that a stream's sender starts before it waits
    int cpu = -1;                               // that this end is bound to; -1: to none
  };
  PairTrial(team::Team& team, Setup setup);

  core::Verification check() const;
  std::vector<core::Fact> facts() const;

 protected:
  bool is_end() const { return setup_.transport != nullptr; }
  bool leads() const { return team_.rank() == 0; }
  team::Team& team() const { return team_; }
  const Setup& setup() const { return setup_; }
  void start_send(std::span<const std::byte> bytes) { setup_.transport->send(1 - team_.rank(), bytes); }
  void start_receive(std::span<std::byte> into) { setup_.transport->receive(1 - team_.rank(), into); }
  void wait() { setup_.transport->wait(); }
  /// Rank 0 continues once rank 1 is there.
  void meet();
  /// One byte from the rank.
  void signal_from(int rank);
  std::span<const std::byte> outgoing() const { return outgoing_; }
  std::span<std::byte> incoming() { return incoming_; }
  /// Inverts the bytes expected in incoming(), so that what is checked arrives from here on.
  void spoil_incoming();
  void expect_arrivals() { expects_ = true; }

  /// Notes in the post's ring that this rank's part runs, while it lives.
  class Noted {
   public:
    explicit Noted(const PairTrial& trial);
    ~Noted();
    Noted(const Noted&) = delete;
    Noted& operator=(const Noted&) = delete;

   private:
    FlightRing* ring_;
  };

 private:
  team::Team& team_;
  Setup setup_;
  std::vector<std::byte> outgoing_, incoming_;
  std::unique_ptr<host::PinnedThreads> binding_;
  bool expects_ = false;
};

/// An iteration is a message of a stream; a sample is timed until rank 1 has said that it has them all.
class PairStream : public PairTrial {
 public:
  using PairTrial::PairTrial;

  core::Timing enqueue(std::int64_t iterations);
  void sampling_begins();
  void sampling_ends() { cpu_.ends(); }
  std::vector<core::Metric> metrics(const core::Measurement& measurement);
  std::vector<core::Fact> facts() const;

 private:
  void send_all(std::int64_t messages);
  void receive_all(std::int64_t messages);

  team::CpuTime cpu_;
  std::int64_t sent_ = 0;  // since sampling began
};

/// An iteration is a message there and one back, each as long as half of both.
class PairPingPong : public PairTrial {
 public:
  using PairTrial::PairTrial;

  core::Timing enqueue(std::int64_t iterations);
  void sampling_begins() { spoil_incoming(); }
  std::vector<core::Fact> facts() const;

 private:
  void send() {
    start_send(outgoing());
    wait();
  }
  void receive() {
    start_receive(incoming());
    wait();
  }
};

}  // namespace assay::collectives
