// SPDX-FileCopyrightText: The assay authors
// SPDX-License-Identifier: Apache-2.0
// Metrics of synthetic counters of several hosts.
#include "collectives/measure/wire_seen.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "harness/team/forwarding_team.hpp"
#include "harness/team/thread_team.hpp"

namespace assay::collectives {
namespace {

using machine::Wire, machine::WireCounter;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// A team whose ranks are on hosts as named.
class OnHosts final : public team::ForwardingTeam {
 public:
  OnHosts(std::unique_ptr<team::Team> beneath, std::vector<std::string> hosts) : hosts_(std::move(hosts)) {
    forward_to(std::move(beneath));
  }
  std::string host_of(int rank) const override { return hosts_.at(static_cast<std::size_t>(rank)); }

 private:
  std::vector<std::string> hosts_;
};

struct Outcome {
  std::map<std::string, double> metrics;  // at rank 0
  std::vector<std::vector<core::Fact>> facts;
  std::vector<int> readings;
};

using Readings = std::array<std::vector<WireCounter>, 2>;  // before and after

/// Every rank would read the readings of its host.
Outcome outcome_of(const std::vector<std::string>& hosts, const std::map<std::string, Readings>& by_host) {
  auto teams = team::make_thread_teams(static_cast<int>(hosts.size()));
  Outcome outcome{.metrics = {},
                  .facts = std::vector<std::vector<core::Fact>>(hosts.size()),
                  .readings = std::vector<int>(hosts.size())};
  std::vector<std::thread> threads;
  for (std::size_t rank = 0; rank < hosts.size(); ++rank)
    threads.emplace_back([&, rank] {
      OnHosts team(std::move(teams[rank]), hosts);
      WireSeen seen(team, [&] {
        return by_host.at(hosts[rank]).at(static_cast<std::size_t>(outcome.readings[rank]++));
      });
      seen.ran(1000);  // while warming up
      seen.begins();
      seen.ran(3);
      seen.ran(7);
      seen.ends();
      for (const core::Metric& metric : seen.gathered()) outcome.metrics[metric.name] = metric.value;
      outcome.facts[rank] = seen.facts();
    });
  for (std::thread& thread : threads) thread.join();
  return outcome;
}

WireCounter net(const std::string& name, std::uint64_t bytes) { return {Wire::net, name, "", bytes}; }

TEST(WireSeen, IsTheSumOverHostsInOneIteration) {
  const Outcome outcome = outcome_of({"h0", "h1"}, {{"h0", {{{net("eth0", 50)}, {net("eth0", 250)}}}},
                                                    {"h1", {{{net("eth0", 0)}, {net("eth0", 300)}}}}});
  EXPECT_THAT(outcome.metrics, ElementsAre(Pair("wire_seen_net_bytes", 50)));
}

TEST(WireSeen, IsReadByOneRankOfEachHost) {
  const Readings some{{{net("eth0", 0)}, {net("eth0", 100)}}};
  const Outcome outcome = outcome_of({"h0", "h1", "h0", "h1"}, {{"h0", some}, {"h1", some}});
  EXPECT_THAT(outcome.readings, ElementsAre(2, 2, 0, 0));
  EXPECT_THAT(outcome.metrics, ElementsAre(Pair("wire_seen_net_bytes", 20)));
  EXPECT_THAT(outcome.facts[2], IsEmpty());
}

TEST(WireSeen, CountsACounterOnceThatHostsShare) {  // pretended nodes of one kernel
  const Readings shared{
      {{{Wire::loopback, "lo", "boot-1/net-1", 0}}, {{Wire::loopback, "lo", "boot-1/net-1", 400}}}};
  EXPECT_THAT(outcome_of({"h0", "h1"}, {{"h0", shared}, {"h1", shared}}).metrics,
              ElementsAre(Pair("wire_seen_loopback_bytes", 40)));
}

TEST(WireSeen, KeepsWiresApartAndTellsOfNoneThatIsNotThere) {
  const Readings mixed{{{{Wire::rdma, "mlx5_0/1", "", 0}, {Wire::nvlink, "GPU-1", "", 0}, net("eth0", 7)},
                        {{Wire::rdma, "mlx5_0/1", "", 10}, {Wire::nvlink, "GPU-1", "", 20}, net("eth0", 7)}}};
  EXPECT_THAT(outcome_of({"h0"}, {{"h0", mixed}}).metrics,
              ElementsAre(Pair("wire_seen_net_bytes", 0), Pair("wire_seen_nvlink_bytes", 2),
                          Pair("wire_seen_rdma_bytes", 1)));
}

TEST(WireSeen, TellsNothingOfAWireThatOneHostCannotTell) {
  const Outcome outcome = outcome_of(
      {"h0", "h1"}, {{"h0", {{{net("eth0", 0)}, {net("eth0", 100)}}}},
                     {"h1", {{{net("eth0", 9), net("eth1", 0)}, {net("eth0", 1), net("eth1", 5)}}}}});
  EXPECT_THAT(outcome.metrics, IsEmpty());
  EXPECT_THAT(outcome.facts[0], ElementsAre(core::Fact("wire_counters", "eth0")));
  EXPECT_THAT(outcome.facts[1],
              ElementsAre(core::Fact("wire_counters", "eth1"), core::Fact("wire_counters_unknown", "eth0")));
}

TEST(WireSeen, TellsNothingWhereNothingRan) { EXPECT_THAT(wire_metrics({net("eth0", 100)}, 0), IsEmpty()); }

}  // namespace
}  // namespace assay::collectives
