// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/fed_aggressor.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "harness/core/error.hpp"
#include "harness/cuda/check.hpp"
#include "harness/cuda/finished.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "offload/interference/feeder.hpp"

namespace assay::offload {
namespace {

constexpr double longest_feeder_start_s = 5;
constexpr std::chrono::seconds longest_drain(60);
// Time that the queued quanta last: longer than a thread is likely to be kept from its CPU.
constexpr double queued_s = 4e-3;
constexpr int least_depth = 3, most_depth = 64;

double between_s(const cuda::Event& begin, const cuda::Event& end) {
  return cuda::seconds_between(begin, end, "read when a quantum ended");
}

}  // namespace

FedAggressor::FedAggressor(std::unique_ptr<DeviceLoad> load, double cap_gb_per_s, const cuda::Device& device)
    : load_(std::move(load)),
      cap_gb_per_s_(cap_gb_per_s),
      gpu_(device.index),
      stream_(cuda::make_stream(load_->priority())),
      origin_(cuda::make_event(cuda::EventUse::timing)),
      begin_(cuda::make_event(cuda::EventUse::timing)),
      end_(cuda::make_event(cuda::EventUse::timing)) {
  cuda::EventTimer timer;
  load_->enqueue(stream_.get());
  timer.start(stream_.get());
  load_->enqueue(stream_.get());
  timer.stop(stream_.get());
  cuda::wait_for(stream_.get(), "time a quantum of the aggressor", longest_drain);
  alone_s_ = timer.seconds();
  const double quanta = std::ceil(queued_s / std::max(1e-6, alone_s_));
  const int depth = std::clamp(static_cast<int>(quanta) + 1, least_depth, most_depth);
  for (int slot = 0; slot < depth; ++slot) ends_.push_back(cuda::make_event(cuda::EventUse::timing));
}

void FedAggressor::attach() { cuda::check(cudaSetDevice(gpu_), "make the device current"); }

void FedAggressor::push(int slot) {
  load_->enqueue(stream_.get());
  cuda::check(cudaEventRecord(ends_[static_cast<std::size_t>(slot)].get(), stream_.get()),
              "mark the end of a quantum");
}

std::optional<double> FedAggressor::ended_s(int slot) {
  const cuda::Event& end = ends_[static_cast<std::size_t>(slot)];
  if (!cuda::is_finished(end.get(), "ask for the end of a quantum")) return std::nullopt;
  return between_s(origin_, end);
}

void FedAggressor::drain() { cuda::wait_for(stream_.get(), "finish the aggressor's queue", longest_drain); }

void FedAggressor::start() {
  cuda::check(cudaEventRecord(origin_.get(), stream_.get()), "mark the aggressor's beginning");
  FedQueue& queue = *this;
  feeder_ = std::make_unique<Feeder>(queue, static_cast<int>(ends_.size()), cap_gb_per_s_,
                                     static_cast<std::int64_t>(load_->quantum_bytes()));
  try {
    feeder_->await_first(longest_feeder_start_s);
  } catch (core::Error& error) {
    abandon();
    if (cuda::context_is_lost()) error.poison();
    throw;
  }
}

void FedAggressor::mark_begin(cudaStream_t victim) {
  cuda::check(cudaEventRecord(begin_.get(), victim), "mark the victim's beginning");
}

void FedAggressor::mark_end(cudaStream_t victim) {
  cuda::check(cudaEventRecord(end_.get(), victim), "mark the victim's end");
}

Meanwhile FedAggressor::stop() {
  const Fed fed = feeder_->stop();
  feeder_.reset();
  const double begin_s = between_s(origin_, begin_), end_s = between_s(origin_, end_);
  const bool ended_before = cap_gb_per_s_ == unlimited && fed.ends_s.back() < end_s;
  return {.quanta_per_s = quanta_per_s(fed.ends_s, begin_s, end_s),
          .ran_dry = fed.ran_dry + (ended_before ? 1 : 0)};
}

void FedAggressor::abandon() noexcept {
  if (!feeder_) return;
  feeder_.reset();
  if (cuda::context_is_lost()) return;
  try {
    drain();
  } catch (const core::Error&) {
    // Whoever abandons reports an error of its own; the context is marked as lost.
  }
}

std::vector<core::Fact> FedAggressor::facts() const {
  std::vector<core::Fact> facts = load_->facts();
  for (auto& [name, value] : facts) name = "aggressor_" + name;
  facts.emplace_back("aggressor_alone_us", 1e6 * alone_s_);
  if (load_->priority() == cuda::StreamPriority::urgent)
    facts.emplace_back("aggressor_stream_priority", "highest");
  facts.emplace_back("aggressor_queue_depth", static_cast<std::int64_t>(ends_.size()));
  return facts;
}

}  // namespace assay::offload
