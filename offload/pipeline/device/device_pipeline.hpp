// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// The pipeline on a GPU: blocks in pinned memory, slots for them in device memory, a stream for each
// direction of copies and one for the products; and each part by itself.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "harness/core/measure/benchmark.hpp"
#include "harness/cuda/timing/device_site.hpp"
#include "harness/cuda/timing/stream_gate.hpp"
#include "harness/machine/machine.hpp"
#include "offload/pipeline/device/device_block_memory.hpp"
#include "offload/pipeline/device/device_pass.hpp"
#include "offload/pipeline/device/device_pipeline_declarations.hpp"
#include "offload/pipeline/device/device_products.hpp"

namespace assay::offload {

/// Bytes of device memory: the slots, as many that are never copied to, the inputs and cuBLASLt's workspace.
std::int64_t device_bytes(const DevicePipelineSettings& settings);

/// Why the memories do not hold it; said before anything is allocated, with the bytes. Available bytes of 0
/// are not known.
std::optional<std::string> why_no_space(const machine::Machine& machine,
                                        const DevicePipelineSettings& settings,
                                        std::int64_t available_on_device, std::int64_t available_on_host);

class DevicePipeline {
 public:
  /// On the site's device, whose stream the products run on. Throws core::Error.
  DevicePipeline(const DevicePipelineSettings& settings, cuda::DeviceSite& site);

  /// Each part once, the pipeline last. `timer` is that of the site's stream: it clocks the products alone.
  StepParts run_all(cuda::GatedTimer& timer);
  /// Compares what the last step wrote back with products of what lies far, bit for bit, and some elements of
  /// those with sums of the host.
  core::Verification verify();
  /// Calls `look` while blocks are fetched as fast as they can be.
  void while_fetching(const std::function<void()>& look);

  /// Whether parts are queued behind a gate: under a cap, and where a step has more blocks than launches
  /// fit, the host queues while the device works.
  bool is_gated() const { return gated_; }
  std::string algorithm() const { return products_.algorithm(); }

 private:
  void compute_block(Slots slots, int block) const;
  DevicePass make_pass(const Progress& through, Slots slots, double cap_gb_per_s) const;
  DevicePass make_pass(const Progress& through, Slots slots) const {
    return make_pass(through, slots, settings_.cap_gb_per_s);
  }
  /// All streams continue from one edge, once the hold is opened.
  cuda::GateHold start_edge();
  void wait_for_streams(const char* doing) const;
  /// Returns the pass once it is over.
  DevicePass run(const Progress& through);
  void run_beside(DevicePass& timed, RepeatedPasses& others);
  void run_beside(StepParts& parts);
  double end_of_both_s(const DevicePass& pass) const;
  /// Calls turn() until it says true. Throws core::Error, which poisons the process, where the device does
  /// not answer.
  void turn_until(const std::function<bool()>& turn) const;
  core::Verification verify_block(int block, std::span<std::byte> shared);

  // Stages that are through before a pass that does the rest.
  Progress fetching() const { return {0, settings_.shape.blocks, settings_.shape.blocks}; }
  Progress writing() const { return {settings_.shape.blocks, settings_.shape.blocks, 0}; }
  Progress copying() const { return {0, settings_.shape.blocks, 0}; }
  Progress computing() const { return {settings_.shape.blocks, 0, settings_.shape.blocks}; }

  DevicePipelineSettings settings_;
  cudaStream_t compute_;
  cuda::Stream in_, out_;
  cuda::Event begun_;
  cuda::StreamGate gate_;
  bool gated_;
  DeviceBlockMemory memory_;
  DeviceProducts products_;
};

}  // namespace assay::offload
