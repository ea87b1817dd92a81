// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nvlink_domain/domain_trial.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <map>
#include <utility>

#include "collectives/measure/group_part.hpp"
#include "collectives/nccl/device/accelerator.hpp"
#include "collectives/nccl/device/rank_gpu.hpp"
#include "collectives/rank_bytes.hpp"
#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/fabric_memory.hpp"
#include "harness/cuda/finished.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/cuda/kernels.hpp"
#include "harness/machine/nvml/nvml.hpp"
#include "harness/team/agree.hpp"

namespace assay::collectives {
namespace {

constexpr int spoiled_byte = 0xA5;

std::size_t copied_size(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

RankGpu describe_in_domain(int index) {
  const cuda::Device device = cuda::describe_device(index);
  RankGpu gpu{.host = {}, .pci_address = device.pci_address, .device = index, .name = device.name};
  if (const auto known = machine::Nvml::shared().device(device.pci_address))
    if (const auto fabric = known->fabric()) gpu.nvlink_domain = fabric->domain;
  return gpu;
}

/// One copy by this rank's GPU, in a stream of its own.
struct DomainLane {
  const std::byte* source;
  std::byte* target;
  cuda::Stream stream;
};

/// A rank's memory: what it sends, then what arrives, one after the other.
class CudaDomainTrial final : public DomainTrial {
 public:
  CudaDomainTrial(team::Team& team, const DomainPlan& plan, ConnectedRanks connected, bool ranks_share_gpu)
      : team_(team),
        plan_(plan),
        copies_(copies_of(plan)),
        connected_(std::move(connected)),
        barrier_(barrier_over(*connected_.transport)),
        gpus_(gpus_of_ranks(team, cuda::device_count(), describe_in_domain)) {
    refuse(ranks_share_gpu);
    share_memory();
    open_lanes();
  }

  core::Timing enqueue(std::int64_t iterations) override {
    run_barrier(barrier_, connected_.post->ring());
    const double began = core::steady_seconds();
    connected_.post->ring().begins(Operation::send_receive, plan_.bytes, began);
    for (std::int64_t i = 0; i < iterations; ++i)
      for (const DomainLane& lane : lanes_) copy(lane);
    for (const DomainLane& lane : lanes_) wait_for(lane.stream.get());
    const double seconds = core::steady_seconds() - began;
    connected_.post->ring().done();
    run_barrier(barrier_, connected_.post->ring());  // what arrives here, another rank may copy
    return {.seconds = seconds};
  }

  void sampling_begins() override {
    const cudaStream_t stream = stream_.get();
    const std::size_t arrivals = copied_size(arrivals_at(team_.rank(), copies_));
    cuda::check(cudaMemsetAsync(own_->data() + plan_.bytes, spoiled_byte, arrivals * copied_size(plan_.bytes),
                                stream),
                "spoil what copies will overwrite");
    wait_for(stream);
  }

  core::Verification check() override {
    using Result = core::Verification::Result;
    std::vector<std::byte> seen(copied_size(plan_.bytes));
    bool any = false;
    for (const DomainCopy& copy : copies_) {
      if (copy.to != team_.rank()) continue;
      any = true;
      move(seen.data(), own_->data() + (1 + copy.arrival) * plan_.bytes, cudaMemcpyDeviceToHost);
      if (const std::string wrong = first_wrong_byte(copy.from, seen); !wrong.empty())
        return {Result::wrong, fmt::format("from rank {}, {}", copy.from, wrong)};
    }
    if (!any) return {};
    return {Result::right, "every byte of the last copy that arrived"};
  }

  std::vector<core::Fact> facts() const override {
    const RankGpu& gpu = own_gpu();
    std::vector<core::Fact> facts{
        {core::names::gpu_name, gpu.name},
        {core::names::gpu_pci_address, gpu.pci_address},
        {"nvlink_domain", gpu.nvlink_domain.empty() ? "not reported" : gpu.nvlink_domain}};
    if (team_.rank() != 0) return facts;
    facts.emplace_back(core::names::ranks, static_cast<std::int64_t>(team_.size()));
    facts.emplace_back("nodes", static_cast<std::int64_t>(nodes_of(gpus_, false)));
    facts.emplace_back("copies", std::ssize(copies_));
    facts.emplace_back("time_counts", "a sample's copies at the slowest rank, after a barrier");
    if (const std::string sharing = who_shares(gpus_); !sharing.empty())
      facts.emplace_back(core::names::not_a_performance_measurement,
                         "true: " + sharing + ": its copies cross no NVLink");
    return facts;
  }

 private:
  const RankGpu& own_gpu() const { return gpus_[static_cast<std::size_t>(team_.rank())]; }

  /// Known to every rank alike: each throws the same.
  void refuse(bool ranks_share_gpu) const {
    if (const std::string apart = who_is_apart(gpus_); !apart.empty())
      throw core::Unsupported(core::ErrorKind::cuda, apart + ": no NVLink joins them");
    if (const std::string sharing = who_shares(gpus_); !sharing.empty() && !ranks_share_gpu)
      throw core::Unsupported(core::ErrorKind::cuda,
                              sharing +
                                  ": start one rank a GPU, or give --ranks-share-gpu to check "
                                  "correctness only");
  }

  void refuse_space(std::size_t bytes) const {
    std::size_t free = 0, total = 0;
    cuda::check(cudaMemGetInfo(&free, &total), "ask for free device memory");
    if (bytes > free)
      throw core::Unsupported(
          core::ErrorKind::cuda,
          fmt::format("the copies need {} bytes on this GPU, of which {} are free", bytes, free));
  }

  void share_memory() {
    const auto export_own = [&] {
      const int device = own_gpu().device;
      cuda::check(cudaSetDevice(device), "use a GPU");
      stream_ = cuda::make_stream();
      if (auto why = cuda::no_fabric_handles(device)) throw core::Unsupported(core::ErrorKind::cuda, *why);
      const auto parts = copied_size(1 + arrivals_at(team_.rank(), copies_));
      refuse_space(parts * copied_size(plan_.bytes));
      own_ = std::make_unique<cuda::FabricMemory>(device, parts * copied_size(plan_.bytes));
      const std::vector<std::byte> content = bytes_of_rank(team_.rank(), plan_.bytes);
      move(own_->data(), content.data(), cudaMemcpyHostToDevice);
      return cuda::to_text(own_->handle());
    };
    const std::vector<std::string> handles = team::agree(team_, export_own);
    team::agree(team_, [&] {
      for (const DomainCopy& copy : copies_)
        if (plan_.copier(copy) == team_.rank())
          import_from(plan_.target_copies ? copy.from : copy.to, handles);
      return std::string();
    });
  }

  void import_from(int peer, const std::vector<std::string>& handles) {
    if (peers_.contains(peer)) return;
    const cuda::FabricHandle handle = cuda::fabric_handle_from(handles[static_cast<std::size_t>(peer)]);
    peers_[peer] = std::make_unique<cuda::FabricMemory>(own_gpu().device, handle);
  }

  void open_lanes() {
    const auto memory_of = [&](int rank) {
      return rank == team_.rank() ? own_->data() : peers_.at(rank)->data();
    };
    for (const DomainCopy& copy : copies_)
      if (plan_.copier(copy) == team_.rank())
        lanes_.push_back({memory_of(copy.from), memory_of(copy.to) + (1 + copy.arrival) * plan_.bytes,
                          cuda::make_stream()});
  }

  void copy(const DomainLane& lane) const {
    if (plan_.by_kernel)
      cuda::check(cuda::launch_stream_load(lane.source, lane.target, copied_size(plan_.bytes), 1,
                                           plan_.blocks, lane.stream.get()),
                  "start a copy over NVLink");
    else
      cuda::check(cudaMemcpyAsync(lane.target, lane.source, copied_size(plan_.bytes),
                                  cudaMemcpyDeviceToDevice, lane.stream.get()),
                  "queue a copy over NVLink");
  }

  void move(void* to, const void* from, cudaMemcpyKind kind) {
    cuda::check(cudaMemcpyAsync(to, from, copied_size(plan_.bytes), kind, stream_.get()),
                "move what is copied");
    wait_for(stream_.get());
  }

  /// Never within the driver: a peer's end may leave a copy without one.
  void wait_for(cudaStream_t stream) const {
    while (!cuda::is_finished(stream, "copy over NVLink")) {
      if (!connected_.post->given_up()) continue;
      cuda::note_context_lost();
      throw core::Error(core::ErrorKind::cuda, "copy over NVLink: given up");
    }
  }

  team::Team& team_;
  DomainPlan plan_;
  std::vector<DomainCopy> copies_;
  ConnectedRanks connected_;
  Executor barrier_;
  std::vector<RankGpu> gpus_;
  cuda::Stream stream_;
  std::unique_ptr<cuda::FabricMemory> own_;
  std::map<int, std::unique_ptr<cuda::FabricMemory>> peers_;
  std::vector<DomainLane> lanes_;
};

}  // namespace

std::optional<std::string> why_no_nvlink_domain() { return why_no_gpu(); }

std::unique_ptr<DomainTrial> make_domain_trial(team::Team& team, const DomainPlan& plan,
                                               ConnectedRanks connected, bool ranks_share_gpu) {
  return std::make_unique<CudaDomainTrial>(team, plan, std::move(connected), ranks_share_gpu);
}

}  // namespace assay::collectives
