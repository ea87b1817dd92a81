// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// GPU read, write, copy and triad by SM loads and stores, from the L2 or from HBM by footprint.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/names.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "harness/machine/machine.hpp"
#include "memory/cuda/cuda_bulk_copy.hpp"
#include "memory/cuda/cuda_declarations.hpp"
#include "memory/cuda/cuda_geometry.hpp"
#include "memory/cuda/cuda_operands.hpp"
#include "memory/cuda/cuda_stream_kernels.hpp"

namespace assay::memory {
namespace {

int blocks_for(StreamKernel kernel, const StreamShape& shape, int sm_count) {
  int per_sm = 0;
  cuda::check(stream_blocks_per_sm(kernel, per_sm), "ask for the occupancy of a streaming kernel");
  return stream_blocks(shape.passes * (shape.bytes / tile_bytes), sm_count, per_sm);
}

// Not what any case writes: what is still there afterwards was not written.
void spoil(const cuda::DeviceBuffer& target, cudaStream_t stream) {
  cuda::check(cudaMemsetAsync(target.data(), 0xA5, target.size(), stream), "spoil the target array");
}

std::size_t size_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

/// Common part of the four streaming cases: shape, launch, rotation.
class CudaStream {
 public:
  using Site = cuda::GatedSite;

  CudaStream(StreamKernel kernel, const CudaStreamSettings& settings, int arrays, cuda::DeviceSite& site)
      : stream_(site.stream.get()), shape_(settings, arrays, site.device) {
    launch_.kernel = kernel;
    launch_.count = shape_.quads();
    launch_.passes = static_cast<std::uint64_t>(shape_.passes);
    launch_.blocks = blocks_for(kernel, shape_, site.device.sm_count);
  }

  std::vector<core::Fact> facts() const {
    std::vector<core::Fact> facts = shape_.facts();
    facts.emplace_back(core::names::passes, shape_.passes);
    facts.emplace_back("blocks", static_cast<std::int64_t>(launch_.blocks));
    return facts;
  }

 protected:
  /// Points the launch at the set that is next; returns which.
  std::int64_t aim() {
    const std::int64_t set = shape_.sets.next();
    const auto first = static_cast<std::uint64_t>(set) * shape_.quads();
    if (a_.data() != nullptr) launch_.a = a_.as<Quad>() + first;
    if (b_.data() != nullptr) launch_.b = b_.as<Quad>() + first;
    if (c_.data() != nullptr) launch_.c = c_.as<Quad>() + first;
    launch_.first = first;
    ++iterations_;
    return set;
  }
  void launch() { cuda::check(launch_stream(launch_, stream_), "launch a streaming kernel"); }
  /// Sets that were used at least once: all sets, or as many as there were iterations.
  std::int64_t used_sets() const { return std::min(iterations_, shape_.sets.count()); }

  cudaStream_t stream_;
  StreamShape shape_;
  StreamLaunch launch_;
  std::int64_t iterations_ = 0;
  cuda::DeviceBuffer a_, b_, c_;
};

class CudaRead : public DeclaredCudaRead, public CudaStream {
 public:
  CudaRead(const Settings& settings, cuda::DeviceSite& site)
      : CudaStream(StreamKernel::read, settings, 1, site),
        sums_(static_cast<std::size_t>(launch_.blocks) * sizeof(Quad)),
        expected_(sizeof(Quad)),
        uses_(static_cast<std::size_t>(shape_.sets.count()), 0) {
    a_ = cuda::DeviceBuffer(size_of(shape_.all_bytes()));
    cuda::check(launch_fill(a_.as<Quad>(), shape_.all_quads(), seed_a, shape_.blocks, stream_),
                "fill the array");
    cuda::check(cudaMemsetAsync(sums_.data(), 0, sums_.size(), stream_), "clear the sums");
    launch_.sums = sums_.as<Quad>();
    wait_for_check(stream_, "fill the array");
  }
  void enqueue() {
    ++uses_[static_cast<std::size_t>(aim())];
    launch();
  }
  core::Verification check() {
    wait_for_check(stream_, "finish reading");
    std::vector<Quad> slots(static_cast<std::size_t>(launch_.blocks));
    cuda::check(cudaMemcpy(slots.data(), sums_.data(), sums_.size(), cudaMemcpyDeviceToHost),
                "fetch the sums");
    Quad read{}, expected{};
    for (const Quad& slot : slots)
      read = {read.x + slot.x, read.y + slot.y, read.z + slot.z, read.w + slot.w};
    for (std::int64_t set = 0; set < used_sets(); ++set) {
      const Quad once = expected_sum(set);
      const auto times = static_cast<std::uint32_t>(uses_[static_cast<std::size_t>(set)] * shape_.passes);
      expected = {expected.x + once.x * times, expected.y + once.y * times, expected.z + once.z * times,
                  expected.w + once.w * times};
    }
    const bool right = read == expected && iterations_ > 0;
    const std::string sums = fmt::format("{:08x} {:08x} {:08x} {:08x}", read.x, read.y, read.z, read.w);
    if (right)
      return {.result = core::Verification::Result::right,
              .why = fmt::format("the sum over all {} iterations equals that of the formula", iterations_)};
    return {.result = core::Verification::Result::wrong,
            .why = fmt::format("the words read sum to {} and not to {:08x} {:08x} {:08x} {:08x}", sums,
                               expected.x, expected.y, expected.z, expected.w)};
  }

