// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "rdma/traffic/kept_failure.hpp"

#include <fmt/format.h>

namespace assay::rdma {

void KeptFailure::rethrow_with(const team::PeerLost& lost) const {
  if (!kept_) throw lost;
  try {
    std::rethrow_exception(kept_);
  } catch (const std::exception& failure) {
    throw team::PeerLost(lost.rank(), fmt::format("{}; then {}", failure.what(), lost.what()), lost.code(),
                         lost.where());
  }
}

}  // namespace assay::rdma
