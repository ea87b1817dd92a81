// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/branches.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "harness/core/process/stop_request.hpp"
#include "harness/team/handshake/reception.hpp"
#include "harness/team/wire/deadline.hpp"
#include "harness/team/wire/socket_connection.hpp"
#include "harness/team/wire/tcp_socket.hpp"

namespace assay::team {
namespace {

constexpr std::chrono::milliseconds call_again_pause{20};
constexpr double look_again_s = 0.1;
constexpr double last_report_s = 0.5;

Errand branch_errand(const BranchOptions& options, int from, int to) {
  return {.purpose = "branch", .session = options.session, .from = from, .to = to};
}

/// Who calls there at one time too many calls again.
std::unique_ptr<Connection> call_parent(const TreePlace& place, const Address& parent,
                                        const BranchOptions& options) {
  const Deadline deadline(options.limit_s);
  try {
    while (true) {
      auto link = std::make_unique<SocketConnection>(
          connect_to(parent, options.interface, deadline.remaining_s(),
                     fmt::format(": is it running? (port {})", parent.port)),
          Handshake::of_caller(branch_errand(options, place.rank, place.parent), options.key));
      Connection* const links[] = {link.get()};
      while (!link->is_authenticated() && link->why_closed().empty() && !deadline.passed()) {
        core::end_wait_at_stop_request("the rank above");
        wait_for_links(links, std::min(deadline.remaining_s(), look_again_s));
        link->progress();
      }
      if (link->is_authenticated()) return link;
      if (!link->was_hung_up_on() || deadline.passed())
        throw core::Error(core::ErrorKind::team,
                          link->why_closed().empty()
                              ? fmt::format("did not let this rank in within {:g} s", options.limit_s)
                              : link->why_closed());
      std::this_thread::sleep_for(call_again_pause);
    }
  } catch (const core::Interrupted&) {
    throw;
  } catch (const core::Error& error) {
    throw PeerLost(place.parent,
                   fmt::format("rank {}, above rank {}: {}", place.parent, place.rank, error.what()));
  }
}

class Children {
 public:
  Children(const TreePlace& place, core::Descriptor door, const BranchOptions& options)
      : place_(place),
        options_(options),
        deadline_(options.limit_s),
        reception_(
            std::move(door),
            [this] { return Handshake::of_listener(branch_errand(options_, -1, place_.rank), options_.key); },
            {.expected = place.children.size(),
             .loopback_only = options.loopback_only,
             .with_first_frame = false}),
        links_(place.children.size()) {}

  std::vector<std::unique_ptr<Connection>> links() {
    while (first_missing() != links_.end()) {
      core::end_wait_at_stop_request("the ranks below");
      if (deadline_.passed()) give_up();
      std::vector<pollfd> waiting;
      reception_.add_to(waiting);
      poll(waiting.data(), waiting.size(),
           reception_.wait_ms(static_cast<int>(std::min(deadline_.remaining_s(), look_again_s) * 1e3) + 1));
      for (Guest& guest : reception_.look()) take(std::move(guest.link));
    }
    return std::move(links_);
  }

 private:
  void take(std::unique_ptr<SocketConnection> link) {
    for (std::size_t i = 0; i < links_.size(); ++i)
      if (place_.children[i].first == link->caller() && !links_[i]) {
        links_[i] = std::move(link);
        return;
      }
    reception_.log(
        fmt::format("refused a caller: rank {} is not one of this rank's, or came twice", link->caller()));
  }

  std::vector<std::unique_ptr<Connection>>::const_iterator first_missing() const {
    return std::ranges::find_if(links_, [](const auto& link) { return !link; });
  }

  [[noreturn]] void give_up() const {
    const auto late = static_cast<std::size_t>(first_missing() - links_.begin());
    const int rank = place_.children[late].first;
    throw PeerLost(rank, fmt::format("rank {} did not come to rank {} within {:g} s", rank, place_.rank,
                                     options_.limit_s));
  }

  const TreePlace& place_;
  const BranchOptions& options_;
  Deadline deadline_;
  Reception reception_;
  std::vector<std::unique_ptr<Connection>> links_;
};

}  // namespace

TreeLinks branches_of(const TreePlace& place, std::unique_ptr<Connection>& to_rank_0, const Address& parent,
                      core::Descriptor door, const BranchOptions& options) {
  TreeLinks links;
  links.parent = place.parent == 0 ? std::move(to_rank_0) : call_parent(place, parent, options);
  if (place.children.empty()) return links;
  try {
    links.children = Children(place, std::move(door), options).links();
  } catch (const PeerLost& lost) {
    links.parent->send_last({FrameType::lost, pack({std::to_string(lost.rank()), lost.what()})},
                            last_report_s);
    throw;
  }
  return links;
}

}  // namespace assay::team
