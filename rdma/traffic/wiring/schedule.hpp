// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Traffic of a point of streams: flows between ranks, the rounds in which they are on the wire together.
#pragma once

#include <vector>

#include "rdma/traffic/settings.hpp"
#include "rdma/traffic/wiring/pattern.hpp"

namespace assay::rdma {

/// Messages of one kind from one rank to another: what traffic patterns are made of.
struct Flow {
  int from = 0, to = 1;  // ranks; for read and atomics `from` initiates
  Message message;
  Posting posting;
  bool probe = false;  // one message at a time, each timed, while the others stream
};

inline Flow flow_between(int from, int to, const Settings& settings) {
  return {.from = from, .to = to, .message = settings.message, .posting = settings.posting};
}

/// Flows that are on the wire at the same time.
using Round = std::vector<Flow>;

struct Schedule {
  std::vector<Round> rounds;  // one after the other; an iteration is a message of each flow of one round
  /// After sampling: flows slower than this share of the median run again, one at a time. 0: none do.
  double suspect_share = 0;
  bool pairs_apart = false;  // flows of a round share no rank, so that each rate is of its link alone
};

enum class Ways { one, both };
/// Flows of these pairs, from the first rank to the second, and back at the same time.
Schedule schedule_of(const std::vector<std::vector<Pair>>& rounds, Ways ways, const Settings& settings);

}  // namespace assay::rdma
