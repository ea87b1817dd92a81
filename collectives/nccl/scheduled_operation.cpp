// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/nccl/scheduled_operation.hpp"

#include "collectives/nccl/nccl_operation.hpp"
#include "collectives/transport/executor.hpp"

namespace assay::collectives {

ScheduledOperation::ScheduledOperation(const Place& place, const Algorithm& algorithm, const Problem& problem,
                                       const Content& content, int rank)
    : calls_(place.calls),
      communicator_(place.communicator),
      accelerator_(place.accelerator),
      content_(content),
      ranks_(problem.ranks),
      averaged_(averages(problem, content) ? shape_of(problem, rank).output : 0),
      schedule_(schedule_of(algorithm, problem, rank)),
      figures_(algorithm, problem, schedule_, rank, bytes_of(content.type)) {
  const std::int64_t element = bytes_of(content.type), arriving = most_arriving(schedule_);
  if (schedule_.scratch > 0) scratch_ = place.allocate(schedule_.scratch * element);
  if (arriving > 0) arriving_ = place.allocate(arriving * element);
}

void ScheduledOperation::enqueue(const std::byte* input, std::byte* output, cudaStream_t stream) {
  const Buffers buffers{input, output};
  for (const Step& step : schedule_.steps) {
    transfer(step, buffers, stream);
    reduce_arrived(step, buffers);
    for (const Local& local : step.then) work(local, buffers);
  }
  if (averaged_ > 0) accelerator_.average(content_.type, ranks_, output, averaged_);
}

std::byte* ScheduledOperation::at(const Range& range, const Buffers& buffers) const {
  const std::int64_t offset = range.first * bytes_of(content_.type);
  // A schedule only reads its input; the cast spares a second function for reading.
  if (range.buffer == Buffer::input) return const_cast<std::byte*>(buffers.input) + offset;
  return (range.buffer == Buffer::output ? buffers.output : scratch_) + offset;
}

std::size_t ScheduledOperation::bytes(const Range& range) const {
  return static_cast<std::size_t>(range.count * bytes_of(content_.type));
}

void ScheduledOperation::transfer(const Step& step, const Buffers& buffers, cudaStream_t stream) {
  if (step.sends.empty() && step.receives.empty()) return;
  constexpr const char* doing = "send and receive";
  NcclGroup group(calls_, communicator_);
  std::size_t arrived = 0;
  for (const Receive& receive : step.receives) {
    const std::size_t size = bytes(receive.into);
    if (size == 0) continue;  // nor does the other side send
    std::byte* const into = receive.reduce ? arriving_ + arrived : at(receive.into, buffers);
    if (receive.reduce) arrived += size;
    communicator_.check(calls_.recv(into, size, ncclInt8, receive.from, communicator_.get(), stream), doing);
  }
  for (const Send& send : step.sends)
    if (const std::size_t size = bytes(send.from); size > 0)
      communicator_.check(
          calls_.send(at(send.from, buffers), size, ncclInt8, send.to, communicator_.get(), stream), doing);
  group.end();
}

void ScheduledOperation::reduce_arrived(const Step& step, const Buffers& buffers) {
  std::size_t arrived = 0;
  for (const Receive& receive : step.receives) {
    const std::size_t size = bytes(receive.into);
    if (!receive.reduce || size == 0) continue;
    accelerator_.reduce(content_.type, content_.reduction, at(receive.into, buffers), arriving_ + arrived,
                        receive.into.count);
    arrived += size;
  }
}

void ScheduledOperation::work(const Local& local, const Buffers& buffers) {
  if (local.into.count == 0) return;
  std::byte* const into = at(local.into, buffers);
  const std::byte* const from = at(local.from, buffers);
  if (local.reduce)
    accelerator_.reduce(content_.type, content_.reduction, into, from, local.into.count);
  else if (into != from)
    accelerator_.copy(into, from, bytes(local.into));
}

}  // namespace assay::collectives
