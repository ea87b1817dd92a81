// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "collectives/transport/executor.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "harness/core/seconds_since.hpp"

namespace assay::collectives {
std::int64_t most_arriving(const Schedule& schedule) {
  std::int64_t most = 0;
  for (const Step& step : schedule.steps) {
    std::int64_t arriving = 0;
    for (const Receive& receive : step.receives) arriving += receive.reduce ? receive.into.count : 0;
    most = std::max(most, arriving);
  }
  return most;
}

Executor::Executor(Schedule schedule, DataType type, Operator reduction, Transport& transport)
    : schedule_(std::move(schedule)),
      type_(type),
      reduction_(reduction),
      transport_(transport),
      scratch_(static_cast<std::size_t>(schedule_.scratch * bytes_of(type))),
      phase_ends_s_(schedule_.phases.size()),
      arriving_(static_cast<std::size_t>(most_arriving(schedule_) * bytes_of(type))) {}

void Executor::run(std::span<const std::byte> input, std::span<std::byte> output) {
  input_ = input.data();
  output_ = output.data();
  if (!phase_ends_s_.empty()) began_s_ = core::steady_seconds();
  std::ranges::fill(phase_ends_s_, 0);
  for (const Step& step : schedule_.steps) {
    if (!step.sends.empty() || !step.receives.empty()) {
      transfer(step);
      reduce_arrived(step);
    }
    for (const Local& local : step.then) work(local);
    if (!phase_ends_s_.empty()) ends_step(step);
  }
}

void Executor::ends_step(const Step& step) {
  const double now_s = core::steady_seconds() - began_s_;
  for (std::size_t phase = step.phase; phase < phase_ends_s_.size(); ++phase) phase_ends_s_[phase] = now_s;
}

std::byte* Executor::at(const Range& range) const {
  const std::int64_t offset = range.first * bytes_of(type_);
  // A schedule only reads its input; the cast spares a second function for reading.
  if (range.buffer == Buffer::input) return const_cast<std::byte*>(input_) + offset;
  return (range.buffer == Buffer::output ? output_ : const_cast<std::byte*>(scratch_.data())) + offset;
}

std::size_t Executor::bytes(const Range& range) const {
  return static_cast<std::size_t>(range.count * bytes_of(type_));
}

void Executor::transfer(const Step& step) {
  std::byte* arriving = arriving_.data();
  for (const Receive& receive : step.receives) {
    const std::size_t size = bytes(receive.into);
    transport_.receive(receive.from, {receive.reduce ? arriving : at(receive.into), size});
    if (receive.reduce) arriving += size;
  }
  for (const Send& send : step.sends) transport_.send(send.to, {at(send.from), bytes(send.from)});
  transport_.wait();
}

void Executor::reduce_arrived(const Step& step) {
  const std::byte* arrived = arriving_.data();
  for (const Receive& receive : step.receives) {
    if (!receive.reduce) continue;
    reduce_into(type_, reduction_, at(receive.into), arrived, receive.into.count);
    arrived += bytes(receive.into);
  }
}

void Executor::work(const Local& local) const {
  std::byte* into = at(local.into);
  const std::byte* from = at(local.from);
  if (local.reduce)
    reduce_into(type_, reduction_, into, from, local.into.count);
  else if (into != from && local.into.count > 0)
    std::memcpy(into, from, bytes(local.into));
}

}  // namespace assay::collectives
