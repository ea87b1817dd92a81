// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "offload/interference/contest.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "harness/core/units.hpp"
#include "harness/host/openmp_calls.hpp"
#include "offload/pipeline/copier.hpp"

namespace assay::offload {
namespace {

/// Long compared with starting and stopping the others.
constexpr double shortest_round_s = 20e-3;

/// Repeats the load until `stop`; returns the rate of its whole quanta.
double repeat(Load& load, double cap_gb_per_s, std::atomic<int>& running, const std::atomic<bool>& stop) {
  Pace pace(cap_gb_per_s);
  SpinningWait wait;
  const double began_s = core::steady_seconds();
  pace.resume(began_s);
  double bytes = 0;
  for (bool first = true; !stop.load(std::memory_order_acquire); first = false) {
    const double due_s = pace.claim_s(static_cast<std::int64_t>(load.quantum_bytes()));
    while (core::steady_seconds() < due_s && !stop.load(std::memory_order_acquire)) wait.turn();
    if (core::steady_seconds() < due_s) break;  // stopped while it waited
    load.quantum();
    bytes += load.quantum_bytes();
    if (first) running.fetch_add(1, std::memory_order_release);
  }
  return core::gb_per_s(bytes, core::steady_seconds() - began_s);
}

}  // namespace

struct Contest::Round {
  double quantum_s = 0, gb_per_s = 0;
};

Contest::Contest(const ContestSettings& settings)
    : settings_(settings),
      cpus_(host::choose_cpus(settings.threads + 1, settings.loads.near_node)),
      crew_(cpus_),
      site_({cpus_.front()}),
      victim_(make_load(settings.victim, settings.loads)),
      spinners_(make_loads(LoadKind::spin)),
      aggressors_(make_loads(settings.aggressor)) {
  const Round one = run_beside(no_load_);
  quanta_ = std::max(1, static_cast<int>(std::ceil(shortest_round_s / one.quantum_s)));
}

Contest::Loads Contest::make_loads(LoadKind kind) {
  Loads loads(static_cast<std::size_t>(settings_.threads));
  crew_.run([&](int rank) {
    if (rank == 0) return;
    omp_set_num_threads(1);
    loads[static_cast<std::size_t>(rank) - 1] = make_load(kind, settings_.loads);
  });
  return loads;
}

Contest::Round Contest::run_beside(const Loads& others) {
  std::atomic<int> running{0};
  std::atomic<bool> stop{false};
  std::vector<double> rates(others.size());
  Round round;
  const auto victim = [&] {
    SpinningWait wait;
    while (running.load(std::memory_order_acquire) < static_cast<int>(others.size())) wait.turn();
    const double began_s = core::steady_seconds();
    for (int i = 0; i < quanta_; ++i) victim_->quantum();
    round.quantum_s = (core::steady_seconds() - began_s) / quanta_;
    stop.store(true, std::memory_order_release);
  };
  crew_.run([&](int rank) {
    const auto other = static_cast<std::size_t>(rank) - 1;
    if (rank == 0)
      victim();
    else if (!others.empty())
      rates[other] = repeat(*others[other], settings_.cap_gb_per_s, running, stop);
  });
  round.gb_per_s = std::accumulate(rates.begin(), rates.end(), 0.0);
  return round;
}

ContestTimes Contest::run() {
  ContestTimes times;
  times.alone_s = run_beside(no_load_).quantum_s;
  times.beside_spin_s = run_beside(spinners_).quantum_s;
  const Round round = run_beside(aggressors_);
  times.beside_s = round.quantum_s;
  times.aggressor_gb_per_s = round.gb_per_s;
  return times;
}

core::Verification Contest::verify() {
  using Result = core::Verification::Result;
  if (const auto why = victim_->wrong()) return {Result::wrong, "victim: " + *why};
  for (const std::unique_ptr<Load>& load : aggressors_)
    if (const auto why = load->wrong()) return {Result::wrong, "aggressor: " + *why};
  return {Result::right, "results of the victim and of the aggressors"};
}

}  // namespace assay::offload
