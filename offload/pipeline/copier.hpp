// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A copy engine on a thread: two directions in turn, piece by piece, each at its own pace. The thread that
// calls copy_until_over() is the engine.
#pragma once

#include "harness/core/seconds_since.hpp"
#include "offload/pipeline/lane.hpp"

namespace assay::offload {

inline constexpr std::int64_t piece_bytes = 256 << 10;

/// Traffic that a thread copies until there is no more of it.
class HostTraffic : public Traffic {
 public:
  void move(Direction direction, const Transfer& piece) final;
  virtual bool over() const = 0;
};

/// `cap_gb_per_s` is that of each direction; unlimited: as fast as one thread copies. Returns when over(),
/// also in the middle of a transfer. Throws core::Interrupted where it waits although it was asked to stop.
void copy_until_over(HostTraffic& traffic, double cap_gb_per_s);

/// One turn of a spinning wait: pauses, and now and then lets another thread have this CPU.
class SpinningWait {
 public:
  void turn();

 private:
  int turns_ = 0;
};

}  // namespace assay::offload
