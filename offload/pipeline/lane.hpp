// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One direction of a copy engine: the transfer under way, cut into pieces, and when its next piece may be
// moved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "offload/pipeline/pace.hpp"

namespace assay::offload {

enum class Direction { in, out };  // to the near memory, and back

struct Transfer {
  const std::byte* from = nullptr;
  std::byte* to = nullptr;
  std::int64_t bytes = 0;
};

/// Transfers to be copied. Called by the engine only.
class Traffic {
 public:
  virtual ~Traffic() = default;
  /// The next transfer, where it may begin. Not asked again before ended().
  virtual std::optional<Transfer> next(Direction direction) = 0;
  /// Moves a piece of the transfer under way, or has it moved.
  virtual void move(Direction direction, const Transfer& piece) = 0;
  virtual void ended(Direction direction) = 0;
};

class Lane {
 public:
  Lane(Direction direction, double cap_gb_per_s, std::int64_t piece_bytes)
      : direction_(direction), piece_bytes_(piece_bytes), pace_(cap_gb_per_s) {}

  /// Takes the next transfer where none is under way.
  void refill(Traffic& traffic);
  bool due(double time_s) const { return busy() && due_s_ <= time_s; }
  /// While a transfer is under way.
  void move_piece(Traffic& traffic);

 private:
  bool busy() const { return left_.bytes > 0; }
  void claim();

  Direction direction_;
  std::int64_t piece_bytes_;
  Pace pace_;
  Transfer left_;
  double due_s_ = 0;
  bool idle_ = true;
};

}  // namespace assay::offload
