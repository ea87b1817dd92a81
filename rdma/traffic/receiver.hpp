// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Keeps a queue pair's receive queue filled.
#pragma once

#include <infiniband/verbs.h>

#include <array>
#include <cstdint>

#include "rdma/traffic/wiring/wiring.hpp"

namespace assay::rdma {

class Receiver {
 public:
  /// Posts as many receives as the queue holds.
  Receiver(const Wiring& wiring, Lane& lane, std::size_t place)
      : Receiver(wiring, lane, place, 0, wiring.settings().placement.slots) {}
  /// Into these slots of the lane's area.
  Receiver(const Wiring& wiring, Lane& lane, std::size_t place, std::size_t first_slot, int slots);

  /// One receive has completed: it is posted again, together with others. Throws Error(verbs).
  void completed();
  std::int64_t received() const { return received_; }
  void restart() { received_ = 0; }

 private:
  void post(int count);

  static constexpr int together = 8;
  Lane& lane_;
  std::uint64_t id_;
  int slots_, slot_ = 0, owed_ = 0;
  std::size_t stride_bytes_;
  std::uint64_t address_;
  std::int64_t received_ = 0;
  std::array<ibv_sge, together> pieces_{};
  std::array<ibv_recv_wr, together> requests_{};
};

}  // namespace assay::rdma
