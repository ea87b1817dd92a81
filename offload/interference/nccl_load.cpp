// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/nccl_load.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/cuda/buffers.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "harness/nccl/library.hpp"
#include "offload/interference/load_formula.hpp"

namespace assay::offload {
namespace {

constexpr std::chrono::seconds longest_reduction(60);

/// Values that rank 0 and rank 1 contribute: whole numbers whose sums fp32 holds exactly.
float brought(std::size_t rank, std::size_t position) {
  return rank == 0 ? triad_a(position) : triad_b(position);
}

/// One GPU's part: made with that GPU current.
struct NcclRank {
  NcclRank(int its_gpu, std::size_t rank, std::size_t bytes) : gpu(its_gpu), from(bytes), to(bytes) {
    std::vector<float> values(bytes / sizeof(float));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = brought(rank, i);
    cuda::check(cudaMemcpy(from.data(), values.data(), bytes, cudaMemcpyHostToDevice),
                "fill what is reduced");
    cuda::check(cudaDeviceSynchronize(), "fill what is reduced");
  }
  void spoil(cudaStream_t on) const {
    cuda::check(cudaMemsetAsync(to.data(), 0xff, to.size(), on), "spoil the result of a reduction");
  }
  std::optional<std::string> wrong() const {
    std::vector<float> seen(to.size() / sizeof(float));
    cuda::check(cudaMemcpy(seen.data(), to.data(), to.size(), cudaMemcpyDeviceToHost), "read a reduction");
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (const float sum = brought(0, i) + brought(1, i); !(seen[i] == sum))
        return fmt::format("nccl: element {} on GPU {} is {}, expected {}", i, gpu, seen[i], sum);
    return std::nullopt;
  }

  int gpu;
  cuda::DeviceBuffer from, to;
  cuda::Stream stream = cuda::make_stream();  // of the peer: this GPU's quanta go where they are asked to
};

std::unique_ptr<NcclRank> rank_on(int gpu, std::size_t rank, std::int64_t bytes) {
  const cuda::DeviceGuard there(gpu);
  return std::make_unique<NcclRank>(gpu, rank, static_cast<std::size_t>(bytes));
}

/// Two GPUs of this process as the ranks of NCCL's communicators.
class NcclPair {
 public:
  /// CUDA device indices, of ranks 0 and 1. `calls` must outlive it. Throws core::Error(nccl).
  NcclPair(const nccl::Calls& calls, const std::array<int, 2>& gpus) : calls_(calls) {
    try {
      make(gpus);
    } catch (...) {
      for (ncclComm_t comm : comms_)  // no destructor follows
        if (comm != nullptr) static_cast<void>(calls_.comm_abort(comm));
      throw;
    }
  }
  ~NcclPair() {
    // A lost device never answers, and NCCL would wait for it.
    if (cuda::context_is_lost()) return;
    for (ncclComm_t comm : comms_)
      static_cast<void>(broken_ ? calls_.comm_abort(comm) : calls_.comm_destroy(comm));
  }
  NcclPair(const NcclPair&) = delete;
  NcclPair& operator=(const NcclPair&) = delete;

  /// At one rank, on a stream of its GPU.
  struct Part {
    const float* from = nullptr;
    float* to = nullptr;
    cudaStream_t stream = nullptr;
  };
  /// Queues the sum of `count` elements at both ranks. Throws core::Error(nccl).
  void all_reduce(const std::array<Part, 2>& parts, std::size_t count) {
    in_group("queue an all-reduce", [&](std::size_t rank) {
      return calls_.all_reduce(parts[rank].from, parts[rank].to, count, ncclFloat32, ncclSum, comms_[rank],
                               parts[rank].stream);
    });
  }

 private:
  void make(const std::array<int, 2>& gpus) {
    constexpr const char* doing = "make NCCL's communicators of two GPUs";
    ncclUniqueId id{};
    check(calls_.get_unique_id(&id), doing);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 1;
    in_group(doing, [&](std::size_t rank) {
      const cuda::DeviceGuard guard(gpus[rank]);
      return calls_.comm_init_rank_config(&comms_[rank], 2, id, static_cast<int>(rank), &config);
    });
  }
  /// Makes each rank's call, all as one group; a group that was begun is ended, whatever happened.
  void in_group(const char* doing, const std::function<ncclResult_t(std::size_t rank)>& call) {
    check(calls_.group_start(), doing);
    ncclResult_t begun = ncclSuccess;
    for (std::size_t rank = 0; rank < comms_.size() && begun == ncclSuccess; ++rank) begun = call(rank);
    const ncclResult_t ended = calls_.group_end();
    check(begun, doing);
    check(ended, doing);
  }
  void check(ncclResult_t status, const char* doing) {
    if (status != ncclSuccess) broken_ = true;
    if (status == ncclInProgress)
      throw core::Error(
          core::ErrorKind::nccl,
          fmt::format("{}: NCCL does not block (NCCL_COMM_BLOCKING=0?), expected that it does", doing));
    nccl::check(calls_, status, doing);
  }

