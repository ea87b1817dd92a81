// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/pipeline/device/device_pass.hpp"

#include <cuda_runtime_api.h>

#include <limits>
#include <utility>

#include "harness/core/seconds_since.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/finished.hpp"

namespace assay::offload {
namespace {

bool reached(const cuda::Event& event) {
  return cuda::is_finished(event.get(), "ask for an event of the pipeline");
}

std::int64_t piece_bytes_under(double cap_gb_per_s) {
  return cap_gb_per_s < unlimited ? device_piece_bytes : std::numeric_limits<std::int64_t>::max();
}

}  // namespace

DevicePass::DevicePass(const PipelineShape& shape, const Progress& through, const PassQueueing& queueing,
                       PassWork work)
    : shape_(shape),
      queued_(through),
      reached_(through),
      capped_(queueing.cap_gb_per_s < unlimited),
      ahead_(queueing.ahead),
      work_(std::move(work)),
      lanes_{Lane(Direction::in, queueing.cap_gb_per_s, piece_bytes_under(queueing.cap_gb_per_s)),
             Lane(Direction::out, queueing.cap_gb_per_s, piece_bytes_under(queueing.cap_gb_per_s))} {
  for (std::vector<cuda::Event>& events : events_)
    for (int block = 0; block < shape.blocks; ++block)
      events.push_back(cuda::make_event(cuda::EventUse::timing));
}

void DevicePass::advance() {
  look();
  queue_computing();
  for (Lane& lane : lanes_) {
    lane.refill(*this);
    while (lane.due(core::steady_seconds())) {
      lane.move_piece(*this);
      lane.refill(*this);
    }
  }
}

void DevicePass::queue_computing() {
  while (may_compute(shape_, queued_) && queued_.computed - reached_.computed < ahead_) {
    const int block = queued_.computed;
    wait(Stage::compute, Stage::fetch, block);
    wait(Stage::compute, Stage::write, slot_from(shape_, block));
    work_.compute(block);
    record(Stage::compute, block);
    ++queued_.computed;
  }
}

std::optional<Transfer> DevicePass::next(Direction direction) {
  // Under a cap a transfer's time begins when the device is through with the block before, not when that was
  // queued.
  const Progress seen{queued_.fetched, capped_ ? reached_.computed : queued_.computed, queued_.written};
  if (direction == Direction::in) {
    if (!may_fetch(shape_, seen) || seen.fetched - reached_.fetched >= ahead_) return std::nullopt;
    wait(Stage::fetch, Stage::compute, slot_from(shape_, seen.fetched));
    return work_.transfer(direction, seen.fetched);
  }
  if (!may_write(shape_, seen) || seen.written - reached_.written >= ahead_) return std::nullopt;
  wait(Stage::write, Stage::compute, seen.written);
  return work_.transfer(direction, seen.written);
}

void DevicePass::move(Direction direction, const Transfer& piece) {
  const bool in = direction == Direction::in;
  cuda::check(cudaMemcpyAsync(piece.to, piece.from, static_cast<std::size_t>(piece.bytes),
                              in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost,
                              in ? work_.in_stream : work_.out_stream),
              in ? "queue what a block fetches" : "queue what a block writes back");
}

void DevicePass::ended(Direction direction) {
  if (direction == Direction::in)
    record(Stage::fetch, queued_.fetched++);
  else
    record(Stage::write, queued_.written++);
}

bool DevicePass::all_queued() const {
  return queued_.fetched == shape_.blocks && queued_.computed == shape_.blocks &&
         queued_.written == shape_.blocks;
}

void DevicePass::look() {
  const auto count_up = [this](Stage stage, int& reached_blocks, int queued_blocks) {
    while (reached_blocks < queued_blocks && reached(event(stage, reached_blocks))) ++reached_blocks;
  };
  count_up(Stage::fetch, reached_.fetched, queued_.fetched);
  count_up(Stage::compute, reached_.computed, queued_.computed);
  count_up(Stage::write, reached_.written, queued_.written);
}

bool DevicePass::over() {
  look();
  return reached_.fetched == shape_.blocks && reached_.computed == shape_.blocks &&
         reached_.written == shape_.blocks;
}

double DevicePass::end_s(Stage stage, const cuda::Event& begun) const {
  return cuda::seconds_between(begun, event(stage, shape_.blocks - 1),
                               "read when a stage of the pipeline ended");
}

cudaStream_t DevicePass::stream_of(Stage stage) const {
  return stage == Stage::fetch     ? work_.in_stream
         : stage == Stage::compute ? work_.compute_stream
                                   : work_.out_stream;
}

const cuda::Event& DevicePass::event(Stage stage, int block) const {
  return events_[static_cast<std::size_t>(stage)][static_cast<std::size_t>(block)];
}

void DevicePass::record(Stage stage, int block) const {
  cuda::check(cudaEventRecord(event(stage, block).get(), stream_of(stage)), "record a block's stage");
}

void DevicePass::wait(Stage stage, Stage other, int block) const {
  // An event that was never recorded delays nothing: that stage was through before this pass.
  if (block >= 0)
    cuda::check(cudaStreamWaitEvent(stream_of(stage), event(other, block).get()), "wait for a block's stage");
}

}  // namespace assay::offload
