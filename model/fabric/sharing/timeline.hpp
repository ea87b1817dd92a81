// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// When each flow starts and ends, as rates change with every start and end.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "model/fabric/routing/paths.hpp"

namespace assay::model::fabric {

struct Message {
  double bytes = 0;       // above 0, of a moment 0
  double latency_us = 0;  // from the last byte's departure until the message counts as ended, at least 0
  double start_us = 0;    // at the earliest, at least 0
};

/// A message that starts when another has ended, and this time has passed since.
struct Precedence {
  FlowId before = 0, after = 0;
  double delay_us = 0;  // at least 0
};

/// The rates in bytes/us of these flows, which share no link with any other active flow, into the row of all
/// rates: MaxMin::share or Occupancy::share. Every rate must be above 0.
using SharingRule = std::function<void(std::span<const FlowId> flows, std::span<double> rates)>;

struct Timeline {
  std::vector<double> start_us, end_us;  // of each message
  std::size_t solves = 0;                // calls of the sharing rule

  double makespan_us() const;
};

/// Ends and starts within this share of a flow's age are one batch: rates are shared out once after it. Each
/// flow of a batch still starts and ends at its own instant.
inline constexpr double default_batch = 0.02;

/// `paths`: one for each message, of a link or more; of none for a moment, which begins when all that it
/// waits for has ended, and ends then, so that many can wait for many through it. Only flows joined by links
/// with one that started or ended get new rates. Throws a usage Error for messages that wait for one another
/// in a circle, and for a rate that is not above 0.
Timeline timeline_of(std::span<const Message> messages, std::span<const Precedence> precedences,
                     const Paths& paths, std::size_t links, const SharingRule& rule,
                     double batch = default_batch);

}  // namespace assay::model::fabric
