// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A trial that says after each step that it goes on, so that a long point is not taken for one that hangs.
#pragma once

#include <functional>
#include <utility>

#include "harness/core/benchmark.hpp"

namespace assay::run {

class AnnouncedTrial final : public core::Trial {
 public:
  /// `inner` must outlive it. `goes_on` is called after each step of it.
  AnnouncedTrial(core::Trial& inner, std::function<void()> goes_on)
      : inner_(inner), goes_on_(std::move(goes_on)) {
    goes_on_();
  }

  core::Timing run(std::int64_t iterations) override {
    core::Timing timing = inner_.run(iterations);
    goes_on_();
    return timing;
  }
  core::Verification verify() override {
    core::Verification verification = inner_.verify();
    goes_on_();
    return verification;
  }
  std::vector<core::Signal> signals() override { return inner_.signals(); }
  void sampling_begins() override { inner_.sampling_begins(); }
  void sampling_ends() override {
    inner_.sampling_ends();
    goes_on_();
  }
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override {
    return inner_.metrics(measurement);
  }
  std::vector<core::Fact> facts() override { return inner_.facts(); }

 private:
  core::Trial& inner_;
  std::function<void()> goes_on_;
};

}  // namespace assay::run
