// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Objects of the simulated fabric in this process: devices, completion queues and queue pairs.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <deque>
#include <vector>

#include "rdma/tests/simulated/fabric.hpp"

namespace assay::rdma::simulated {

struct Context : ibv_context {
  Adapter adapter;
  int event_write_end = -1;
  std::uint64_t written_errors = 0;  // symbol errors that the tree of files has
};

struct SendRequest {
  ibv_send_wr wr{};
  ibv_sge piece{};
  std::vector<std::byte> inlined;
  double since_s = 0;  // steady: it waits for the peer's receive
};

struct QueuePair : ibv_qp {
  ibv_qp_cap cap{};
  double free_s = 0;                 // when the port has sent what is before
  std::uint32_t peer = 0, sent = 0;  // sent: since the last completion was asked for
  int outstanding = 0;
  int peer_port = 0;                // while it is busy
  std::deque<SendRequest> waiting;  // for a receive of the peer
  struct Sent {
    Completion completion;
    std::uint32_t messages;
  };
  std::deque<Sent> completions;
};

struct CompletionQueue : ibv_cq {
  std::vector<QueuePair*> pairs;
};

/// As the entries of ibv_context_ops.
int post_send(ibv_qp* pair, ibv_send_wr* request, ibv_send_wr** refused);
int post_receive(ibv_qp* pair, ibv_recv_wr* request, ibv_recv_wr** refused);
int poll(ibv_cq* queue, int most, ibv_wc* into);

/// Whether the ports count it among those that share them.
void set_busy(Shared& fabric, QueuePair& pair, bool busy);

}  // namespace assay::rdma::simulated
