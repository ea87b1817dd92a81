// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The aggressor that is queued again and again by a thread: a product, or copies by engine.
#pragma once

#include <memory>
#include <vector>

#include "harness/cuda/handles.hpp"
#include "offload/interference/aggressor.hpp"
#include "offload/interference/device/device_loads.hpp"
#include "offload/interference/feeder.hpp"

namespace assay::offload {

class FedAggressor final : public Aggressor, private FedQueue {
 public:
  /// Runs a quantum alone, to know how many keep the queue from running dry. The device must be current.
  /// Throws core::Error.
  FedAggressor(std::unique_ptr<DeviceLoad> load, double cap_gb_per_s, const cuda::Device& device);
  ~FedAggressor() override { abandon(); }
  FedAggressor(const FedAggressor&) = delete;
  FedAggressor& operator=(const FedAggressor&) = delete;

  void start() override;
  void mark_begin(cudaStream_t victim) override;
  void mark_end(cudaStream_t victim) override;
  Meanwhile stop() override;
  void abandon() noexcept override;

  double quantum_bytes() const override { return load_->quantum_bytes(); }
  double quantum_flops() const override { return load_->quantum_flops(); }
  std::optional<std::string> wrong() override { return load_->wrong(); }
  std::vector<core::Fact> facts() const override;

 private:
  void attach() override;
  void push(int slot) override;
  std::optional<double> ended_s(int slot) override;
  void drain() override;

  std::unique_ptr<DeviceLoad> load_;
  double cap_gb_per_s_;
  double alone_s_ = 0;  // of a quantum, without a load
  int gpu_;
  cuda::Stream stream_;
  cuda::Event origin_, begin_, end_;
  std::vector<cuda::Event> ends_;   // by slot
  std::unique_ptr<Feeder> feeder_;  // while it runs; ends before what it feeds
};

}  // namespace assay::offload
