// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A trial that returns scripted seconds and a clock that moves by exactly those.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "harness/core/measure/benchmark.hpp"
#include "harness/core/measure/clock.hpp"

namespace assay::core::tests {

class ScriptedClock final : public Clock {
 public:
  std::int64_t nanoseconds() override { return static_cast<std::int64_t>(now_ns_); }
  void advance(double seconds) { now_ns_ += seconds * 1e9; }

 private:
  double now_ns_ = 0;
};

class FakeTrial final : public Trial {
 public:
  /// `next` gives the seconds of each iteration in turn.
  FakeTrial(ScriptedClock& clock, std::function<double()> next) : clock_(clock), next_(std::move(next)) {}

  Timing do_run(std::int64_t iterations) override {
    ++runs;
    double seconds = 0;
    for (std::int64_t i = 0; i < iterations; ++i) seconds += next_();
    clock_.advance(seconds);
    return {.seconds = seconds};
  }
  Verification do_verify() override {
    verified = true;
    return {.result = Verification::Result::right};
  }
  void do_sampling_begins() override { events.push_back("begin"); }
  void do_sampling_ends() override { events.push_back("end"); }
  std::vector<Signal> do_signals() override {
    return signal ? std::vector<Signal>{{"clock", signal()}} : std::vector<Signal>{};
  }

  long runs = 0;
  bool verified = false;
  std::vector<const char*> events;
  std::function<double()> signal;

 private:
  ScriptedClock& clock_;
  std::function<double()> next_;
};

}  // namespace assay::core::tests
