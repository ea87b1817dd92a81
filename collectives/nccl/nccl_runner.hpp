// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A problem on device memory by NCCL at one rank, ready to be run many times.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "collectives/nccl/communicator.hpp"
#include "collectives/nccl/device/accelerator.hpp"
#include "collectives/nccl/device/device_operation.hpp"
#include "collectives/nccl/nccl_way.hpp"
#include "collectives/nccl/queued_runner.hpp"

namespace assay::collectives {

class NcclMemory;
class Registration;
class Window;

class NcclRunner final : public QueuedRunner {
 public:
  struct Made {
    const nccl::Calls* calls = nullptr;
    std::shared_ptr<Accelerator> accelerator = {};
    std::shared_ptr<void> parent = {};  // what the communicator was split from: outlives it
    std::shared_ptr<Communicator> communicator = {};
    bool communicator_is_kept = false;    // from a point before
    std::shared_ptr<RanSource> ran = {};  // null: NCCL reports nothing
    std::string why_unreported = {};
    const Algorithm* algorithm = nullptr;  // assay's; null: NCCL's
  };
  /// `rank` is the problem's. Throws core::Error (cuda, nccl).
  NcclRunner(Made made, const Problem& problem, const Content& content, int rank, NcclWay way);
  ~NcclRunner() override;

  /// Every rank calls it at the same time, before anything runs: windows are made, and to be kept as a graph,
  /// the operation runs once. Throws core::Unsupported where what is forced is not possible.
  void connect();

  cudaStream_t stream() override { return made_.accelerator->stream(); }
  void enqueue() override;
  void wait() override;
  void run(std::span<const std::byte> input, std::span<std::byte> output) override;
  bool runs_together() const override { return way_.launch != Launch::blocking; }
  void run_together(std::int64_t iterations) override;
  void load(std::span<const std::byte> input, std::span<const std::byte> output) override;
  void fetch(std::span<std::byte> output) override;
  std::vector<core::Fact> facts() const override;
  std::optional<Tiers> tiers() const override { return operation_->tiers(); }

 private:
  std::unique_ptr<DeviceOperation> make_operation(const Problem& problem, const Content& content, int rank);
  void add_what_ran(std::vector<core::Fact>& facts) const;
  void allocate(const Problem& problem, const Content& content, int rank);
  std::byte* add_memory(std::int64_t bytes);

  NcclWay way_;
  // Destroyed in the opposite order: the graph, what is registered, the communicator, then the memory.
  std::vector<std::unique_ptr<NcclMemory>> memory_;
  Made made_;
  std::vector<std::unique_ptr<Registration>> registrations_;
  std::vector<std::unique_ptr<Window>> windows_;
  std::byte* input_ = nullptr;
  std::byte* output_ = nullptr;
  std::unique_ptr<DeviceOperation> operation_;
  std::unique_ptr<Replay> kept_;
};

}  // namespace assay::collectives
