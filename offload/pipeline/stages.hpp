// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// How far a pipeline is, as two threads see it, and what of it the copying thread does.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "offload/pipeline/copier.hpp"
#include "offload/pipeline/schedule.hpp"

namespace assay::offload {

/// Each count is raised by one thread only and never falls within a run, so what another thread sees may be
/// old but never allows too much.
class Stages {
 public:
  /// Stages that are no part of a run are through from its beginning.
  explicit Stages(const Progress& through)
      : fetched_(through.fetched), computed_(through.computed), written_(through.written) {}

  Progress seen() const {
    return {fetched_.load(std::memory_order_acquire), computed_.load(std::memory_order_acquire),
            written_.load(std::memory_order_acquire)};
  }
  void fetched() { fetched_.fetch_add(1, std::memory_order_release); }
  void computed() { computed_.fetch_add(1, std::memory_order_release); }
  void written() { written_.fetch_add(1, std::memory_order_release); }

 private:
  alignas(64) std::atomic<int> fetched_;
  alignas(64) std::atomic<int> computed_;
  alignas(64) std::atomic<int> written_;
};

/// The transfers of the blocks, as the schedule allows them.
class BlockTraffic final : public HostTraffic {
 public:
  using TransferOf = std::function<Transfer(Direction direction, int block)>;

  BlockTraffic(const PipelineShape& shape, Stages& stages, const std::atomic<bool>& stop,
               TransferOf transfer_of)
      : shape_(shape), stages_(stages), stop_(stop), transfer_of_(std::move(transfer_of)) {}

  std::optional<Transfer> next(Direction direction) override;
  void ended(Direction direction) override;
  /// All blocks are through, or `stop` is set.
  bool over() const override;
  bool complete() const;

  /// Seconds of the steady clock at which a direction's last transfer ended.
  double ended_s(Direction direction) const { return ended_s_[static_cast<std::size_t>(direction)]; }

 private:
  PipelineShape shape_;
  Stages& stages_;
  const std::atomic<bool>& stop_;
  TransferOf transfer_of_;
  std::array<double, 2> ended_s_{};
};

}  // namespace assay::offload
