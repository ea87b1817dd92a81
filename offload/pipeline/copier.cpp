// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/copier.hpp"

#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

namespace assay::offload {
namespace {

/// One direction: the transfer under way, and when its next piece may be moved.
class Lane {
 public:
  Lane(Direction direction, double cap_gb_per_s) : direction_(direction), pace_(cap_gb_per_s) {}

  bool busy() const { return left_.bytes > 0; }
  double due_s() const { return due_s_; }

  void refill(Traffic& traffic) {
    if (busy()) return;
    const auto transfer = traffic.next(direction_);
    if (transfer) {
      if (idle_) pace_.resume(now_s());
      left_ = *transfer;
      claim();
    }
    idle_ = !transfer;
  }

  void move_piece(Traffic& traffic) {
    const std::int64_t bytes = std::min(piece_bytes, left_.bytes);
    std::memcpy(left_.to, left_.from, static_cast<std::size_t>(bytes));
    left_ = {left_.from + bytes, left_.to + bytes, left_.bytes - bytes};
    if (busy())
      claim();
    else
      traffic.ended(direction_);
  }

 private:
  void claim() { due_s_ = pace_.claim_s(std::min(piece_bytes, left_.bytes)); }

  Direction direction_;
  Pace pace_;
  Transfer left_;
  double due_s_ = 0;
  bool idle_ = true;
};

/// Whose turn it is: of the lanes that are due, not the one that moved last; null where none is due.
Lane* due_lane(std::array<Lane, 2>& lanes, const Lane* last) {
  const double time_s = now_s();
  Lane* due = nullptr;
  for (Lane& lane : lanes)
    if (lane.busy() && lane.due_s() <= time_s && (due == nullptr || due == last)) due = &lane;
  return due;
}

}  // namespace

void copy_until_over(Traffic& traffic, double cap_gb_per_s) {
  std::array<Lane, 2> lanes{Lane(Direction::in, cap_gb_per_s), Lane(Direction::out, cap_gb_per_s)};
  SpinningWait wait;
  const Lane* last = nullptr;
  while (!traffic.over()) {
    for (Lane& lane : lanes) lane.refill(traffic);
    if (Lane* const lane = due_lane(lanes, last)) {
      lane->move_piece(traffic);
      last = lane;
    } else {
      wait.turn();
    }
  }
}

void SpinningWait::turn() {
  constexpr int turns_before_yielding = 2000;
  _mm_pause();
  if (++turns_ % turns_before_yielding == 0) std::this_thread::yield();
}

}  // namespace assay::offload
