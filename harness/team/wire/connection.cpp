// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/wire/connection.hpp"

#include <poll.h>

#include <algorithm>
#include <vector>

#include "harness/core/process/stop_request.hpp"
#include "harness/team/wire/deadline.hpp"

namespace assay::team {
namespace {

// A link without a descriptor is asked this often: seldom enough to leave the core to what is being measured.
constexpr double ask_again_s = 1e-3;

}  // namespace

void wait_for_links(std::span<Connection* const> links, double limit_s) {
  std::vector<pollfd> waiting;
  double wait_s = std::min(limit_s, 1.0);
  for (const Connection* link : links) {
    if (link->descriptor() < 0) {
      wait_s = std::min(wait_s, ask_again_s);
      continue;
    }
    waiting.push_back(
        {link->descriptor(), static_cast<short>(POLLIN | (link->wants_to_write() ? POLLOUT : 0)), 0});
  }
  poll(waiting.data(), waiting.size(), static_cast<int>(wait_s * 1e3) + (wait_s > 0 ? 1 : 0));
}

std::optional<Frame> receive_within(Connection& link, double limit_s) {
  const Deadline deadline(limit_s);
  Connection* const links[] = {&link};
  while (true) {
    link.progress();
    if (std::optional<Frame> frame = link.receive()) return frame;
    if (!link.why_closed().empty() || deadline.passed()) return std::nullopt;
    core::end_wait_at_stop_request("an answer of its team");
    wait_for_links(links, std::min(deadline.remaining_s(), core::look_for_stop_s));
  }
}

}  // namespace assay::team
