// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// What the links' counters did over the points of a run: those that moved, those that were full or could not
// be followed, and how many stood still. Only the last is good.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/points/fabric_points.hpp"
#include "results/show/show.hpp"

namespace assay::results {

enum class CounterOutcome { stood_still, moved, moved_at_least, was_full, was_reset, not_read };

/// One counter of one port as the record of a point tells it.
struct CounterWord {
  std::string counter;  // "mlx5_0 out_of_sequence"; of those that stood still, how many
  CounterOutcome outcome = CounterOutcome::not_read;
  std::uint64_t moved = 0;
  std::string meaning;  // what it speaks for, or why it cannot tell
};

/// Out of "lossy: mlx5_0 out_of_sequence +12 (packets arrived ...); mlx5_0 symbol_error was full ...", as
/// harness/link describes a classification. A part it does not know is a counter that was not read.
std::vector<CounterWord> counter_words(const std::string& description);
/// Out of "mlx5_0 rx_write_requests +8, ...": counters beside the classification.
std::vector<CounterWord> also_moved_words(const std::string& list);

/// Over the points of rdma and collectives of a run, by host and counter: what is not good first.
Table show_counters(const RunPoints& run, const ShowOptions& options);

std::string_view to_string(CounterOutcome outcome);

}  // namespace assay::results
