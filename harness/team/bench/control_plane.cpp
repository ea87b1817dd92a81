// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
#include "harness/team/bench/control_plane.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/core/error.hpp"
#include "harness/core/measure/measure.hpp"
#include "harness/core/seconds_since.hpp"
#include "harness/team/lockstep.hpp"
#include "harness/team/tree_team.hpp"
#include "harness/team/wire/descriptor_limit.hpp"
#include "harness/team/wire/socket_connection.hpp"

namespace assay::team {
namespace {

constexpr double barrier_limit_s = 60;

/// Traffic of one rank; its own thread writes it, the one that joined that thread reads it.
struct RankTraffic {
  std::vector<SocketConnection*> links;
  std::size_t before = 0, after = 0;
  std::size_t moved() const {
    std::size_t bytes = 0;
    for (const SocketConnection* link : links) bytes += link->moved_bytes();
    return bytes;
  }
};

/// Two ends that have proven their key to each other.
std::pair<std::unique_ptr<SocketConnection>, std::unique_ptr<SocketConnection>> sealed_link() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw core::Error(core::ErrorKind::system, "open a socket pair", errno);
  const TeamKey key{.source = KeySource::team, .secret = std::string(32, 'k')};
  const Errand errand{.purpose = "branch", .session = "bench", .from = 1, .to = 0};
  auto listener =
      std::make_unique<SocketConnection>(Descriptor(ends[0]), Handshake::of_listener(errand, key));
  auto caller = std::make_unique<SocketConnection>(Descriptor(ends[1]), Handshake::of_caller(errand, key));
  while (!caller->is_authenticated() || !listener->is_authenticated()) {
    listener->progress();
    caller->progress();
  }
  return {std::move(listener), std::move(caller)};
}

class MeasuresNothing final : public core::Trial {
 public:
  MeasuresNothing(const ControlPlane& plane, Team& team, RankTraffic& traffic)
      : plane_(plane), team_(team), traffic_(traffic) {}
  core::Timing do_run(std::int64_t) override {
    for (int barrier = 0; barrier < plane_.barriers; ++barrier) team_.barrier(barrier_limit_s);
    const double seconds = 1e-5 + 1e-9 * team_.rank();
    return {.seconds = seconds,
            .each_s = std::vector<double>(static_cast<std::size_t>(plane_.iterations), seconds)};
  }
  core::Verification do_verify() override { return {}; }
  std::vector<core::Metric> do_metrics(const core::Measurement&) override { return {}; }
  void do_sampling_begins() override { traffic_.before = traffic_.moved(); }
  void do_sampling_ends() override { traffic_.after = traffic_.moved(); }

 private:
  const ControlPlane& plane_;
  Team& team_;
  RankTraffic& traffic_;
};

core::Case declared_case() {
  core::Case nothing;
  nothing.name = "nothing";
  return nothing;
}

std::vector<std::unique_ptr<Team>> sealed_teams(const ControlPlane& plane,
                                                std::vector<RankTraffic>& traffic) {
  const auto ranks = static_cast<std::size_t>(plane.ranks);
  std::vector<TreeLinks> links(ranks);
  std::vector<std::unique_ptr<Team>> teams;
  for (int rank = 0; rank < plane.ranks; ++rank) {
    TreePlace place = place_in_tree(rank, plane.ranks, plane.shape);
    const auto own = static_cast<std::size_t>(rank);
    for (const RankRange& range : place.children) {
      auto [parents_end, childs_end] = sealed_link();
      const auto child = static_cast<std::size_t>(range.first);
      traffic[own].links.push_back(parents_end.get());
      traffic[child].links.push_back(childs_end.get());
      links[own].children.push_back(std::move(parents_end));
      links[child].parent = std::move(childs_end);
    }
    teams.push_back(std::make_unique<TreeTeam>(std::move(place), std::vector<std::string>(ranks, "h"),
                                               std::move(links[own])));
  }
  return teams;
}

ControlTraffic summary(const ControlPlane& plane, const std::vector<RankTraffic>& traffic) {
  ControlTraffic all;
  for (const RankTraffic& rank : traffic) {
    const double bytes = static_cast<double>(rank.after - rank.before) / plane.samples;
    all.most_bytes = std::max(all.most_bytes, bytes);
    all.mean_bytes += bytes / plane.ranks;
    all.most_descriptors = std::max(all.most_descriptors, rank.links.size());
  }
  all.leader_bytes = static_cast<double>(traffic.front().after - traffic.front().before) / plane.samples;
  all.leader_descriptors = traffic.front().links.size();
  return all;
}

}  // namespace

ControlTraffic control_traffic(const ControlPlane& plane) {
  allow_descriptors(2 * static_cast<std::size_t>(plane.ranks) + 64,
                    std::to_string(plane.ranks) + " ranks in one process");
  std::vector<RankTraffic> traffic(static_cast<std::size_t>(plane.ranks));
  std::vector<std::unique_ptr<Team>> teams = sealed_teams(plane, traffic);
  const CasesOf cases_of = [&](Team& team) {
    core::Case nothing = declared_case();
    nothing.unsupported = [](const core::Point&) { return std::nullopt; };
    nothing.prepare = [&](const core::Point&) {
      return std::make_unique<MeasuresNothing>(plane, team, traffic[static_cast<std::size_t>(team.rank())]);
    };
    return std::vector{nothing};
  };
  std::vector<std::jthread> followers;
  for (std::size_t rank = 1; rank < teams.size(); ++rank)
    followers.emplace_back([&, team = teams[rank].get()] {
      try {
        follow(*team, cases_of);
      } catch (const core::Error&) {
        // Rank 0 reports it.
      }
    });
  TeamKeeper keeper([&] { return std::move(teams.front()); });
  double seconds = 0;
  {
    const auto led = lead(keeper, cases_of, {declared_case()});
    const auto trial = led.front().prepare({});
    trial->run(1);
    trial->sampling_begins();
    const double began = core::steady_seconds();
    for (int sample = 0; sample < plane.samples; ++sample) trial->run(1);
    seconds = core::steady_seconds() - began;
    trial->sampling_ends();
  }
  dismiss(keeper);
  followers.clear();
  ControlTraffic all = summary(plane, traffic);
  all.sample_s = seconds / plane.samples;
  return all;
}

}  // namespace assay::team
