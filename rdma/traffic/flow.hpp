// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Messages of one kind from one rank to another: what traffic patterns are made of.
#pragma once

#include <vector>

#include "rdma/traffic/settings.hpp"

namespace assay::rdma {

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

}  // namespace assay::rdma
