// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// An NCCL and a GPU of host memory, for ranks that are threads. What a call means is NCCL's documentation:
// ranks meet in every collective, sends meet receives in order, nothing in a group starts before its end, and
// a communicator that does not block is in progress until all ranks are there.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "collectives/nccl/device/accelerator.hpp"
#include "harness/nccl/library.hpp"

namespace assay::collectives {

/// The fake's state, one for the whole process; a test begins with reset_fake().
struct FakeNccl {
  std::mutex mutex;
  std::vector<std::string> calls;               // by all ranks, without groups and questions
  std::map<std::string, ncclResult_t> failing;  // function -> what it returns
  std::string last_error = "the fake's own words";
  ncclResult_t async_error = ncclSuccess;  // of every communicator
  bool never_ready = false;                // communicators stay in progress
  bool spoils = false;                     // reductions
  int version = NCCL_VERSION_CODE;

  void note(const std::string& call);
  int count(const std::string& call);
};
FakeNccl& fake();
void reset_fake();

/// `complete`: with the functions of 2.19 and of 2.28, else without.
nccl::Calls fake_calls(bool complete = true);

/// Keeps or runs what the fake is told to enqueue on its stream.
class FakeAccelerator : public Accelerator {
 public:
  using Work = std::function<void()>;

  cudaStream_t stream() override;
  std::byte* allocate(std::size_t bytes) override;
  void free(std::byte* memory) noexcept override;
  void to_device(std::byte* to, std::span<const std::byte> from) override;
  void to_host(std::span<std::byte> to, const std::byte* from) override;
  void copy(std::byte* to, const std::byte* from, std::size_t bytes) override;
  void reduce(DataType type, Operator reduction, std::byte* into, const std::byte* from,
              std::int64_t count) override;
  void average(DataType type, int ranks, std::byte* into, std::int64_t count) override;
  bool is_idle() override { return !hangs; }
  void begin_keeping() override;
  std::unique_ptr<Replay> end_keeping() override;

  void take(Work work);

  bool hangs = false;

 private:
  bool keeps_ = false;
  std::vector<Work> kept_;
};

/// Gives back other bytes than it was given.
class SpoilingAccelerator final : public FakeAccelerator {
 public:
  void to_host(std::span<std::byte> to, const std::byte* from) override {
    FakeAccelerator::to_host(to, from);
    to[5] ^= std::byte{1};
  }
};

}  // namespace assay::collectives
