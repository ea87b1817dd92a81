// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The copies that a point asks for: between host and GPU, and between two GPUs of a node.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "offload/copy/memory_kind.hpp"

namespace assay::offload {

enum class CopyDirection { host_to_device, device_to_host, both };
enum class CopyBy { engine, sm };

struct CopyWay {
  CopyDirection direction = CopyDirection::host_to_device;
  CopyBy by = CopyBy::engine;
  MemoryKind memory = MemoryKind::pinned;
  std::int64_t bytes = 0;  // each way
  int node = -1;           // of the host's memory
  int blocks = 0;          // of the kernel

  bool to_device() const { return direction != CopyDirection::device_to_host; }
  bool to_host() const { return direction != CopyDirection::host_to_device; }
  int ways() const { return direction == CopyDirection::both ? 2 : 1; }
  /// Pageable memory is copied by the calling thread, which must not wait behind a gate.
  bool is_queued() const { return memory != MemoryKind::pageable; }
};

/// Why no driver does such a copy.
std::optional<std::string> cannot_copy(const CopyWay& way);

/// Whose stream, and whose multiprocessors, a copy runs on.
enum class CopyOn { source, target };

struct PeerWay {
  int from = 0, to = 1;  // CUDA device indices
  CopyBy by = CopyBy::engine;
  CopyOn on = CopyOn::source;
  std::int64_t bytes = 0;
  int blocks = 0;     // of the kernel
  bool both = false;  // at the same time as much the other way

  int ways() const { return both ? 2 : 1; }
  int runs_on() const { return on == CopyOn::source ? from : to; }
  int other() const { return on == CopyOn::source ? to : from; }
  /// The other way: again on its source, or its target.
  PeerWay back() const;
};

/// Why this is not a copy to a peer on any machine.
std::optional<std::string> not_a_peer(const PeerWay& way);

/// Why two of `devices` GPUs are no peers, whatever their links; empty where they may be.
std::optional<std::string> not_two_gpus(const PeerWay& way, int devices);

}  // namespace assay::offload
