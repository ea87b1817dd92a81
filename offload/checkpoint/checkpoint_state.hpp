// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The state that a checkpoint saves: where it lies, how its snapshot is taken, and where it is restored to.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/host/arena.hpp"

namespace assay::offload {

class CheckpointState {
 public:
  virtual ~CheckpointState() = default;
  virtual std::int64_t bytes() const = 0;

  /// Changes every page of the state, so that no two checkpoints are alike.
  virtual void stamp(std::int64_t number) = 0;
  /// Returns when all of the state lies in snapshot().
  virtual void take_snapshot() = 0;
  virtual std::span<const std::byte> snapshot() const = 0;

  /// A copy of the state as it is.
  virtual host::Arena content() = 0;
  /// `read` fills the memory it is given with a checkpoint, which then takes the state's place.
  virtual void restore(const std::function<void(std::span<std::byte> memory)>& read) = 0;
  /// The first byte that is not as expected; empty where all are.
  virtual std::optional<std::size_t> first_difference(std::span<const std::byte> expected) = 0;

  virtual void sampling_begins() {}
  virtual void sampling_ends() {}
  virtual std::vector<core::Fact> facts() const = 0;
};

/// For CheckpointState::first_difference().
inline std::optional<std::size_t> first_difference(std::span<const std::byte> seen,
                                                   std::span<const std::byte> expected) {
  const auto first = std::ranges::mismatch(seen, expected).in1;
  if (first == seen.end()) return std::nullopt;
  return static_cast<std::size_t>(first - seen.begin());
}

}  // namespace assay::offload
