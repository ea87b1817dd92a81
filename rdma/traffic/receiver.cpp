// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/receiver.hpp"

#include <algorithm>

#include "rdma/traffic/poster.hpp"
#include "rdma/verbs/check.hpp"

namespace assay::rdma {

Receiver::Receiver(const Wiring& wiring, Lane& lane, std::size_t place, std::size_t first_slot, int slots)
    : lane_(lane),
      id_(Tag{place, 1, true}.id()),
      slots_(slots),
      stride_bytes_(wiring.stride_bytes(wiring.flows()[lane.flow])),
      address_(reinterpret_cast<std::uint64_t>(wiring.memory().address() + lane.offset +
                                               first_slot * stride_bytes_)) {
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    pieces_[i] = {address_, static_cast<std::uint32_t>(stride_bytes_), wiring.local_key()};
    requests_[i] = {.wr_id = id_, .next = nullptr, .sg_list = &pieces_[i], .num_sge = 1};
  }
  if (wiring.fault() == Fault::empty_receive_queue) return;
  for (int left = wiring.receive_depth(wiring.flows()[lane.flow]); left > 0; left -= together)
    post(std::min(left, together));
}

void Receiver::completed() {
  ++received_;
  if (++owed_ < together) return;
  post(owed_);
  owed_ = 0;
}

void Receiver::post(int count) {
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    pieces_[at].addr = address_ + static_cast<std::size_t>(slot_) * stride_bytes_;
    if (++slot_ == slots_) slot_ = 0;
    requests_[at].next = i + 1 == count ? nullptr : &requests_[at + 1];
  }
  ibv_recv_wr* refused = nullptr;
  check_verbs(ibv_post_recv(lane_.qp.get(), requests_.data(), &refused), "post a receive");
}

}  // namespace assay::rdma
