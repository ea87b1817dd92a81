// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How queue pairs are connected, and how their completions are noticed, as points ask for it.
#pragma once

#include <cstdint>

namespace assay::rdma {

enum class Completion { polling, events };

/// How packets travel: agreed by both sides of a point.
struct PathSettings {
  int mtu_bytes = 0;  // 0: the smaller of both ports' active MTUs
  int gid_index = -1;
  int traffic_class = 0, service_level = 0;
  std::uint32_t flow_label = 0;
};

/// When a reliable connection gives up. A retry count of 7 is not used: soft-RoCE then never gives up.
struct RetrySettings {
  int timeout = 14;  // 4.096 us * 2^timeout before a retry: 67 ms
  int count = 6;
  int receiver_not_ready = 6;         // 7: for ever
  int receiver_not_ready_timer = 12;  // of the receiver: 0.64 ms
};

}  // namespace assay::rdma
