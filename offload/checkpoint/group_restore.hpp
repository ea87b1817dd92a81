// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A data-parallel group gets one state back: each rank reads all of it, or one reads and the others get it
// along a chain, a shard as soon as it is read. Ranks are threads of this process with memory of their own;
// what passes between them crosses a socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/host/arena.hpp"
#include "offload/checkpoint/checkpoint.hpp"

namespace assay::offload {

enum class RestoreMode { all_read, one_reads };

class GroupRestore {
 public:
  struct Settings {
    CheckpointSettings checkpoint;
    std::int64_t bytes = 0;
    int ranks = 2;
    RestoreMode mode = RestoreMode::all_read;
  };
  /// Writes the checkpoint. Throws core::Error (system) where the folder cannot hold it.
  explicit GroupRestore(const Settings& settings);

  struct Times {
    double all_s = 0;   // until the slowest rank has its state
    double read_s = 0;  // of that, reading at the slowest reader
  };
  /// Every rank checks every shard. Throws core::Error (system) naming the shard, and the rank that it had
  /// reached, where one is not what was saved.
  Times run();

  /// The first byte of a rank that is not the state's.
  std::optional<std::string> first_wrong() const;
  /// Flips a bit on the storage, then one on the way to the last rank where there is a way, and restores.
  /// Why such a fault went unnoticed; nothing where all were found.
  std::optional<std::string> unnoticed_fault();

 private:
  struct Link;
  // Seconds of reading, each:
  double read_all(int rank);
  double read_and_send(Link& next);
  double run_rank(int rank, std::vector<Link>& links);
  void receive(int rank, Link& before, Link* next);
  std::span<std::byte> part(int rank, const Shard& shard) const;
  bool restores_without_complaint();
  void flip_on_storage() const;

  /// The first byte of rank 0's memory that is not the state's, which is generated again: it is not kept.
  std::optional<std::size_t> first_wrong_byte() const;

  Settings settings_;
  std::vector<host::Arena> restored_;  // by rank
  Checkpoint checkpoint_;
  std::vector<ShardIo> readers_;  // by rank
  bool fault_on_the_way_ = false;
};

}  // namespace assay::offload
