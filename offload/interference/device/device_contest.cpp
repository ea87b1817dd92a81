// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/device/device_contest.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "harness/core/names.hpp"
#include "harness/cuda/launch_chunks.hpp"
#include "harness/cuda/timing/event_timer.hpp"
#include "offload/interference/device/resident_blocks.hpp"
#include "offload/interference/fed_aggressor.hpp"

namespace assay::offload {

struct DeviceContest::Round {
  double quantum_s = 0, mhz = 0;
  Meanwhile meanwhile = {};
};

namespace {

constexpr std::chrono::seconds longest_spoiling(60);

}  // namespace

DeviceContest::DeviceContest(const DeviceContestSettings& settings, cuda::GatedSite& site)
    : settings_(settings),
      site_(site),
      victim_(make_device_load(settings.victim, settings.loads, site_.device, CopyQuantum::all)),
      aggressor_(make_aggressor()) {
  if (settings.taken() > 0)
    control_ =
        std::make_unique<ResidentBlocks>(DeviceLoadKind::spin, settings.blocks, settings.loads, site_.device);
  run_beside(nullptr);  // ungated, as every timer's first sample is
  const double wanted = std::ceil(settings.round_s / run_beside(nullptr).quantum_s);
  // All of a round behind one gate, so that nothing but the victim runs between its marks.
  const std::int64_t most = cuda::gated_launch_limit / victim_->launches();
  quanta_ = std::clamp<std::int64_t>(std::llround(wanted), 1, most);
}

std::unique_ptr<Aggressor> DeviceContest::make_aggressor() const {
  if (settings_.blocks == 0) return nullptr;
  if (is_resident(settings_.aggressor))
    return std::make_unique<ResidentBlocks>(settings_.aggressor, settings_.blocks, settings_.loads,
                                            site_.device);
  return std::make_unique<FedAggressor>(
      make_device_load(settings_.aggressor, settings_.loads, site_.device, CopyQuantum::piece),
      settings_.cap_gb_per_s, site_.device);
}

DeviceContest::Round DeviceContest::run_beside(Aggressor* other) {
  victim_->spoil(site_.stream.get());
  cuda::wait_for(site_.stream.get(), "spoil the victim's results", longest_spoiling);
  // The aggressor's marks take microseconds of the victim's stream: the rounds without it have them too.
  if (other == nullptr) return time_victim(aggressor_.get());
  RunningAggressor running(*other);
  Round round = time_victim(other);
  round.meanwhile = running.stop();
  return round;
}

DeviceContest::Round DeviceContest::time_victim(Aggressor* marking) {
  std::int64_t queued = 0;
  const core::Timing timing = site_.timer.run(quanta_, 1, [&] {
    if (marking != nullptr && queued == 0) marking->mark_begin(site_.stream.get());
    victim_->enqueue(site_.stream.get());
    ++queued;
    if (marking != nullptr && queued == quanta_) marking->mark_end(site_.stream.get());
  });
  return {.quantum_s = timing.seconds / static_cast<double>(quanta_), .mhz = site_.timer.last_mhz()};
}

DeviceContestTimes DeviceContest::run() {
  DeviceContestTimes all;
  const Round alone = run_beside(nullptr);
  const Round spinning = run_beside(control_.get());
  const Round beside = run_beside(aggressor_.get());
  all.times = {.alone_s = alone.quantum_s, .beside_spin_s = spinning.quantum_s, .beside_s = beside.quantum_s};
  all.alone_mhz = alone.mhz;
  all.beside_spin_mhz = spinning.mhz;
  all.beside_mhz = beside.mhz;
  ran_dry_ += beside.meanwhile.ran_dry;
  if (!aggressor_) return all;
  all.times.aggressor_gb_per_s = 1e-9 * beside.meanwhile.quanta_per_s * aggressor_->quantum_bytes();
  all.aggressor_tflops = 1e-12 * beside.meanwhile.quanta_per_s * aggressor_->quantum_flops();
  return all;
}

core::Verification DeviceContest::verify() {
  using Result = core::Verification::Result;
  if (const auto why = victim_->wrong()) return {Result::wrong, "victim: " + *why};
  if (aggressor_)
    if (const auto why = aggressor_->wrong()) return {Result::wrong, "aggressor: " + *why};
  return {Result::right, "results of the victim and of the aggressor"};
}

std::vector<core::Fact> DeviceContest::facts() const {
  std::vector<core::Fact> facts = {{"quanta_of_a_time", quanta_}, {core::names::aggressor_ran_dry, ran_dry_}};
  for (auto& [name, value] : victim_->facts()) facts.emplace_back("victim_" + name, value);
  if (!aggressor_) return facts;
  for (core::Fact& fact : aggressor_->facts()) facts.push_back(std::move(fact));
  return facts;
}

}  // namespace assay::offload
