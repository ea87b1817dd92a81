// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Posts the messages of one queue pair: work requests are built once, then posted again and again.
#pragma once

#include <infiniband/verbs.h>

#include <cstdint>
#include <vector>

#include "rdma/traffic/wiring/wiring.hpp"

namespace assay::rdma {

/// The number of a completion: which lane, and how many messages it stands for.
struct Tag {
  std::uint64_t lane = 0;
  std::uint32_t messages = 0;
  bool receive = false;

  std::uint64_t id() const { return (receive ? receive_bit : 0) | lane << 32U | messages; }
  static Tag of(std::uint64_t id) {
    return {(id & ~receive_bit) >> 32U, static_cast<std::uint32_t>(id), (id & receive_bit) != 0};
  }

 private:
  static constexpr std::uint64_t receive_bit = std::uint64_t{1} << 63U;
};

/// Sets what every work request of such messages says: the operation, and where it goes at the peer, `offset`
/// bytes into its area.
void aim(ibv_send_wr& request, const Message& message, const Lane& lane, std::size_t offset = 0);
/// IBV_SEND_INLINE where the message travels inside its work request.
unsigned inline_flag(const Message& message, const Posting& posting);

class Poster {
 public:
  /// `place`: of the lane within its wiring.
  Poster(const Wiring& wiring, Lane& lane, std::size_t place);

  /// Messages that may be posted now.
  int module() const { return tx_depth_ - outstanding_; }
  int outstanding() const { return outstanding_; }
  std::int64_t posted() const { return posted_; }
  int tx_depth() const { return tx_depth_; }
  int moderation() const { return moderation_; }
  std::int64_t bytes() const { return pieces_.front().length; }
  bool batch_open() const { return unsignalled_ > 0; }

  /// Posts up to `count` messages (at most module() and the post list); returns how many. Throws
  /// Error(verbs).
  int post(int count);
  /// One message more with a completion, so that all before it are accounted for. Needs module.
  void close_batch();
  void completed(int messages) { outstanding_ -= messages; }
  /// The next message uses the first slot again, and posted() counts from here.
  void restart();

 private:
  void build(const Wiring& wiring);
  void submit(int count, bool last_signalled);

  Lane& lane_;
  std::size_t place_;
  Operation operation_;
  int tx_depth_, post_list_, moderation_, slots_;
  std::size_t stride_bytes_;
  unsigned flags_ = 0;  // of every work request: inline
  int outstanding_ = 0, unsignalled_ = 0, slot_ = 0;
  std::int64_t posted_ = 0;
  std::uint64_t counter_ = 0;  // what compare-and-swap expects next
  std::vector<ibv_sge> pieces_;
  std::vector<ibv_send_wr> requests_;
  std::uint64_t local_address_;
};

}  // namespace assay::rdma
