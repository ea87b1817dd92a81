// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Host memory latency: one thread follows pointers along a random cycle through every cache line of a
// footprint, so that each load waits for the one before and no prefetcher can guess the next.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/core/measure/case_of.hpp"
#include "harness/core/names.hpp"
#include "harness/host/arena.hpp"
#include "harness/host/host_site.hpp"
#include "harness/machine/machine.hpp"
#include "memory/host/host_placement.hpp"

namespace assay::memory {

/// The successor of each of `count` lines along one cycle through all of them, drawn uniformly among such
/// cycles (Sattolo 1986). The same seed gives the same cycle. `count` is at least 1 and below 2^32.
std::vector<std::uint32_t> random_cycle(std::uint32_t count, std::uint64_t seed);

class PointerChase {
 public:
  struct alignas(64) Line {
    Line* next;
  };
  using Site = host::HostSite;
  using Settings = HostSettings;
  static constexpr std::string_view name = "memory.host.latency";
  static constexpr std::string_view measures =
      "host memory: latency of a load that depends on the one before, over a random cycle of lines";
  static constexpr core::Headline headline = core::Headline::latency_ns;

  static std::vector<core::Axis> axes(const machine::Machine& machine);
  static Settings settings(const core::Point& point) { return host_settings(point); }
  static core::Work work(const Settings& settings);
  static std::vector<core::Fact> derived(const Settings& settings, const machine::Machine& machine) {
    return {{core::names::cache_state, cache_state(machine, settings.bytes)}};
  }
  static std::optional<std::string> unsupported(const Settings& settings, const machine::Machine& machine) {
    return cannot_place(machine, settings);
  }

  /// Throws Error.
  PointerChase(const Settings& settings, host::HostSite& site);

  /// Follows `iterations` pointers, from where the last call stopped.
  double enqueue(std::int64_t iterations);
  core::Verification check();
  std::vector<core::Fact> facts() const;

  std::span<Line> lines() const { return arena_.as<Line>().first(count_); }

 private:
  void link();

  host::HostSite& site_;
  std::uint32_t count_;
  host::Arena arena_;
  Line* at_;
  std::int64_t followed_ = 0;
};

std::vector<core::Case> pointer_chase_cases(const machine::Machine& machine);

}  // namespace assay::memory
