// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One pass through the blocks on three streams of a GPU: fetched, computed and written back in the order that
// the schedule allows, each block's stage waiting for the others by events. Without a cap the GPU waits for
// itself, and all of it is queued at once or a few blocks ahead of the GPU; under a cap the host hands over
// each piece when it is due.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "harness/cuda/handles.hpp"
#include "offload/pipeline/lane.hpp"
#include "offload/pipeline/schedule.hpp"

namespace assay::offload {

/// Pieces of a capped copy: large enough to be queued while the one before is on its way.
inline constexpr std::int64_t device_piece_bytes = 4 << 20;

/// Work that a pass queues, and its streams.
struct PassWork {
  cudaStream_t compute_stream = nullptr, in_stream = nullptr, out_stream = nullptr;
  std::function<void(int block)> compute;  // queues a block's products on the compute stream
  std::function<Transfer(Direction direction, int block)> transfer;
};

/// How a pass is queued.
struct PassQueueing {
  double cap_gb_per_s = unlimited;
  /// Blocks of a stage that are queued and not yet through. What fills the launch queue holds up whoever
  /// queues next to it.
  int ahead = std::numeric_limits<int>::max();
};

enum class Stage { fetch, compute, write };

class DevicePass final : private Traffic {
 public:
  /// Stages that `through` counts are no part of the pass. Throws core::Error.
  DevicePass(const PipelineShape& shape, const Progress& through, const PassQueueing& queueing,
             PassWork work);

  /// Queues what may be queued by now. Throws core::Error.
  void advance();
  bool all_queued() const;
  /// Whether the device has done all of it.
  bool over();
  /// Seconds from `begun` until the device was through with the stage, which is a part of the pass; once
  /// over().
  double end_s(Stage stage, const cuda::Event& begun) const;

 private:
  std::optional<Transfer> next(Direction direction) override;
  void move(Direction direction, const Transfer& piece) override;
  void ended(Direction direction) override;
  void queue_computing();
  void look();
  cudaStream_t stream_of(Stage stage) const;
  const cuda::Event& event(Stage stage, int block) const;
  void record(Stage stage, int block) const;
  /// `stage` continues once `other` is through with `block`; at once where that is before this pass.
  void wait(Stage stage, Stage other, int block) const;

  PipelineShape shape_;
  Progress queued_, reached_;
  bool capped_;
  int ahead_;
  PassWork work_;
  std::array<Lane, 2> lanes_;
  std::array<std::vector<cuda::Event>, 3> events_;  // by stage, of each block of this pass
};

/// One pass repeated, so that one is always queued while another runs: what runs all along next to a pass
/// that is timed.
class RepeatedPasses {
 public:
  using Make = std::function<DevicePass()>;

  explicit RepeatedPasses(Make make) : make_(std::move(make)) { passes_.emplace_back(make_()); }

  /// Call it often. Throws core::Error.
  void advance() {
    if (passes_.front().over()) passes_.pop_front();
    if (passes_.empty() || (passes_.size() < 2 && passes_.back().all_queued())) passes_.emplace_back(make_());
    passes_.back().advance();
  }
  /// Whether all passes so far are queued.
  bool all_queued() const { return passes_.back().all_queued(); }

 private:
  Make make_;
  std::deque<DevicePass> passes_;
};

}  // namespace assay::offload
