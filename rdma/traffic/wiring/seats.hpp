// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The seat of each rank of a team: its node, and the adapter and GPU that it measures with there.
#pragma once

#include <string>
#include <vector>

#include "harness/machine/machine.hpp"
#include "harness/team/team.hpp"
#include "rdma/traffic/settings.hpp"

namespace assay::rdma {

struct Seat {
  std::string node;    // ranks of one machine have the same, but ranks of one process stand for two machines
  std::string device;  // "mlx5_3:1"; "auto" where sysfs shows no port
  int rail = -1;       // -1: none
};

struct Seats {
  std::vector<Seat> ranks;
  Settings own;  // as asked, with this rank's device and GPU
};

/// Every rank calls it with the same settings. Throws on all ranks where one has no such adapter: a usage
/// Error that says what there is.
Seats take_seats(team::Team& team, const machine::Machine& machine, const Settings& asked);

/// As a rank without others on its machine would: for what is refused before a team stands.
Settings seated_alone(const machine::Machine& machine, const Settings& asked);

/// A GPU as CUDA counts it for this process and as the driver's library does.
struct VisibleGpu {
  int cuda = 0, index = 0;
};
/// The GPU of the `local`th rank of a node. `visible` is CUDA_VISIBLE_DEVICES, empty where unset: numbers, or
/// UUIDs of the machine's GPUs. Where the rank sees fewer GPUs than its node has ranks, it counts through
/// them again.
VisibleGpu visible_gpu(int local, const std::string& visible, const machine::Machine& machine);

}  // namespace assay::rdma
