// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/stages.hpp"

namespace assay::offload {

std::optional<Transfer> BlockTraffic::next(Direction direction) {
  const Progress seen = stages_.seen();
  const bool may = direction == Direction::in ? may_fetch(shape_, seen) : may_write(shape_, seen);
  if (!may) return std::nullopt;
  return transfer_of_(direction, direction == Direction::in ? seen.fetched : seen.written);
}

void BlockTraffic::ended(Direction direction) {
  if (direction == Direction::in)
    stages_.fetched();
  else
    stages_.written();
  ended_s_[static_cast<std::size_t>(direction)] = core::steady_seconds();
}

bool BlockTraffic::complete() const {
  const Progress seen = stages_.seen();
  return seen.fetched == shape_.blocks && seen.written == shape_.blocks;
}

bool BlockTraffic::over() const { return stop_.load(std::memory_order_acquire) || complete(); }

}  // namespace assay::offload
