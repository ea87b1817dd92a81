// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/crowd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/team/tcp_socket.hpp"

namespace assay::team {
namespace {

/// Ranks that all share this host's processors: that many for each greet each other in time.
constexpr int most_ranks_a_processor = 128, usual_ranks_a_processor = 16;

bool meets_on_this_host(const Rendezvous& rendezvous) {
  try {
    return std::ranges::all_of(resolve(rendezvous.leader),
                               [](const SocketAddress& address) { return is_loopback(address); });
  } catch (const core::Error&) {
    return false;  // the host's name may become known later
  }
}

}  // namespace

void refuse_crowd(const Rendezvous& rendezvous) {
  const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  if (rendezvous.size <= most_ranks_a_processor * processors || !meets_on_this_host(rendezvous)) return;
  core::usage_error(fmt::format("{} ranks on {} processors of one host: expected at most {} ({} for each)",
                                rendezvous.size, processors, most_ranks_a_processor * processors,
                                most_ranks_a_processor));
}

JoinOptions with_patience(JoinOptions options, const Rendezvous& rendezvous) {
  const double a_processor = rendezvous.size / std::max(1.0, 1.0 * std::thread::hardware_concurrency());
  if (a_processor > usual_ranks_a_processor && meets_on_this_host(rendezvous))
    options.limit_s *= a_processor / usual_ranks_a_processor;
  return options;
}

}  // namespace assay::team
