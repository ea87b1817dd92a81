// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The latest operations of a rank, and the transfer under way, for whoever asks while it hangs. Written by
// the one thread that measures, read by another, without locks.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "collectives/problem.hpp"

namespace assay::collectives {

enum class FlightState { computes, waits, done };

struct FlightEntry {
  std::int64_t sequence = 0;  // counts a rank's operations from 1, barriers of the module included
  Operation operation = Operation::barrier;
  std::int64_t bytes = 0;
  FlightState state = FlightState::computes;
  double began_s = 0;             // by this host's monotonic clock
  int step = 0;                   // of the transfers, from 1; 0: none yet, or MPI's own business
  std::vector<int> awaited = {};  // ranks that the transfer under way involves, four at most
};

class FlightRing {
 public:
  static constexpr std::size_t kept = 32;
  static constexpr std::size_t most_awaited = 4;

  /// Forgets all, so that all ranks count from the same operation.
  void restart();
  void begins(Operation operation, std::int64_t bytes, double now_s);
  /// The next step's transfers are under way.
  void waits(std::span<const int> ranks);
  /// They are done.
  void moves();
  void done();

  /// Oldest first. Any thread; an entry that is being written meanwhile is left out.
  std::vector<FlightEntry> latest() const;

 private:
  template <class T>
  using Shared = std::atomic<T>;
  struct Slot {
    Shared<std::uint32_t> version{0};  // odd while it is written
    Shared<std::int64_t> sequence{0}, bytes{0};
    Shared<int> operation{0}, state{0}, step{0}, awaited_count{0};
    Shared<double> began_s{0};
    std::array<Shared<int>, most_awaited> awaited{};
  };
  class Writing;

  Slot& current() { return slots_[static_cast<std::size_t>(sequence_) % kept]; }
  void set_state(FlightState state);

  std::array<Slot, kept> slots_;
  std::int64_t sequence_ = 0;
};

}  // namespace assay::collectives
