// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/poster.hpp"

#include <algorithm>

#include "rdma/verbs/check.hpp"
#include "rdma/verbs/opcode.hpp"

namespace assay::rdma {

void aim(ibv_send_wr& request, const Message& message, const Lane& lane, std::size_t offset) {
  request.opcode = opcode_of(message.operation);
  if (message.transport == Transport::ud) {
    request.wr.ud.ah = lane.address.get();
    request.wr.ud.remote_qpn = lane.remote_number;
    request.wr.ud.remote_qkey = datagram_key;
  } else if (atomic(message.operation)) {
    request.wr.atomic.remote_addr = lane.remote_address;
    request.wr.atomic.rkey = lane.remote_key;
    request.wr.atomic.compare_add = 1;
  } else {
    request.wr.rdma.remote_addr = lane.remote_address + offset;
    request.wr.rdma.rkey = lane.remote_key;
  }
}

unsigned inline_flag(const Message& message, const Posting& posting) {
  const bool inlined = posting.inline_bytes > 0 && message.bytes <= posting.inline_bytes;
  return inlined && !fetches(message.operation) ? unsigned{IBV_SEND_INLINE} : 0U;
}

Poster::Poster(const Wiring& wiring, Lane& lane, std::size_t place)
    : lane_(lane),
      place_(place),
      operation_(wiring.flows()[lane.flow].message.operation),
      tx_depth_(wiring.flows()[lane.flow].posting.tx_depth),
      post_list_(wiring.flows()[lane.flow].posting.post_list),
      moderation_(wiring.flows()[lane.flow].posting.cq_moderation),
      slots_(atomic(operation_) ? 1 : wiring.settings().placement.slots),
      stride_bytes_(wiring.stride_bytes(wiring.flows()[lane.flow])),
      pieces_(static_cast<std::size_t>(post_list_)),
      requests_(static_cast<std::size_t>(post_list_)),
      local_address_(reinterpret_cast<std::uint64_t>(wiring.memory().address() + lane.offset)) {
  build(wiring);
}

void Poster::build(const Wiring& wiring) {
  const Message& message = wiring.flows()[lane_.flow].message;
  flags_ = inline_flag(message, wiring.flows()[lane_.flow].posting);
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    pieces_[i] = {local_address_, static_cast<std::uint32_t>(message.bytes), wiring.local_key()};
    ibv_send_wr& request = requests_[i];
    request = {};
    request.sg_list = &pieces_[i];
    request.num_sge = 1;
    aim(request, message, lane_);
  }
}

int Poster::post(int count) {
  count = std::min({count, module(), post_list_});
  if (count > 0) submit(count, false);
  return std::max(count, 0);
}

void Poster::close_batch() { submit(1, true); }

void Poster::submit(int count, bool last_signalled) {
  for (int i = 0; i < count; ++i) {
    ibv_send_wr& request = requests_[static_cast<std::size_t>(i)];
    if (slots_ > 1) {
      const std::size_t at = static_cast<std::size_t>(slot_) * stride_bytes_;
      pieces_[static_cast<std::size_t>(i)].addr = local_address_ + at;
      if (operation_ != Operation::send) request.wr.rdma.remote_addr = lane_.remote_address + at;
      if (++slot_ == slots_) slot_ = 0;
    }
    if (operation_ == Operation::compare_swap) {
      request.wr.atomic.compare_add = counter_;
      request.wr.atomic.swap = ++counter_;
    }
    const bool signalled = ++unsignalled_ >= moderation_ || (last_signalled && i + 1 == count);
    request.send_flags = flags_ | (signalled ? unsigned{IBV_SEND_SIGNALED} : 0U);
    if (signalled) {
      request.wr_id = Tag{place_, static_cast<std::uint32_t>(unsignalled_)}.id();
      unsignalled_ = 0;
    }
    request.next = i + 1 == count ? nullptr : &requests_[static_cast<std::size_t>(i) + 1];
  }
  ibv_send_wr* refused = nullptr;
  check_verbs(ibv_post_send(lane_.qp.get(), requests_.data(), &refused), "post a work request");
  outstanding_ += count;
  posted_ += count;
}

void Poster::restart() {
  slot_ = 0;
  posted_ = 0;
  counter_ = 0;
}

}  // namespace assay::rdma
