// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A copy engine on a thread: two directions in turn, piece by piece, each at its own pace. The thread that
// calls copy_until_over() is the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "offload/clock.hpp"
#include "offload/pipeline/pace.hpp"

namespace assay::offload {

enum class Direction { in, out };  // to the near memory, and back

struct Transfer {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  std::int64_t bytes = 0;
};

/// What there is to copy. Called by the engine only.
class Traffic {
 public:
  virtual ~Traffic() = default;
  /// The next transfer, where it may begin. Not asked again before ended().
  virtual std::optional<Transfer> next(Direction direction) = 0;
  virtual void ended(Direction direction) = 0;
  virtual bool over() const = 0;
};

inline constexpr std::int64_t piece_bytes = 256 << 10;

/// `cap_gb_per_s` is that of each direction; unlimited: as fast as one thread copies. Returns when over(),
/// also in the middle of a transfer.
void copy_until_over(Traffic& traffic, double cap_gb_per_s);

/// One turn of a spinning wait: pauses, and now and then lets another thread have this CPU.
class SpinningWait {
 public:
  void turn();

 private:
  int turns_ = 0;
};

}  // namespace assay::offload
