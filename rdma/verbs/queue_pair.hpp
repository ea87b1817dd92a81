// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A completion queue, polled or woken by events; a queue pair and its way through the states. All transitions
// are in queue_pair_states.cpp.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "rdma/verbs/connection_settings.hpp"
#include "rdma/verbs/device.hpp"
#include "rdma/verbs/operation.hpp"

namespace assay::rdma {

class CompletionQueue {
 public:
  CompletionQueue(const Device& device, int entries, Completion completion);
  ~CompletionQueue();
  CompletionQueue(const CompletionQueue&) = delete;
  CompletionQueue& operator=(const CompletionQueue&) = delete;

  ibv_cq* get() const { return cq_.get(); }
  Completion completion() const { return completion_; }

  /// Takes the completions since the last call, without waiting. The span lives until the next call.
  std::span<const ibv_wc> poll();

  /// With events: sleeps until something completes, or until a signal (see WakeUp) interrupts the sleep; true
  /// where an event came, after which there may still be nothing to poll. With polling: false, at once.
  bool wait();

 private:
  void arm();

  Completion completion_;
  CompletionChannelHandle channel_;
  CompletionQueueHandle cq_;
  unsigned unacknowledged_ = 0;  // acknowledging takes a lock: it is done for many events at a time
  std::array<ibv_wc, 32> completions_{};
};

/// How much a queue pair holds.
struct QueueDepths {
  int send = 128, receive = 1;
  int inline_bytes = 0;
};

/// The address that a peer needs to reach a queue pair.
struct QueuePairAddress {
  std::uint32_t number = 0, first_packet = 0;  // QPN, PSN
  std::uint16_t lid = 0;
  ibv_gid gid{};
  int mtu_bytes = 0;  // the largest this side takes
};

inline constexpr std::uint32_t datagram_key = 0x61737361;  // Q_Key of our UD queue pairs

class QueuePair {
 public:
  /// A usage Error where the device has not so much. The queue pair starts in RESET.
  QueuePair(const Device& device, ibv_pd* domain, const CompletionQueue& sends,
            const CompletionQueue& receives, Transport transport, const QueueDepths& depths);

  ibv_qp* get() const { return qp_.get(); }
  Transport transport() const { return transport_; }
  int inline_bytes() const { return inline_bytes_; }  // granted, at least what was asked
  std::uint32_t number() const { return qp_->qp_num; }

  /// RESET to INIT: receives may be posted.
  void initialize(const Device& device);
  /// INIT to RTR to RTS, connected with `peer` (UD: with none).
  void connect(const Device& device, const Gid& own_gid, std::uint32_t own_first_packet,
               const QueuePairAddress& peer, const PathSettings& path, const RetrySettings& retry);
  /// Connects as connect() does, with attributes that a connection manager knows: `attributes_of` fills in
  /// those of the state that they name and returns their mask. `path` and `retry` take precedence over them.
  using AttributesOf = std::function<int(ibv_qp_attr&)>;
  void connect_by(const AttributesOf& attributes_of, const Device& device, const Gid& own_gid,
                  const QueuePairAddress& peer, const PathSettings& path, const RetrySettings& retry);
  /// To the error state: everything outstanding is flushed.
  void fail();

 private:
  QueuePairHandle qp_;
  Transport transport_;
  int inline_bytes_ = 0;
};

/// The address of a datagram's destination; also how a connection's packets are addressed.
ibv_ah_attr address_attributes(const Device& device, const Gid& own_gid, const QueuePairAddress& peer,
                               const PathSettings& path);
/// The path MTU both sides can take, in bytes. A usage Error where `asked` is larger or no MTU at all.
int agreed_mtu_bytes(int asked, int own, int peers);

}  // namespace assay::rdma
