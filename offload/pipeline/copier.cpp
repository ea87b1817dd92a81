// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/copier.hpp"

#include <immintrin.h>

#include <array>
#include <cstring>
#include <thread>

#include "harness/core/process/stop_request.hpp"

namespace assay::offload {
namespace {

/// Whose turn it is: of the lanes that are due, not the one that moved last; null where none is due.
Lane* due_lane(std::array<Lane, 2>& lanes, const Lane* last) {
  const double time_s = core::steady_seconds();
  Lane* due = nullptr;
  for (Lane& lane : lanes)
    if (lane.due(time_s) && (due == nullptr || due == last)) due = &lane;
  return due;
}

}  // namespace

void HostTraffic::move(Direction, const Transfer& piece) {
  std::memcpy(piece.to, piece.from, static_cast<std::size_t>(piece.bytes));
}

void copy_until_over(HostTraffic& traffic, double cap_gb_per_s) {
  std::array<Lane, 2> lanes{Lane(Direction::in, cap_gb_per_s, piece_bytes),
                            Lane(Direction::out, cap_gb_per_s, piece_bytes)};
  SpinningWait wait;
  const Lane* last = nullptr;
  while (!traffic.over()) {
    for (Lane& lane : lanes) lane.refill(traffic);
    if (Lane* const lane = due_lane(lanes, last)) {
      lane->move_piece(traffic);
      last = lane;
    } else {
      core::end_wait_if_stopped("a copy of the pipeline");
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
