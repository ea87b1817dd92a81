// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/crowd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "harness/core/error.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

/// Ranks that all share this host's processors: that many for each greet each other in time.
constexpr int most_ranks_a_processor = 128, usual_ranks_a_processor = 16;

int processors_here() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

bool meets_on_this_host(const Rendezvous& rendezvous) {
  try {
    return std::ranges::all_of(resolve(rendezvous.leader),
                               [](const SocketAddress& address) { return is_loopback(address); });
  } catch (const core::Error&) {
    return false;  // the host's name may become known later
  }
}

}  // namespace

double patience(int ranks_here) {
  return std::max(1.0, static_cast<double>(ranks_here) / (usual_ranks_a_processor * processors_here()));
}

void refuse_crowd(const Rendezvous& rendezvous) {
  const int processors = processors_here();
  if (rendezvous.size <= most_ranks_a_processor * processors || !meets_on_this_host(rendezvous)) return;
  core::usage_error(fmt::format("{} ranks on {} processors of one host: expected at most {} ({} for each)",
                                rendezvous.size, processors, most_ranks_a_processor * processors,
                                most_ranks_a_processor));
}

JoinOptions with_patience(JoinOptions options, const Rendezvous& rendezvous) {
  if (const double longer = patience(rendezvous.size); longer > 1 && meets_on_this_host(rendezvous))
    options.limit_s *= longer;
  return options;
}

}  // namespace assay::team
