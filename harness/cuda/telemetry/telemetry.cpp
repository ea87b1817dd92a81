// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/cuda/telemetry/telemetry.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace assay::cuda {
namespace {

// NVML's clock readings change about every 20 ms, power and the energy counter about every 100 ms.
constexpr std::chrono::milliseconds period{20};

}  // namespace

struct Telemetry::Sampler {
  std::vector<TelemetryReading> readings;  // written by the thread, read after it was joined
  std::mutex mutex;
  std::condition_variable_any wake;
  std::jthread thread;

  explicit Sampler(TelemetrySource& source)
      : thread([this, &source](const std::stop_token& stop) { sample(source, stop); }) {}

  void sample(TelemetrySource& source, const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (!stop.stop_requested()) {
      readings.push_back(source.read());
      wake.wait_for(lock, stop, period, [] { return false; });
    }
    readings.push_back(source.read());
  }
};

Telemetry::Telemetry(std::unique_ptr<TelemetrySource> source, std::string why_not)
    : source_(std::move(source)), why_not_(std::move(why_not)) {}

Telemetry::~Telemetry() = default;

std::optional<TelemetryReading> Telemetry::now() {
  if (!source_) return std::nullopt;
  return source_->read();
}

void Telemetry::begin() {
  if (!source_) return;
  sampler_.reset();
  before_ = source_->count();
  sampler_ = std::make_unique<Sampler>(*source_);
}

void Telemetry::end() {
  if (!sampler_) return;
  sampler_->thread.request_stop();
  sampler_->thread.join();
  summary_ = summarize_telemetry(sampler_->readings, before_, source_->count());
  sampler_.reset();
}

std::vector<core::Fact> Telemetry::facts() const {
  if (!source_) return {{"telemetry", why_not_}};
  return telemetry_facts(summary_);
}

}  // namespace assay::cuda
