// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A state in host memory; its snapshot is a copy there.
#pragma once

#include "offload/checkpoint/checkpoint_state.hpp"

namespace assay::offload {

class HostState final : public CheckpointState {
 public:
  /// Bytes that no storage can compress. Throws core::Error.
  explicit HostState(std::int64_t bytes);

  std::int64_t bytes() const override { return static_cast<std::int64_t>(state_.size()); }
  void stamp(std::int64_t number) override;
  void take_snapshot() override;
  std::span<const std::byte> snapshot() const override { return snapshot_.as<std::byte>(); }
  host::Arena content() override;
  void restore(const std::function<void(std::span<std::byte> memory)>& read) override;
  std::optional<std::size_t> first_difference(std::span<const std::byte> expected) override;
  std::vector<core::Fact> facts() const override { return {{"state_in", "host memory"}}; }

 private:
  host::Arena state_, snapshot_;
};

}  // namespace assay::offload
