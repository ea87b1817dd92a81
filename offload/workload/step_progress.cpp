// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/workload/step_progress.hpp"

#include <thread>

#include "harness/core/process/rest_until.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::offload {
namespace {

Direction direction_of(const training::HostTransfer& transfer) {
  return transfer.to_host ? Direction::out : Direction::in;
}

}  // namespace

StepProgress::StepProgress(const training::HostStep& step)
    : step_(step), done_(std::make_unique<std::atomic<bool>[]>(step.transfers.size())) {
  for (std::size_t at = 0; at < step.transfers.size(); ++at)
    lane(direction_of(step.transfers[at])).transfers.push_back(at);
}

std::optional<std::size_t> StepProgress::next(Direction direction) {
  Lane& own = lane(direction);
  const std::size_t ended = own.ended.load(std::memory_order_relaxed);
  if (ended == own.transfers.size()) return std::nullopt;
  const std::size_t at = own.transfers[ended];
  const training::HostTransfer& one = step_.transfers[at];
  if (passes_.load(std::memory_order_acquire) < one.after) return std::nullopt;
  if (one.brings_back && !has_ended(*one.brings_back)) return std::nullopt;
  own.begin_s = core::steady_seconds();
  return at;
}

void StepProgress::ended(Direction direction) {
  Lane& own = lane(direction);
  const std::size_t ended = own.ended.load(std::memory_order_relaxed);
  own.busy_s += core::steady_seconds() - own.begin_s;
  done_[own.transfers[ended]].store(true, std::memory_order_release);
  own.ended.store(ended + 1, std::memory_order_release);
}

bool StepProgress::over(Direction direction) const {
  return failed_ || lane(direction).ended.load(std::memory_order_acquire) == lane(direction).transfers.size();
}

void StepProgress::await_transfers_of(std::size_t pass) const {
  for (std::size_t at = 0; at < step_.transfers.size(); ++at)
    if (step_.transfers[at].before == pass)
      while (!has_ended(at) && !failed_) std::this_thread::yield();
}

HostStepTimes StepProgress::run() {
  const double begin_s = core::steady_seconds();
  for (std::size_t pass = 0; pass < step_.pass_s.size(); ++pass) {
    await_transfers_of(pass);
    core::rest_until(core::steady_seconds() + step_.pass_s[pass]);
    passes_.store(pass + 1, std::memory_order_release);
  }
  while (!over(Direction::in) || !over(Direction::out)) std::this_thread::yield();
  HostStepTimes times{.whole_s = core::steady_seconds() - begin_s};
  for (std::size_t at = 0; at < lanes_.size(); ++at) times.link_s[at] = lanes_[at].busy_s;
  return times;
}

}  // namespace assay::offload