 private:
  Quad expected_sum(std::int64_t set) {
    cuda::check(cudaMemsetAsync(expected_.data(), 0, sizeof(Quad), stream_), "clear the expected sum");
    cuda::check(launch_expected_sum(expected_.as<Quad>(), static_cast<std::uint64_t>(set) * shape_.quads(),
                                    shape_.quads(), seed_a, shape_.blocks, stream_),
                "sum what should have been read");
    wait_for_check(stream_, "sum what should have been read");
    Quad sum{};
    cuda::check(cudaMemcpy(&sum, expected_.data(), sizeof(sum), cudaMemcpyDeviceToHost),
                "fetch the expected sum");
    return sum;
  }

  cuda::DeviceBuffer sums_, expected_;
  std::vector<std::int64_t> uses_;  // iterations that read each set
};

class CudaWrite : public DeclaredCudaWrite, public CudaStream {
 public:
  CudaWrite(const Settings& settings, cuda::DeviceSite& site)
      : CudaStream(StreamKernel::write, settings, 1, site),
        seeds_(static_cast<std::size_t>(shape_.sets.count()), 0) {
    c_ = cuda::DeviceBuffer(size_of(shape_.all_bytes()));
    spoil(c_, stream_);
    wait_for_check(stream_, "spoil the target array");
  }
  void enqueue() {
    const std::int64_t set = aim();
    // Another seed each time, so that what an earlier iteration left behind cannot pass for this one's.
    launch_.seed = seed_a + static_cast<std::uint32_t>(iterations_);
    seeds_[static_cast<std::size_t>(set)] = launch_.seed;
    launch();
  }
  core::Verification check() {
    DeviceMismatches mismatches(stream_);
    for (std::int64_t set = 0; set < used_sets(); ++set) {
      const auto first = static_cast<std::uint64_t>(set) * shape_.quads();
      cuda::check(
          launch_check_quads(c_.as<Quad>() + first, first, shape_.quads(),
                             seeds_[static_cast<std::size_t>(set)], mismatches.log(), shape_.blocks, stream_),
          "check what was written");
    }
    return verification_of(mismatches.read(), used_sets() * shape_.bytes,
                           "what the last iteration wrote there");
  }

 private:
  std::vector<std::uint32_t> seeds_;  // last one written to each set
};

class CudaCopy : public DeclaredCudaCopy, public CudaStream {
 public:
  CudaCopy(const Settings& settings, cuda::DeviceSite& site)
      : CudaStream(StreamKernel::copy, settings, 2, site), by_bulk_(settings.by_bulk) {
    if (by_bulk_) {
      if (site.device.compute_major < 9)
        throw core::Unsupported(core::ErrorKind::cuda,
                                fmt::format("mover=tma needs compute capability 9.0, this GPU has {}.{}",
                                            site.device.compute_major, site.device.compute_minor));
      int per_sm = 0;
      cuda::check(bulk_copy_blocks_per_sm(per_sm), "ask for the occupancy of the bulk copy");
      launch_.blocks =
          stream_blocks(shape_.passes * (shape_.bytes / bulk_chunk_bytes), site.device.sm_count, per_sm);
    }
    a_ = cuda::DeviceBuffer(size_of(shape_.all_bytes()));
    c_ = cuda::DeviceBuffer(size_of(shape_.all_bytes()));
    cuda::check(launch_fill(a_.as<Quad>(), shape_.all_quads(), seed_a, shape_.blocks, stream_),
                "fill the source");
    spoil(c_, stream_);
    wait_for_check(stream_, "fill the arrays");
  }
  void enqueue() {
    aim();
    if (by_bulk_)
      cuda::check(launch_bulk_copy(launch_, stream_), "launch the bulk copy");
    else
      launch();
  }
  core::Verification check() {
    DeviceMismatches mismatches(stream_);
    const auto quads = static_cast<std::uint64_t>(used_sets()) * shape_.quads();
    cuda::check(launch_check_quads(c_.as<Quad>(), 0, quads, seed_a, mismatches.log(), shape_.blocks, stream_),
                "check the copy");
    return verification_of(mismatches.read(), used_sets() * shape_.bytes, "the source");
  }

 private:
  bool by_bulk_;
};

class CudaTriad : public DeclaredCudaTriad, public CudaStream {
 public:
  CudaTriad(const Settings& settings, cuda::DeviceSite& site)
      : CudaStream(StreamKernel::triad, settings, 3, site) {
    a_ = cuda::DeviceBuffer(size_of(shape_.all_bytes()));
    b_ = cuda::DeviceBuffer(size_of(shape_.all_bytes()));
    c_ = cuda::DeviceBuffer(size_of(shape_.all_bytes()));
    cuda::check(launch_fill_floats(a_.as<Quad>(), shape_.all_quads(), seed_a, shape_.blocks, stream_),
                "fill a");
    cuda::check(launch_fill_floats(b_.as<Quad>(), shape_.all_quads(), seed_b, shape_.blocks, stream_),
                "fill b");
    spoil(c_, stream_);
    wait_for_check(stream_, "fill the arrays");
  }
  void enqueue() {
    aim();
    launch();
  }
  core::Verification check() {
    DeviceMismatches mismatches(stream_);
    const auto quads = static_cast<std::uint64_t>(used_sets()) * shape_.quads();
    cuda::check(
        launch_check_triad(c_.as<Quad>(), 0, quads, seed_a, seed_b, mismatches.log(), shape_.blocks, stream_),
        "check the triad");
    return verification_of(mismatches.read(), used_sets() * shape_.bytes, "a + 3 b");
  }
};

}  // namespace

std::vector<core::Case> cuda_stream_cases(const machine::Machine&) {
  using core::case_of;
  return {case_of<CudaRead>(), case_of<CudaWrite>(), case_of<CudaCopy>(), case_of<CudaTriad>()};
}

}  // namespace assay::memory
