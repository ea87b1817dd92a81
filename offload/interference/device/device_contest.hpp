// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// A victim on a GPU and what runs at the same time: the victim's time and the SM clock alone, next to idle
// blocks and next to the aggressor, one after the other within every sample.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "harness/cuda/timing/device_site.hpp"
#include "offload/interference/aggressor.hpp"
#include "offload/interference/contest_metrics.hpp"
#include "offload/interference/device/device_contest_settings.hpp"
#include "offload/interference/device/device_loads.hpp"

namespace assay::offload {

/// Times, clocks and the aggressor's rates of one sample.
struct DeviceContestTimes {
  ContestTimes times;
  double alone_mhz = 0, beside_spin_mhz = 0, beside_mhz = 0;  // SM clock; NaN where it could not be read
  double aggressor_tflops = 0;
};

class DeviceContest {
 public:
  /// Throws core::Error.
  DeviceContest(const DeviceContestSettings& settings, cuda::GatedSite& site);
  /// At a site of its own.
  DeviceContest(const DeviceContestSettings& settings, int gpu)
      : DeviceContest(settings, std::make_unique<cuda::GatedSite>(cuda::DevicePlace{gpu})) {}

  DeviceContestTimes run();
  /// Quanta of the victim in each part of a contest.
  std::int64_t quanta() const { return quanta_; }
  /// Discards the empty queues that warming up saw: they do not belong to the samples.
  void forget_ran_dry() { ran_dry_ = 0; }
  /// Verifies what the victim and the aggressor computed and moved.
  core::Verification verify();
  std::vector<core::Fact> facts() const;

  const DeviceLoad& victim() const { return *victim_; }
  const cuda::GatedSite& site() const { return site_; }

 private:
  DeviceContest(const DeviceContestSettings& settings, std::unique_ptr<cuda::GatedSite> own)
      : DeviceContest(settings, *own) {
    own_ = std::move(own);
  }
  struct Round;
  std::unique_ptr<Aggressor> make_aggressor() const;
  /// The victim, its results spoiled before, while `other` (nullptr: no load) runs all along.
  Round run_beside(Aggressor* other);
  /// `marking`: whose marks go before the first quantum and after the last, if any.
  Round time_victim(Aggressor* marking);

  DeviceContestSettings settings_;
  std::unique_ptr<cuda::GatedSite> own_;
  cuda::GatedSite& site_;
  std::unique_ptr<DeviceLoad> victim_;
  std::unique_ptr<Aggressor> control_, aggressor_;  // nullptr: no load
  std::int64_t quanta_ = 1, ran_dry_ = 0;
};

}  // namespace assay::offload
