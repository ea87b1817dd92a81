// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// One of assay's algorithms on device memory, over NCCL's sends and receives: a group of them a step, then
// what is reduced, all of it in the order of one stream. The host waits for nothing between steps.
#pragma once

#include <functional>

#include "collectives/algorithms/table.hpp"
#include "collectives/content.hpp"
#include "collectives/nccl/communicator.hpp"
#include "collectives/nccl/device/accelerator.hpp"
#include "collectives/nccl/device/device_operation.hpp"

namespace assay::collectives {

class ScheduledOperation final : public DeviceOperation {
 public:
  struct Place {
    const nccl::Calls& calls;
    Communicator& communicator;
    Accelerator& accelerator;
    /// Device memory that outlives the communicator: a kernel that hangs may still use it.
    std::function<std::byte*(std::int64_t bytes)> allocate;
  };
  /// `place`: all it refers to must outlive the operation. `rank` is the problem's.
  ScheduledOperation(const Place& place, const Algorithm& algorithm, const Problem& problem,
                     const Content& content, int rank);

  void enqueue(const std::byte* input, std::byte* output, cudaStream_t stream) override;
  std::string function() const override { return "ncclSend and ncclRecv in a group a step"; }
  std::vector<core::Fact> facts() const override { return figures_.facts(); }
  std::optional<Runner::Tiers> tiers() const override {
    return Runner::Tiers{figures_.bytes_inside(), figures_.bytes_across()};
  }

 private:
  /// The addresses of a schedule's buffers in one enqueue().
  struct Buffers {
    const std::byte* input;
    std::byte* output;
  };
  std::byte* at(const Range& range, const Buffers& buffers) const;
  std::size_t bytes(const Range& range) const;
  void transfer(const Step& step, const Buffers& buffers, cudaStream_t stream);
  void reduce_arrived(const Step& step, const Buffers& buffers);
  void work(const Local& local, const Buffers& buffers);

  const nccl::Calls& calls_;
  Communicator& communicator_;
  Accelerator& accelerator_;
  Content content_;
  int ranks_ = 1;
  std::int64_t averaged_ = 0;  // elements of the output whose sum is to be divided
  Schedule schedule_;
  AlgorithmFigures figures_;
  std::byte *scratch_ = nullptr, *arriving_ = nullptr;  // null where the schedule needs none
};

}  // namespace assay::collectives
