// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Ranks as threads, each with a communicator of the fake and a team.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "collectives/nccl/communicator.hpp"
#include "collectives/nccl/tests/fake_nccl.hpp"
#include "harness/team/forwarding_team.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::collectives {

inline ncclUniqueId new_id(const nccl::Calls& calls) {
  ncclUniqueId id{};
  static_cast<void>(calls.get_unique_id(&id));
  return id;
}

inline void on_threads(int ranks, const std::function<void(int rank)>& body) {
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) threads.emplace_back([&, rank] { body(rank); });
  for (std::thread& thread : threads) thread.join();
}

/// `body` gets a communicator on which operations can run.
inline void on_communicators(const nccl::Calls& calls, int ranks,
                             const std::function<void(int rank, Communicator&)>& body) {
  const ncclUniqueId id = new_id(calls);
  on_threads(ranks, [&](int rank) {
    Communicator parent(calls, ranks, rank, id, {});
    const auto child = parent.split(true, rank);
    body(rank, *child);
  });
}

/// A team whose ranks all run on one host.
class OneHostTeam final : public team::ForwardingTeam {
 public:
  explicit OneHostTeam(std::unique_ptr<team::Team> beneath) { forward_to(std::move(beneath)); }
  std::string host_of(int) const override { return "h1"; }
};

}  // namespace assay::collectives
