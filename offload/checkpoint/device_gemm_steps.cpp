// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/checkpoint/device_gemm_steps.hpp"

#include <chrono>
#include <memory>
#include <vector>

#include "harness/cuda/check.hpp"
#include "harness/cuda/handles.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "harness/workload/transformer.hpp"
#include "offload/pipeline/block_numbers.hpp"
#include "offload/pipeline/device/device_products.hpp"

namespace assay::offload {
namespace {

constexpr std::chrono::seconds longest_step(60);
constexpr workload::Dtype dtype = workload::Dtype::bf16;

Block square(std::int64_t n) { return block_of({.m = n, .n = n, .k = n, .dtype = dtype}); }

/// Everything the thread needs that runs the steps.
class DeviceGemmStep {
 public:
  DeviceGemmStep(std::int64_t n, int gpu)
      : guard_(gpu),
        stream_(cuda::make_stream()),
        input_(operand(n, 0)),
        weights_(operand(n, 1)),
        result_(input_.size()),
        product_(square(n)) {}

  void run() {
    product_.enqueue({input_.data(), weights_.data(), result_.data()}, stream_.get());
    cuda::wait_for(stream_.get(), "run a product", longest_step);
  }

 private:
  static cuda::DeviceBuffer operand(std::int64_t n, int seed) {
    std::vector<std::byte> numbers(static_cast<std::size_t>(n * n * workload::element_bytes(dtype)));
    fill_with_numbers(numbers.data(), static_cast<std::int64_t>(numbers.size()), dtype, seed);
    cuda::DeviceBuffer operand(numbers.size());
    cuda::check(cudaMemcpy(operand.data(), numbers.data(), numbers.size(), cudaMemcpyHostToDevice),
                "copy an operand to the device");
    cuda::check(cudaDeviceSynchronize(), "copy an operand to the device");
    return operand;
  }

  cuda::DeviceGuard guard_;
  cuda::Stream stream_;
  cuda::DeviceBuffer input_, weights_, result_;
  DeviceProducts product_;
};

}  // namespace

TimedSteps::MakeStep device_gemm_steps(std::int64_t n, int gpu) {
  return [n, gpu] { return [step = std::make_shared<DeviceGemmStep>(n, gpu)] { step->run(); }; };
}

std::int64_t device_gemm_bytes(std::int64_t n) {
  const Block block = square(n);
  return block.shared_bytes + block.slot_bytes() + static_cast<std::int64_t>(workload::lt_workspace_bytes);
}

std::string device_gemm_steps_library() { return workload::CublasLt::library().version(); }

}  // namespace assay::offload
