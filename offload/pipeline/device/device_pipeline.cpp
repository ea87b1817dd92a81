// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/device/device_pipeline.hpp"

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/process/stop_request.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/device.hpp"
#include "harness/cuda/launch_chunks.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "harness/workload/lt_matmul.hpp"
#include "offload/pipeline/block_numbers.hpp"
#include "offload/pipeline/copier.hpp"
#include "offload/pipeline/element_check.hpp"
#include "offload/point_axes.hpp"

namespace assay::offload {
namespace {

using Result = core::Verification::Result;

/// Queue entries of a block on the busiest stream: its products, each with a second kernel that it may bring
/// along, and its events.
std::int64_t launches_of(const Block& block) {
  return 2 * static_cast<std::int64_t>(block.products.size()) + 4;
}

/// Without a gate: what keeps the device busy, and leaves space in the launch queue for what else runs.
constexpr int blocks_ahead = 8;

std::size_t bytes_of(std::int64_t bytes) { return static_cast<std::size_t>(bytes); }

/// Two minutes, and what the copies take that the cap makes slow.
double longest_pass_s(const StepSettings& step) {
  return 120 + 2 * std::max(step.in_bytes(), step.out_bytes()) * 1e-9 / step.cap_gb_per_s;
}

}  // namespace

std::int64_t device_bytes(const DevicePipelineSettings& settings) {
  return settings.layout().near_bytes() + static_cast<std::int64_t>(workload::lt_workspace_bytes);
}

std::optional<std::string> why_no_space(const machine::Machine& machine,
                                        const DevicePipelineSettings& settings,
                                        std::int64_t available_on_device, std::int64_t available_on_host) {
  if (auto why = missing_node(machine, {settings.far_node})) return why;
  const std::string slots = fmt::format("the device memory of {} resident blocks", settings.shape.resident);
  if (auto why = does_not_fit(slots, device_bytes(settings), available_on_device)) return why;
  return does_not_fit("the pinned memory of all blocks", settings.layout().far_bytes(), available_on_host);
}

DevicePipeline::DevicePipeline(const DevicePipelineSettings& settings, cuda::DeviceSite& site)
    : settings_(settings),
      compute_(site.stream.get()),
      in_(cuda::make_stream()),
      out_(cuda::make_stream()),
      begun_(cuda::make_event(cuda::EventUse::timing)),
      gated_(!settings.is_capped() &&
             settings.shape.blocks * launches_of(settings.block) <= cuda::gated_launch_limit),
      memory_(settings.layout(), settings.dtype, settings.far_node),
      products_(settings.block) {
  // Loads the library's kernels, which must not happen behind a closed gate.
  compute_block(Slots::quiet, 0);
  wait_for_streams("run the products once");
}

void DevicePipeline::compute_block(Slots slots, int block) const {
  products_.enqueue(memory_.places(slots, block), compute_);
}

DevicePass DevicePipeline::make_pass(const Progress& through, Slots slots, double cap_gb_per_s) const {
  return {
      settings_.shape, through, PassQueueing{cap_gb_per_s, gated_ ? settings_.shape.blocks : blocks_ahead},
      PassWork{
          .compute_stream = compute_,
          .in_stream = in_.get(),
          .out_stream = out_.get(),
          .compute = [this, slots](int block) { compute_block(slots, block); },
          .transfer = [this](Direction direction, int block) { return memory_.transfer(direction, block); }}};
}

cuda::GateHold DevicePipeline::start_edge() {
  cuda::GateHold hold = gate_.close(compute_);
  cuda::check(cudaEventRecord(begun_.get(), compute_), "record the start of a pass");
  for (const cuda::Stream* stream : {&in_, &out_})
    cuda::check(cudaStreamWaitEvent(stream->get(), begun_.get()), "start a pass");
  if (!gated_) hold.open();
  return hold;
}

void DevicePipeline::wait_for_streams(const char* doing) const {
  const std::chrono::duration<double> limit(longest_pass_s(settings_));
  for (cudaStream_t stream : {compute_, in_.get(), out_.get()}) cuda::wait_for(stream, doing, limit);
}

void DevicePipeline::turn_until(const std::function<bool()>& turn) const {
  const double limit_s = core::steady_seconds() + longest_pass_s(settings_);
  SpinningWait wait;
  while (!turn()) {
    wait.turn();
    if (!gated_ && core::is_stop_overdue()) {
      wait_for_streams("let what is queued end");  // before its memory goes
      core::end_wait_if_stopped("a pass through the blocks");
    }
    if (core::steady_seconds() < limit_s) continue;
    cuda::note_context_lost();
    core::Error error(core::ErrorKind::cuda,
                      "a pass through the blocks has not ended: the device does not answer",
                      static_cast<long>(cudaErrorLaunchTimeout));
    throw error.poison();
  }
}

DevicePass DevicePipeline::run(const Progress& through) {
  DevicePass pass = make_pass(through, Slots::moving);
  cuda::GateHold hold = start_edge();
  turn_until([&] {
    pass.advance();
    return pass.all_queued();
  });
  hold.open();
  turn_until([&] { return pass.over(); });
  if (gated_) gate_.throw_if_timed_out();
  return pass;
}

void DevicePipeline::run_beside(DevicePass& timed, RepeatedPasses& others) {
  cuda::GateHold hold = start_edge();
  turn_until([&] {
    others.advance();
    timed.advance();
    return timed.all_queued() && (!gated_ || others.all_queued());
  });
  hold.open();
  turn_until([&] {
    others.advance();
    return timed.over();
  });
  wait_for_streams("let the last passes end");
  if (gated_) gate_.throw_if_timed_out();
}

StepParts DevicePipeline::run_all(cuda::GatedTimer& timer) {
  StepParts parts;
  const auto compute_all = [this] {
    for (int block = 0; block < settings_.shape.blocks; ++block) compute_block(Slots::quiet, block);
  };
  parts.compute_s = timer.run(1, settings_.shape.blocks * launches_of(settings_.block), compute_all).seconds;
  parts.fetch_s = run(fetching()).end_s(Stage::fetch, begun_);
  // Spoil the slots: all write-backs before the step copy them, and so spoil every far block.
  memory_.spoil_moving(compute_);
  parts.write_s = run(writing()).end_s(Stage::write, begun_);
  parts.both_s = end_of_both_s(run(copying()));
  run_beside(parts);
  memory_.spoil_moving(compute_);
  parts.step_s = run({}).end_s(Stage::write, begun_);
  return parts;
}

void DevicePipeline::run_beside(StepParts& parts) {
  DevicePass products = make_pass(computing(), Slots::quiet);
  RepeatedPasses copies([this] { return make_pass(copying(), Slots::moving); });
  run_beside(products, copies);
  parts.compute_beside_s = products.end_s(Stage::compute, begun_);

  DevicePass transfers = make_pass(copying(), Slots::moving);
  RepeatedPasses computes([this] { return make_pass(computing(), Slots::quiet); });
  run_beside(transfers, computes);
  parts.fetch_beside_s = transfers.end_s(Stage::fetch, begun_);
  parts.write_beside_s = transfers.end_s(Stage::write, begun_);
  parts.both_beside_s = end_of_both_s(transfers);
}

double DevicePipeline::end_of_both_s(const DevicePass& pass) const {
  return std::max(pass.end_s(Stage::fetch, begun_), pass.end_s(Stage::write, begun_));
}

void DevicePipeline::while_fetching(const std::function<void()>& look) {
  DevicePass pass = make_pass(fetching(), Slots::moving, unlimited);
  start_edge().open();
  pass.advance();
  look();
  turn_until([&] {
    pass.advance();
    return pass.over();
  });
}

core::Verification DevicePipeline::verify() {
  std::vector<std::byte> shared(bytes_of(settings_.block.shared_bytes));
  fill_with_numbers(shared.data(), settings_.block.shared_bytes, settings_.dtype, 0);
  for (int block = 0; block < settings_.shape.blocks; ++block)
    if (auto seen = verify_block(block, shared); seen.result != Result::right) return seen;
  return {Result::right,
          fmt::format("what {} blocks wrote back, bit for bit; some elements of each product against sums in "
                      "double",
                      settings_.shape.blocks)};
}

core::Verification DevicePipeline::verify_block(int block, std::span<std::byte> shared) {
  std::vector<std::byte> expected(bytes_of(settings_.block.written_bytes));
  std::byte* written = memory_.written(Slots::quiet, block);
  cuda::check(cudaMemcpyAsync(memory_.fetched(Slots::quiet, block), memory_.far_fetched(block),
                              bytes_of(settings_.block.fetched_bytes), cudaMemcpyHostToDevice, compute_),
              "copy a block to check it");
  cuda::check(cudaMemsetAsync(written, 0xff, expected.size(), compute_), "spoil what a block writes");
  compute_block(Slots::quiet, block);
  wait_for_streams("compute a block to check it");
  cuda::check(cudaMemcpy(expected.data(), written, expected.size(), cudaMemcpyDeviceToHost),
              "read what a block writes");
  if (std::memcmp(expected.data(), memory_.far_written(block), expected.size()) != 0)
    return {Result::wrong,
            fmt::format("block {}: what was written back is not what was fetched gives", block)};
  const BlockPlaces far{shared.data(), memory_.far_fetched(block), memory_.far_written(block)};
  for (const BlockProduct& product : settings_.block.products) {
    if (product.result.place != Place::written) continue;
    if (const auto why = wrong_element(product.problem, far.address(product.a), far.address(product.b),
                                       far.address(product.result)))
      return {Result::wrong, fmt::format("block {}: {}", block, *why)};
  }
  return {Result::right, {}};
}

}  // namespace assay::offload