  const nccl::Calls& calls_;
  std::array<ncclComm_t, 2> comms_ = {};
  bool broken_ = false;
};

class NcclLoad final : public DeviceLoad {
 public:
  NcclLoad(std::int64_t bytes, int gpu, int peer)
      : own_(rank_on(gpu, 0, bytes)),
        peer_(rank_on(peer, 1, bytes)),
        pair_(nccl::Library::library().calls(), {gpu, peer}) {
    enqueue(own_->stream.get());
    cuda::wait_for(own_->stream.get(), "reduce with a peer once", longest_reduction);
    wait_for_peer();
  }
  ~NcclLoad() override;
  NcclLoad(const NcclLoad&) = delete;
  NcclLoad& operator=(const NcclLoad&) = delete;

  void enqueue(cudaStream_t stream) override {
    pair_.all_reduce({part_of(*own_, stream), part_of(*peer_, peer_->stream.get())},
                     own_->from.size() / sizeof(float));
  }
  void spoil(cudaStream_t stream) override;
  std::int64_t launches() const override { return 8; }  // a kernel, and how NCCL orders it after its others
  /// Bytes of the message: with two ranks each link carries as many, each way.
  double quantum_bytes() const override { return static_cast<double>(own_->from.size()); }
  /// Urgent, or its few blocks wait until all of the victim's that were queued before have found a place.
  cuda::StreamPriority priority() const override { return cuda::StreamPriority::urgent; }
  std::optional<std::string> wrong() override;
  std::vector<core::Fact> facts() const override;

 private:
  static NcclPair::Part part_of(const NcclRank& rank, cudaStream_t stream) {
    return {rank.from.as<float>(), rank.to.as<float>(), stream};
  }
  void wait_for_peer() const {
    const cuda::DeviceGuard there(peer_->gpu);
    cuda::wait_for(peer_->stream.get(), "let the peer finish its reductions", longest_reduction);
  }

  std::unique_ptr<NcclRank> own_, peer_;
  NcclPair pair_;
};

NcclLoad::~NcclLoad() {
  if (cuda::context_is_lost()) return;
  try {
    wait_for_peer();
  } catch (const core::Error&) {
    // It is marked as lost, and nothing more is asked of it.
  }
}

void NcclLoad::spoil(cudaStream_t stream) {
  own_->spoil(stream);
  const cuda::DeviceGuard there(peer_->gpu);
  peer_->spoil(peer_->stream.get());
}

std::optional<std::string> NcclLoad::wrong() {
  wait_for_peer();
  if (auto why = own_->wrong()) return why;
  const cuda::DeviceGuard there(peer_->gpu);
  return peer_->wrong();
}

std::vector<core::Fact> NcclLoad::facts() const {
  return {{core::names::nccl_version, nccl::version_text(nccl::Library::library().calls())},
          {"nccl_operation", "all_reduce, fp32, sum"},
          {"nccl_message_bytes", static_cast<std::int64_t>(own_->from.size())},
          {"nccl_peer_gpu", std::int64_t{peer_->gpu}},
          {"nccl_peer_pci_address", cuda::describe_device(peer_->gpu).pci_address}};
}

}  // namespace

std::optional<std::string> nccl_not_built() { return std::nullopt; }

std::optional<std::string> nccl_unavailable(int gpus) {
  if (auto why = nccl::Library::unavailable()) return why;
  if (gpus < 2) return fmt::format("nccl reduces with a second GPU, and this process sees {}", gpus);
  return std::nullopt;
}

std::unique_ptr<DeviceLoad> make_nccl_load(std::int64_t bytes, int gpu) {
  return std::make_unique<NcclLoad>(bytes, gpu, nccl_peer(gpu, cuda::device_count()));
}

}  // namespace assay::offload
