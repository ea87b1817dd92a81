// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/feeder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

#include "harness/core/error.hpp"
#include "harness/core/seconds_since.hpp"

namespace assay::offload {
namespace {

// Short compared with quanta that last milliseconds together, and long enough to leave a CPU to others.
void rest() { std::this_thread::sleep_for(std::chrono::microseconds(20)); }

}  // namespace

Feeder::Feeder(FedQueue& queue, int depth, double cap_gb_per_s, std::int64_t quantum_bytes)
    : queue_(queue),
      depth_(depth),
      capped_(cap_gb_per_s != unlimited),
      pace_(cap_gb_per_s),
      quantum_bytes_(quantum_bytes),
      thread_([this] {
        try {
          feed();
        } catch (...) {
          failure_ = std::current_exception();
        }
        over_.store(true, std::memory_order_release);
      }) {}

Feeder::~Feeder() { end_thread(); }

void Feeder::end_thread() {
  stop_.store(true, std::memory_order_release);
  if (thread_.joinable()) thread_.join();
}

void Feeder::retire() {
  while (!under_way_.empty()) {
    const std::optional<double> ended_s = queue_.ended_s(under_way_.front());
    if (!ended_s) return;
    fed_.ends_s.push_back(*ended_s);
    under_way_.pop_front();
    first_ended_.store(true, std::memory_order_release);
  }
}

void Feeder::push_when(double due_s) {
  while (core::steady_seconds() < due_s && !stop_.load(std::memory_order_acquire)) {
    retire();
    rest();
  }
  if (stop_.load(std::memory_order_acquire)) return;
  if (!capped_ && pushed_ > 0 && under_way_.empty()) ++fed_.ran_dry;
  const int slot = static_cast<int>(pushed_ % depth_);
  queue_.push(slot);
  under_way_.push_back(slot);
  ++pushed_;
}

void Feeder::feed() {
  queue_.attach();
  pace_.resume(core::steady_seconds());
  while (!stop_.load(std::memory_order_acquire)) {
    retire();
    if (static_cast<int>(under_way_.size()) < depth_)
      push_when(pace_.claim_s(quantum_bytes_));
    else
      rest();
  }
}

void Feeder::await_first(double limit_s) {
  const double began_s = core::steady_seconds();
  while (!first_ended_.load(std::memory_order_acquire)) {
    if (over_.load(std::memory_order_acquire)) {
      end_thread();
      if (failure_) std::rethrow_exception(failure_);
    }
    if (core::steady_seconds() - began_s > limit_s)
      throw core::TimedOut(core::ErrorKind::system,
                           fmt::format("the aggressor did no quantum of work within {} s", limit_s));
    rest();
  }
}

Fed Feeder::stop() {
  end_thread();
  if (failure_) std::rethrow_exception(failure_);
  queue_.drain();
  retire();
  return fed_;
}

namespace {

/// Quanta done by then.
double done(const std::vector<double>& ends_s, double now_s) {
  const auto next = std::ranges::upper_bound(ends_s, now_s);
  const auto whole = static_cast<double>(next - ends_s.begin());
  if (next == ends_s.end()) return whole;
  const double began_s = next == ends_s.begin() ? 0 : *(next - 1);
  return whole + std::max(0.0, now_s - began_s) / (*next - began_s);
}

}  // namespace

double quanta_per_s(const std::vector<double>& ends_s, double begin_s, double end_s) {
  if (end_s <= begin_s) return 0;
  return (done(ends_s, end_s) - done(ends_s, begin_s)) / (end_s - begin_s);
}

}  // namespace assay::offload
