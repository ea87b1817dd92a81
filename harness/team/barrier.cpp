// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "harness/team/team.hpp"
#include "harness/team/wire/frame.hpp"

namespace assay::team {

const Trust& Team::trust() const {
  static const Trust within_a_process;
  return within_a_process;
}

std::vector<std::string> Team::gather(std::string text, double limit_s) {
  return unpack(reduce(pack({std::move(text)}),
                       {.combine = append_packed, .shared = [](const std::string& all) { return all; }},
                       limit_s));
}

std::vector<std::string> Team::gather_at_leader(std::string text, double limit_s) {
  return unpack(reduce(pack({std::move(text)}),
                       {.combine = append_packed, .shared = [](const std::string&) { return std::string(); }},
                       limit_s));
}

void Team::barrier(double limit_s) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  // At first without sleeping: a barrier is a start edge, and ranks should leave it together.
  constexpr std::chrono::milliseconds eager{2};
  arrive();
  while (!all_arrived()) {
    const auto waited = Clock::now() - start;
    if (std::chrono::duration<double>(waited).count() > limit_s) barrier_timed_out(limit_s);
    if (waited > eager) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

void Team::barrier_timed_out(double limit_s) {
  throw PeerLost(-1, fmt::format("a rank did not reach the barrier within {} s", limit_s));
}

}  // namespace assay::team
