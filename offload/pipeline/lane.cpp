// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/lane.hpp"

#include <algorithm>

#include "harness/core/seconds_since.hpp"

namespace assay::offload {

void Lane::refill(Traffic& traffic) {
  if (busy()) return;
  const auto transfer = traffic.next(direction_);
  if (transfer) {
    if (idle_) pace_.resume(core::steady_seconds());
    left_ = *transfer;
    claim();
  }
  idle_ = !transfer;
}

void Lane::move_piece(Traffic& traffic) {
  const std::int64_t bytes = std::min(piece_bytes_, left_.bytes);
  traffic.move(direction_, {left_.from, left_.to, bytes});
  left_ = {left_.from + bytes, left_.to + bytes, left_.bytes - bytes};
  if (busy())
    claim();
  else
    traffic.ended(direction_);
}

void Lane::claim() { due_s_ = pace_.claim_s(std::min(piece_bytes_, left_.bytes)); }

}  // namespace assay::offload
