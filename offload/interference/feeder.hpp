// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keeps a queue of equal quanta from running dry: a thread that queues the next one while earlier ones run.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

#include "offload/pipeline/pace.hpp"

namespace assay::offload {

/// The queue that is fed: first-in, first-out, of some engine. push() and ended_s() are called by one thread
/// at a time.
class FedQueue {
 public:
  virtual ~FedQueue() = default;
  /// Called on the feeding thread before anything else.
  virtual void attach() {}
  /// Queues one quantum, and an event at its end as number `slot`.
  virtual void push(int slot) = 0;
  /// When the quantum of this slot ended, by a clock of the queue's own; nothing while it is under way.
  virtual std::optional<double> ended_s(int slot) = 0;
  /// Returns when all that was pushed has ended.
  virtual void drain() = 0;
};

struct Fed {
  std::vector<double> ends_s;  // of every quantum, in order
  std::int64_t ran_dry = 0;    // times that nothing was queued when the next quantum came; not under a cap
};

class Feeder {
 public:
  /// Keeps `depth` quanta in the queue, each of `quantum_bytes`; under a cap as many as a link of that rate
  /// would have moved. Begins at once.
  Feeder(FedQueue& queue, int depth, double cap_gb_per_s, std::int64_t quantum_bytes);
  /// Pushes no more; what is queued is left to its owner.
  ~Feeder();
  Feeder(const Feeder&) = delete;
  Feeder& operator=(const Feeder&) = delete;

  /// Returns when the first quantum has ended. Throws core::TimedOut, or what the queue threw.
  void await_first(double limit_s);
  /// Ends the feeding and drains the queue. Throws what the queue threw.
  Fed stop();

 private:
  void feed();
  void retire();
  void push_when(double due_s);
  void end_thread();

  FedQueue& queue_;
  int depth_;
  bool capped_;
  Pace pace_;
  std::int64_t quantum_bytes_;
  std::deque<int> under_way_;  // slots, oldest first
  std::int64_t pushed_ = 0;
  Fed fed_;
  std::exception_ptr failure_;
  std::atomic<bool> stop_{false}, first_ended_{false}, over_{false};
  std::thread thread_;
};

/// Quanta a second between two times. `ends_s`: when each ended, in order; the first began at 0, each next
/// one counts as begun when the one before it ended. Fractions of quanta count; 0 for an empty window.
double quanta_per_s(const std::vector<double>& ends_s, double begin_s, double end_s);

}  // namespace assay::offload
