// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A trial that says after each step that it goes on, so that a long point is not taken for one that hangs.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "harness/core/benchmark.hpp"

namespace assay::run {

class AnnouncedTrial final : public core::Trial {
 public:
  /// `still_runs` is called after each step of `inner`, of which being prepared is the first.
  AnnouncedTrial(std::unique_ptr<core::Trial> inner, std::function<void()> still_runs)
      : inner_(std::move(inner)), still_runs_(std::move(still_runs)) {
    still_runs_();
  }

  core::Timing run(std::int64_t iterations) override {
    core::Timing timing = inner_->run(iterations);
    still_runs_();
    return timing;
  }
  core::Verification verify() override {
    core::Verification verification = inner_->verify();
    still_runs_();
    return verification;
  }
  std::vector<core::Signal> signals() override { return inner_->signals(); }
  void sampling_begins() override { inner_->sampling_begins(); }
  void sampling_ends() override {
    inner_->sampling_ends();
    still_runs_();
  }
  std::vector<core::Metric> metrics(const core::Measurement& measurement) override {
    return inner_->metrics(measurement);
  }
  std::vector<core::Fact> facts() override { return inner_->facts(); }

 private:
  std::unique_ptr<core::Trial> inner_;
  std::function<void()> still_runs_;
};

}  // namespace assay::run
